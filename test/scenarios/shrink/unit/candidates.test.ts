import { expect, test } from 'vitest'
import defaultWorld from '../../../../fixtures/default.json' with { type: 'json' }
import type { Scenario, Step, WorldJson } from '../../../../src/index.ts'
import {
  type ParsedScenario,
  parseScenario,
} from '../../../../src/scenarios/format/check-scenario.ts'
import type { ReplayResult } from '../../../../src/scenarios/run/result.ts'
import {
  type Candidate,
  CandidateSearch,
  createReplayCheck,
} from '../../../../src/scenarios/shrink/candidates.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'

const read = (as: string, id = '1'): Step => ({
  as,
  method: 'GET',
  path: `/api/projects/1/annotations/${id}/`,
})
const story = (title: string, steps: readonly Step[], world?: Scenario['world']): Scenario =>
  ({ title, ...(world && { world }), steps }) as Scenario
const withKeys = [
  { label: 'reader', value: 'phx_1', user: 1, scopes: ['*'] },
  { value: 'phx_2', user: 1, scopes: null },
]
const withoutKeys = {}

test('a candidate that has the problem is the smallest one, and none is checked twice', async () => {
  const first: Candidate = { scenario: parseScenario(story('First', [read('all')])), origins: [0] }
  const checked: string[] = []
  const smaller: unknown[] = []
  const search = new CandidateSearch(
    first,
    async ({ scenario, origins }) => {
      checked.push(`${scenario.title} ${origins}`)
      return scenario.title !== 'Passes'
    },
    { onSmaller: ({ title }, runs) => smaller.push([title, runs]) },
  )
  const attempt = (title: string, origins: number[], id = '1') =>
    search.tryCandidate({ scenario: story(title, [read('all', id)]), origins })

  const results = [
    await attempt('Passes', [0]),
    await attempt('Fails', [1]),
    await attempt('Passes', [2]),
    await attempt('Fails', [3]),
    await attempt('Refers to nothing', [4], '{id}'),
    await attempt('Refers to nothing', [5], '{id}'),
    await attempt('Fails, too', [6]),
  ]

  expect(results).toEqual([false, true, false, false, false, false, true])
  expect(checked).toEqual(['Passes 0', 'Fails 1', 'Fails, too 6'])
  expect(smaller).toEqual([
    ['Fails', 2],
    ['Fails, too', 3],
  ])
  expect([search.runs, search.invalid]).toEqual([3, 1])
  expect(search.smallest).toEqual({
    scenario: parseScenario(story('Fails, too', [read('all')])),
    origins: [6],
  })
})

test.each([
  ['a world of the package, whose keys are not known', [read('unknown')], 'default', true],
  ['no world', [read('unknown')], undefined, true],
  ['a key by its label', [read('reader')], { ...defaultWorld, keys: withKeys }, true],
  ['a key by its value', [read('phx_2')], { ...defaultWorld, keys: withKeys }, true],
  ['the value of a key with a label', [read('phx_1')], { ...defaultWorld, keys: withKeys }, false],
  ['a removed key', [read('reader')], { ...defaultWorld, keys: withKeys.slice(1) }, false],
  ['a world without keys', [read('reader')], withoutKeys, false],
  ['a world without keys, and no key', [{ method: 'GET', path: '/' } as Step], withoutKeys, true],
  ['no steps', [], 'default', false],
] as const)('a candidate with %s is checked or not', async (_title, steps, world, isChecked) => {
  const first: Candidate = { scenario: parseScenario(story('A', [read('all')])), origins: [0] }
  const search = new CandidateSearch(first, async () => true, {})
  const scenario = story('B', steps, world as unknown as WorldJson)

  expect(await search.tryCandidate({ scenario, origins: [0] })).toBe(isChecked)
  expect([search.runs, search.invalid]).toEqual(isChecked ? [1, 0] : [0, 1])
})

test('a stopped search tries nothing', async () => {
  const first: Candidate = { scenario: parseScenario(story('A', [read('all')])), origins: [0] }
  const signal = AbortSignal.abort(new Error('Stopped'))
  const search = new CandidateSearch(first, async () => true, { signal })

  await expect(search.tryCandidate(first)).rejects.toThrow('Stopped')
  expect([search.runs, search.invalid]).toEqual([0, 0])
})

/** The result of a step: its status, and where it differs. A step without differences passes. */
const step = (number: number, status: number | null, ...where: readonly string[]) => ({
  step: number,
  outcome: where.length > 0 ? 'failed' : 'passed',
  response: status === null ? null : { status },
  differences: where.map((each) => ({ where: each })),
})
const long = parseScenario(story('Long', [read('all'), read('all'), read('all')]))

/** Checks a candidate whose replay has this result, of a scenario whose second step fails. */
async function checkReplay(origins: readonly number[], result: unknown[] | Error) {
  const calls: unknown[] = []
  const results = [[step(1, 200), step(2, 404, 'status', 'body'), step(3, 200, 'header')], result]
  const replay = async (scenario: ParsedScenario, options: object): Promise<ReplayResult> => {
    calls.push([scenario.title, options])
    const steps = results.shift()
    if (steps instanceof Error) throw steps
    return { steps } as unknown as ReplayResult
  }
  const check = await createReplayCheck(long, replay)
  const scenario = parseScenario(story('Short', [read('all')]))
  return { has: await check({ scenario, origins }), calls }
}

test.each([
  ['fails in the same way', [1], [step(1, 404, 'status', 'body')], true],
  ['fails in the same place, and in others before', [1], [step(1, 404, 'title', 'status')], true],
  ['fails in the second place only', [1], [step(1, 404, 'body')], false],
  ['fails in another place', [1], [step(1, 404, 'header')], false],
  ['has another status', [1], [step(1, 500, 'status')], false],
  ['has no response', [1], [step(1, null, 'status')], false],
  ['passes', [1], [step(1, 404)], false],
  ['is not replayed', [1], [], false],
  ['comes after a step that passes', [0, 1, 2], [step(1, 200), step(2, 404, 'status')], true],
  [
    'comes after a step that fails',
    [0, 1],
    [step(1, 404, 'status'), step(2, 404, 'status')],
    false,
  ],
  ['is in a replay that is not possible', [1], new UsageError('No'), false],
])(
  'a candidate whose step %s has the problem, or not',
  async (_title, origins, result, expected) => {
    const { has, calls } = await checkReplay(origins, result)

    expect(has).toBe(expected)
    expect(calls).toEqual([
      ['Long', { decide: false }],
      ['Short', { decide: false, until: origins.indexOf(1) + 1 }],
    ])
  },
)

test('a candidate without the step that fails is not replayed', async () => {
  const { has, calls } = await checkReplay([0, 2], [])

  expect([has, calls]).toEqual([false, [['Long', { decide: false }]]])
})

test('a defect of a replay is no answer', async () => {
  await expect(checkReplay([1], new TypeError('A defect'))).rejects.toThrow('A defect')
})
