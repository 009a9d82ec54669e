import { expect, test } from 'vitest'
import defaultWorld from '../../../../fixtures/default.json' with { type: 'json' }
import { createSimulator, type Scenario, type Step, type WorldJson } from '../../../../src/index.ts'
import { findScenarioIssues } from '../../../../src/scenarios/format/check-scenario.ts'
import {
  type MemberPath,
  omitPaths,
  pathsAtDepth,
} from '../../../../src/scenarios/shrink/members.ts'
import { createReplayCheck } from '../../../../src/scenarios/shrink/replay-check.ts'
import { ddmin, shrink } from '../../../../src/scenarios/shrink/shrink.ts'

const list = '/api/projects/1/annotations/'
const read: Step = { as: 'all', method: 'GET', path: `${list}1/`, expect: { status: 200 } }
const write = (content: string): Step => ({
  as: 'all',
  method: 'POST',
  path: list,
  body: { content },
})

/** A long story in which one answer is not as expected, as somebody has changed the row by an id that was saved. */
const story: Scenario = {
  title: 'An edit that is lost',
  description: 'Much happens, and little of it matters.',
  world: defaultWorld as unknown as WorldJson,
  clock: '2024-06-15T12:00:00Z',
  policies: { 'annotations.restore': 'restores' },
  steps: [
    ...Array.from({ length: 10 }, (_, n) => write(`Noise ${n}`)),
    { ...write('Mine'), save: { id: '/id', unused: '/scope' } } as Step,
    read,
    { rows: { annotations: [{ content: 'By hand' }] } },
    {
      ...{ as: 'annotation:write', method: 'PATCH', path: `${list}{id}/` },
      body: { content: 'Theirs', scope: 'project' },
    },
    read,
    {
      ...{ title: 'what is left', as: 'all', method: 'GET', path: `${list}{id}/` },
      expect: { status: 200, body: { content: 'Mine', scope: 'project', deleted: false } },
    },
    read,
  ],
}

const replay = (scenario: Scenario, options: object) => createSimulator().replay(scenario, options)

/** Every scenario with one step, row or field less, whatever else may be said of it. */
function smallerOnes(scenario: Scenario): { place: MemberPath; smaller: Scenario }[] {
  const places = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((depth) => pathsAtDepth(scenario, depth))
  return places
    .filter((place) => !['title', 'steps', 'world'].includes(place.join('.')))
    .map((place) => ({ place, smaller: omitPaths(scenario, [place]) as Scenario }))
}

test('of many items the few that are needed are left', async () => {
  const items = Array.from({ length: 200 }, (_, index) => index)
  let runs = 0
  const needsThree = async (kept: readonly number[]): Promise<boolean> => {
    runs += 1
    return kept.includes(3) && kept.includes(77) && (kept.includes(150) || kept.includes(160))
  }

  expect(await ddmin(items, needsThree)).toEqual([3, 77, 160])
  expect(runs).toBeLessThan(100)
  expect(await ddmin(items, async () => true)).toEqual([])
  expect(await ddmin([], async () => true)).toEqual([])
})

test('an item that was needed for another one goes with it', async () => {
  // Each but the first needs the one before it.
  const isChain = async (kept: readonly number[]): Promise<boolean> =>
    kept.every((item, index) => item === index)

  expect(await ddmin([0, 1, 2, 3, 4], isChain)).toEqual([])
})

test('what is left of a scenario still differs in the same place', async () => {
  const check = await createReplayCheck(story, replay)

  const { scenario, isMinimal } = await shrink(story, check)

  const { world, ...rest } = scenario
  expect(isMinimal).toBe(true)
  expect(rest).toEqual({
    title: 'An edit that is lost',
    steps: [
      { as: 'all', method: 'POST', path: list, save: { id: '/id' } },
      { as: 'all', method: 'GET', path: `${list}{id}/`, expect: { body: { content: 'Mine' } } },
    ],
  })
  expect(
    Object.entries(world as WorldJson).flatMap(([name, rows]) =>
      Array.isArray(rows) ? `${name}: ${rows.length}` : [],
    ),
  ).toEqual(['organizations: 1', 'projects: 1', 'users: 1', 'keys: 1'])
})

test('of what is left each single step, row and field is needed', async () => {
  // What is wrong: the row is not as its first writer left it, though nobody else should write.
  const check = async (scenario: Scenario): Promise<boolean> => {
    const { steps } = await replay(scenario, { decide: false }).catch(() => ({ steps: [] }))
    const texts = steps.map(({ answer }) => answer?.text ?? '')
    return (
      texts.some((text) => text.includes('"content":"Mine"')) &&
      texts.at(-1)?.includes('"content":"Theirs"') === true
    )
  }
  const { scenario } = await shrink(story, ({ scenario: smaller }) => check(smaller))

  expect(await check(scenario)).toBe(true)
  expect(scenario.steps).toHaveLength(2)
  const smaller = smallerOnes(scenario)
  expect(smaller.length).toBeGreaterThan(40)
  for (const { place, smaller: one } of smaller) {
    const stillFails = findScenarioIssues(one).length === 0 && (await check(one))
    expect(stillFails, place.join('.')).toBe(false)
  }
})

test('what is no scenario is not tried, and nothing is tried twice', async () => {
  const tried: string[] = []

  const { runs, invalid } = await shrink(story, async ({ scenario }) => {
    tried.push(JSON.stringify(scenario))
    return (
      findScenarioIssues(scenario).length === 0 && scenario.steps.some((step) => 'save' in step)
    )
  })

  expect(tried.flatMap((text) => findScenarioIssues(JSON.parse(text)))).toEqual([])
  expect(new Set(tried).size).toBe(tried.length)
  expect(runs).toBe(tried.length)
  expect(invalid).toBeGreaterThan(0)
})

test('a scenario that is as expected cannot be made small', async () => {
  await expect(createReplayCheck({ title: 'A', steps: [read] }, replay)).rejects.toThrow(
    'Failed to shrink: expected a scenario whose replay is not as expected, got one that is. Say by --check what is wrong with it.',
  )
})

test('it stops when it is told to, with the smallest so far', async () => {
  const stopping = new AbortController()

  const { scenario, isMinimal, runs } = await shrink(story, async () => true, {
    signal: stopping.signal,
    onSmaller: () => stopping.abort(),
  })

  expect([scenario.steps.length, isMinimal, runs < 10]).toEqual([expect.any(Number), false, true])
  expect(scenario.steps.length).toBeLessThan(story.steps.length)
})
