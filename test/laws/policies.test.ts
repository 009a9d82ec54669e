import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { type PolicyId, policies, policyIds } from '../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { start } from '../support/start.ts'
import { probes } from './policy-probes.ts'

const initech = '018f2b6e-0000-7000-8000-00000000000b'

/** The world `default`, with a second organization of low access level, and a global plugin. */
const world = {
  ...defaultWorld,
  organizations: [
    ...defaultWorld.organizations,
    { id: initech, name: 'Initech', plugins_access_level: 3 },
  ],
  users: defaultWorld.users.map((user) => ({
    ...user,
    organizations: [...user.organizations, initech],
  })),
  plugins: defaultWorld.plugins.map((plugin) => ({ ...plugin, is_global: plugin.id === 24 })),
} as unknown as WorldJson

const heard = policyIds.filter((id) => probes[id].silent === undefined)

test.each(heard)('each value of %s shows in an answer', async (id) => {
  const { steps, given = {}, integers } = probes[id]
  const settings = integers ?? Object.keys(policies[id].values)
  const answers = new Map<string, string>()

  for (const setting of settings) {
    answers.set(
      await transcript(id, { ...given, [id]: setting } as PolicyOverrides),
      String(setting),
    )
  }

  // SHOW_ANSWERS=1 prints what each value of each policy answers.
  if (process.env.SHOW_ANSWERS)
    for (const [text, setting] of answers) console.log(`${id} ${setting}: ${text.slice(0, 400)}`)
  expect(steps.length).toBeGreaterThan(0)
  expect([...answers.values()]).toEqual(settings.map(String))
})

test('a policy that no answer shows says why', () => {
  const silent = policyIds.filter((id) => probes[id].silent !== undefined)

  expect(silent).toEqual(['plugins.states', 'keys.issuing', 'keys.lifetime', 'events'])
  expect(silent.map((id) => Object.keys(policies[id].values))).toEqual([
    ['none'],
    ['by_hand'],
    ['no_expiry'],
    ['none'],
  ])
})

test.each(policyIds)('%s is described whole', (id) => {
  const { line, question, values, documented, live, only } = policies[id]

  expect(line, `${id}: the line of the document, or a sentence that it is silent`).toMatch(
    /.{20}|[.?]$/,
  )
  expect(question, `${id}: a question`).toMatch(/\?$/)
  for (const { says, source } of Object.values(values)) {
    expect(says, `${id}: a sentence for each value`).toMatch(/\.$/)
    expect(source, `${id}: a source for each value`).not.toBe('')
  }
  const isWhole = values.integer !== undefined
  expect(isWhole || (Object.hasOwn(values, documented) && Object.hasOwn(values, live))).toBe(true)
  expect(Object.keys(values).length === 1 && !isWhole).toBe(only !== undefined)
})

/** All steps of a probe, as one text: requests, and the last answers with the headers that policies set. */
async function transcript(id: PolicyId, settings: PolicyOverrides): Promise<string> {
  const client = await start({ world, policies: settings })
  const lines: string[] = []
  for (const [method, path, asked] of probes[id].steps) {
    const response = await client.send(method, path, asked)
    const set = ['allow', 'www-authenticate', 'retry-after'].map((name) =>
      response.headers.get(name),
    )
    const body = (await response.text()).replaceAll(client.origin, '')
    lines.push(`${method} ${path} → ${response.status} ${set.filter(Boolean).join(' ')} ${body}`)
  }
  return lines.slice(-3).join('\n    ')
}
