import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { type PolicyId, policies, policyIds } from '../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { start } from '../support/lanes/start.ts'
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
  const transcripts: string[][] = []

  for (const setting of settings) {
    transcripts.push(await transcript(id, { ...given, [id]: setting } as PolicyOverrides))
  }

  // Stands in the output of the run, for whoever wants to see what a policy does.
  console.info([id, ...shown(settings, transcripts)].join('\n'))
  const answers = new Map(transcripts.map((lines, index) => [lines.join('\n'), settings[index]]))
  expect(steps.length).toBeGreaterThan(0)
  expect([...answers.values()]).toEqual(settings)
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

/** The last steps of a probe, which are looked at: those before them are there to be counted. */
const shownSteps = 3

/** What each setting answers, of a long line what tells it from those of the other settings. */
function shown(settings: readonly unknown[], transcripts: readonly string[][]): string[] {
  return settings.flatMap((setting, own) => [
    `  ${setting}`,
    ...(transcripts[own] as string[]).map((line, step) => {
      const others = transcripts.map((lines) => lines[step] as string)
      return `    ${short(line, Math.min(...others.map((other) => firstDifference(line, other))))}`
    }),
  ])
}

function firstDifference(one: string, other: string): number {
  const index = [...one].findIndex((sign, at) => sign !== other[at])
  return index < 0 ? one.length : index
}

function short(line: string, from: number): string {
  if (line.length <= 120) return line
  if (from < 100 || from === line.length) return `${line.slice(0, 120)}…`
  return `${line.slice(0, 60)} … ${line.slice(from - 15, from + 45)}…`
}

/** Each step that is looked at as a line: the request, the status, the headers that policies set, and the body. */
async function transcript(id: PolicyId, settings: PolicyOverrides): Promise<string[]> {
  const client = await start({ world, policies: settings })
  const lines: string[] = []
  const { steps } = probes[id]
  // Many that are there to be counted only: no lane is needed for those.
  for (const [method, path] of steps.slice(0, -shownSteps))
    await client.simulator.fetch(path, { method, headers: { authorization: 'Bearer phx_all' } })
  for (const [method, path, asked = {}] of steps.slice(-shownSteps)) {
    const response = await client.send(method, path, asked)
    const set = ['allow', 'www-authenticate', 'retry-after'].map((name) => {
      const value = response.headers.get(name)
      return value && `${name}: ${value}`
    })
    const answer = (await response.text()).replaceAll(client.origin, '')
    const { body, key } = asked
    const sent = [
      method,
      path,
      ...(body === undefined ? [] : [JSON.stringify(body)]),
      ...(key === undefined ? [] : [key === null ? 'without a key' : `by ${key}`]),
    ]
    lines.push([...sent, '→', response.status, ...set.filter(Boolean), answer].join(' '))
  }
  return lines
}
