import { expect, test } from 'vitest'
import defaultWorld from '../../../../fixtures/default.json' with { type: 'json' }
import { createSimulator, type Scenario, type Step, type WorldJson } from '../../../../src/index.ts'
import {
  findScenarioIssues,
  type ParsedScenario,
  parseScenario,
} from '../../../../src/scenarios/format/check-scenario.ts'
import { createFailureCheck } from '../../../../src/scenarios/shrink/same-failure.ts'
import {
  type CandidateCheck,
  type MemberPath,
  omitPaths,
  pathsAtDepth,
  shrink,
} from '../../../../src/scenarios/shrink/shrink.ts'

const list = '/api/projects/1/annotations/'
const read: Step = { as: 'all', method: 'GET', path: `${list}1/`, expect: { status: 200 } }
const write = (content: string): Step => ({
  as: 'all',
  method: 'POST',
  path: list,
  body: { content },
})

/** A long story in which one step fails: another client has changed the row by its saved id. */
const story: ParsedScenario = parseScenario({
  title: 'An edit is lost',
  description: 'Most steps do not matter.',
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
      ...{ title: 'the content is overwritten', as: 'all', method: 'GET', path: `${list}{id}/` },
      expect: { status: 200, body: { content: 'Mine', scope: 'project', deleted: false } },
    },
    read,
  ],
})

const replay = (scenario: Scenario, options: object) => createSimulator().replay(scenario, options)

/** Every version of a scenario without one step, row or field. */
function smallerVersions(scenario: Scenario): { path: MemberPath; smaller: Scenario }[] {
  const paths = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((depth) => pathsAtDepth(scenario, depth))
  return paths
    .filter((path) => !['title', 'steps', 'world'].includes(path.join('.')))
    .map((path) => ({ path, smaller: omitPaths(scenario, [path]) as Scenario }))
}

test('a candidate whose step fails in another place, or with another value, does not have the problem', async () => {
  const expectRow = (body: { readonly [name: string]: string }) =>
    parseScenario({ title: 'A row', steps: [{ ...read, expect: { status: 200, body } }] })
  const problem = await createFailureCheck(
    expectRow({ content: 'Release 2.0', scope: 'project' }),
    replay,
  )
  const has = (body: { readonly [name: string]: string }) =>
    problem?.check({ scenario: expectRow(body), origins: [0] })

  expect(problem?.kept).toMatch(
    /^step 1 \(.*\): body\.content: expected "Release 2\.0", got "Release 1\.0"$/,
  )
  expect(await has({ content: 'Release 2.0' })).toBe(true)
  expect(await has({ content: 'Release 3.0' })).toBe(false)
  expect(await has({ content: 'Release 2.0', creation_type: 'no' })).toBe(false)
  expect(await has({ scope: 'organization' })).toBe(false)
})

test('a shrunk scenario needs each of its steps, rows and fields', async () => {
  // The problem: another client changes the row after its first writer.
  const check = async (scenario: Scenario): Promise<boolean> => {
    const { steps } = await replay(scenario, { decide: false }).catch(() => ({ steps: [] }))
    const texts = steps.map(({ response }) => response?.text ?? '')
    return (
      texts.some((text) => text.includes('"content":"Mine"')) &&
      texts.at(-1)?.includes('"content":"Theirs"') === true
    )
  }
  const { scenario } = await shrink(story, ({ scenario: smaller }) => check(smaller))

  expect(await check(scenario)).toBe(true)
  expect(scenario.steps).toHaveLength(2)
  const versions = smallerVersions(scenario)
  expect(versions.length).toBeGreaterThan(40)
  for (const { path, smaller } of versions) {
    const stillFails = findScenarioIssues(smaller).length === 0 && (await check(smaller))
    expect(stillFails, path.join('.')).toBe(false)
  }
})

test('a scenario that passes has no failure to keep', async () => {
  const passing = parseScenario({ title: 'A', steps: [read] })

  expect(await createFailureCheck(passing, replay)).toBeNull()
})

test('an aborted search returns the smallest scenario so far', async () => {
  const controller = new AbortController()

  const { scenario, isMinimal, runs } = await shrink(story, async () => true, {
    signal: controller.signal,
    onSmaller: () => controller.abort(),
  })

  expect([scenario.steps.length, isMinimal, runs < 10]).toEqual([expect.any(Number), false, true])
  expect(scenario.steps.length).toBeLessThan(story.steps.length)
})

test('a stopped search of a large world ends at once with the smallest scenario so far', async () => {
  const annotations = Array.from({ length: 6_000 }, (_, index) => ({
    ...defaultWorld.annotations[0],
    id: index + 1,
  }))
  const world = { ...defaultWorld, annotations }
  const scenario = parseScenario({ title: 'Large', world, steps: [{ method: 'GET', path: '/' }] })
  const countRows = ({ world: left }: Scenario) => (left as WorldJson).annotations?.length ?? 0
  const controller = new AbortController()
  const { signal } = controller
  let late = 0
  const check: CandidateCheck = async (candidate) => {
    if (signal.aborted) late += 1
    return countRows(candidate.scenario) > 0
  }

  const result = await shrink(scenario, check, {
    signal,
    onSmaller: (smaller) => countRows(smaller) < 6_000 && controller.abort(),
  })

  expect([result.isMinimal, countRows(result.scenario)]).toEqual([false, 3_000])
  expect(late).toBe(0)
})
