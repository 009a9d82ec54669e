import { expect, test } from 'vitest'
import { parseKeys, usualLabels } from '../../../src/compare/keys.ts'
import { simulateProbes, worldTraits } from '../../../src/compare/probed-answers.ts'
import { probesFor } from '../../../src/compare/probes.ts'
import { differencesOf } from '../../../src/compare/signature-differences.ts'
import { profiles } from '../../../src/settings/profiles.ts'
import { resolveSettings } from '../../../src/settings/resolve.ts'
import { settingIds } from '../../../src/settings/setting.ts'

/**
 * What a comparison cannot show: it sends neither 480 requests in a minute nor a body of a megabyte, and the world that it
 * simulates has no organization with a low level, and no plugin with a newer version.
 */
const hidden = [
  'plugins.access_level',
  'plugins.upgrade.effect',
  'limits.rate',
  'limits.retry_after',
  'limits.body',
]

test('a request in src/compare/probes.ts shows each setting, in one of the profiles', async () => {
  const keys = parseKeys(Object.fromEntries(usualLabels.map((label) => [label, `key-${label}`])))
  const world = Object.fromEntries(
    Object.entries(worldTraits).map(([name, [some]]) => [name, some]),
  )

  const shown = new Set<string>()
  for (const profile of profiles) {
    const trial = { settings: resolveSettings(profile), world }
    const answers = await simulateProbes(probesFor(usualLabels, true), keys, trial, [1])
    for (const { signature, withOthers } of answers) {
      for (const [id, changed] of withOthers) {
        const isShown = [...changed.values()].some(
          (other) => signature && other && differencesOf(signature, other).size > 0,
        )
        if (isShown) shown.add(id)
      }
    }
  }

  expect(settingIds.filter((id) => !shown.has(id))).toEqual(hidden)
})

test('the key that may do most is the first one', () => {
  const keys = parseKeys({
    ...{ none: 'k1', 'plugin:read': 'k2', 'annotation:read, plugin:write': 'k3' },
    ...{ old: 'k4', all: 'k5' },
  })

  expect(keys.map(({ value, scopes }) => [value, scopes])).toEqual([
    ['k5', ['*']],
    ['k4', null],
    ['k3', ['annotation:read', 'plugin:write']],
    ['k2', ['plugin:read']],
    ['k1', []],
  ])
})

test.each([
  [{ all: 'k' }, /all: expected a key of at least two characters/],
  [{ all: 'k k' }, /all: expected a key of at least two characters/],
  [{ 'plugin:read,plugin:all': 'k1' }, /Failed to read the label of a key/],
  [{}, /^Pass a key of the server with --key\.$/],
])('the keys %j are refused', (keys, message) => {
  expect(() => parseKeys(keys as Record<string, string>)).toThrow(message)
})
