import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { type PolicyId, policies } from '../../src/policies/policies.ts'
import { policyIds } from '../../src/policies/setting-ranges.ts'
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { authorization } from '../support/api/headers.ts'
import { start } from '../support/lanes/start.ts'
import { probes } from './policy-probes.ts'

const initech = '018f2b6e-0000-7000-8000-00000000000b'

/** The world `default` with a global plugin, and a second organization with a low access level. */
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

const visible = policyIds.filter((id) => probes[id].silent === undefined)

test.each(visible)('each value of %s changes a response', async (id) => {
  const { steps, requires = {}, integers } = probes[id]
  const settings = integers ?? Object.keys(policies[id].values)
  const transcripts: string[][] = []

  for (const setting of settings) {
    transcripts.push(await transcript(id, { ...requires, [id]: setting } as PolicyOverrides))
  }

  // The output of the run shows what each policy does.
  console.info([id, ...formatTranscripts(settings, transcripts)].join('\n'))
  const settingsByTranscript = new Map(
    transcripts.map((lines, index) => [lines.join('\n'), settings[index]]),
  )
  expect(steps.length).toBeGreaterThan(0)
  expect([...settingsByTranscript.values()]).toEqual(settings)
})

test('a policy without a visible effect has a single value', () => {
  const silent = policyIds.filter((id) => probes[id].silent !== undefined)

  expect(silent).toEqual(['plugins.states', 'keys.issuing', 'keys.lifetime', 'events'])
  expect(silent.map((id) => Object.keys(policies[id].values))).toEqual([
    ['none'],
    ['by_hand'],
    ['no_expiry'],
    ['none'],
  ])
})

test.each(policyIds)('%s is described completely, in sentences', (id) => {
  const { documentation, question, values, documented, live, only } = policies[id]

  expect(documentation, `${id}: what the documentation says`).toMatch(/.{20}|[.?]$/)
  expect(question, `${id}: a question`).toMatch(/\?$/)
  for (const { meaning, source } of Object.values(values)) {
    expect(meaning, `${id}: a sentence for each value`).toMatch(/\.$/)
    expect(source, `${id}: a source in words for each value`).toMatch(/^[^§]{10,}$/)
  }
  const isInteger = values.integer !== undefined
  expect(isInteger || (Object.hasOwn(values, documented) && Object.hasOwn(values, live))).toBe(true)
  expect(Object.keys(values).length === 1 && !isInteger).toBe(only !== undefined)
})

test('every policy asks a question of its own', () => {
  const questions = policyIds.map((id) => policies[id].question)

  expect(questions.filter((question, index) => questions.indexOf(question) !== index)).toEqual([])
})

/** Only the last steps of a probe are compared. The others only count towards a limit. */
const comparedSteps = 3

/** Formats the responses under each setting. A long line is cut to the part that differs from the other settings. */
function formatTranscripts(
  settings: readonly unknown[],
  transcripts: readonly string[][],
): string[] {
  return settings.flatMap((setting, index) => [
    `  ${setting}`,
    ...(transcripts[index] as string[]).map((line, step) => {
      const others = transcripts.map((lines) => lines[step] as string)
      const difference = Math.min(...others.map((other) => firstDifference(line, other)))
      return `    ${shorten(line, difference)}`
    }),
  ])
}

function firstDifference(one: string, other: string): number {
  const index = [...one].findIndex((character, at) => character !== other[at])
  return index < 0 ? one.length : index
}

function shorten(line: string, from: number): string {
  if (line.length <= 120) return line
  if (from < 100 || from === line.length) return `${line.slice(0, 120)}…`
  return `${line.slice(0, 60)} … ${line.slice(from - 15, from + 45)}…`
}

/** Returns a line for each compared step: the request, the status, the headers that policies set, and the body. */
async function transcript(id: PolicyId, settings: PolicyOverrides): Promise<string[]> {
  const client = await start({ world, policies: settings })
  const lines: string[] = []
  const { steps } = probes[id]
  // Requests that only count need no transport.
  for (const [method, path] of steps.slice(0, -comparedSteps))
    await client.simulator.fetch(path, { method, headers: authorization() })
  for (const [method, path, options = {}] of steps.slice(-comparedSteps)) {
    const response = await client.send(method, path, options)
    const headers = ['allow', 'location', 'www-authenticate', 'retry-after'].map((name) => {
      const value = response.headers.get(name)
      return value && `${name}: ${value}`
    })
    const text = (await response.text()).replaceAll(client.origin, '')
    const { body, key } = options
    const request = [
      method,
      path,
      ...(body === undefined ? [] : [JSON.stringify(body)]),
      ...(key === undefined ? [] : [key === null ? 'without a key' : `by ${key}`]),
    ]
    lines.push([...request, '→', response.status, ...headers.filter(Boolean), text].join(' '))
  }
  return lines
}
