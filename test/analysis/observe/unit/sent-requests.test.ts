import { expect, test } from 'vitest'
import { parseKeys } from '../../../../src/analysis/observe/keys.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import { allKeys, observeSimulator } from '../../../support/observe/hidden-server.ts'
import { createLoggedServer } from '../../../support/observe/logged-server.ts'

const scopedKeys = {
  old: 'phx_old',
  'plugin:read,plugin:write': 'phx_plugins',
  'annotation:write': 'phx_annotation_write',
}

test.each([
  ['documented', 'writes', allKeys],
  ['documented', 'reads', { all: 'phx_all' }],
  ['documented', 'reads-plugins', { 'plugin:read': 'phx_plugin_read' }],
  ['live', 'writes', allKeys],
  ['live', 'reads', allKeys],
  ['live', 'writes-scoped', scopedKeys],
] as const)(
  'of the %s policies, an observation that %s finds these values by these requests',
  async (profile, name, keys) => {
    const { fetch, sent } = createLoggedServer(resolvePolicies(profile))
    const allowWrites = name.startsWith('writes')

    const observation = await observeSimulator({ fetch }, { keys: parseKeys(keys), allowWrites })

    const found = observation.findings.map(({ id, value, open }) => `${id}: ${value ?? open}`)
    await expect([...sent, '', ...found, ''].join('\n')).toMatchFileSnapshot(
      `./sent-requests.${profile}.${name}.outline.txt`,
    )
    const { requests, left, refused, ended } = observation
    expect([requests, left, refused, ended]).toEqual([sent.length, [], null, null])
  },
)

test.each([true, false])(
  'every value has the requests that show it, without ids and keys, with writes: %s',
  async (allowWrites) => {
    const { fetch } = createLoggedServer()

    const { findings } = await observeSimulator({ fetch }, { allowWrites })

    const shown = findings.map(({ id, evidence }) => [id, ...evidence].join('\n  '))
    await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(
      `./sent-requests.evidence.${allowWrites ? 'writes' : 'reads'}.outline.txt`,
    )
    const unshown = findings.filter(({ value, evidence }) => value !== null && evidence.length < 2)
    expect(unshown).toEqual([])
  },
)
