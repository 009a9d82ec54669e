import { expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.ts'
import { runSteps } from '../../../../src/scenarios/run/run-steps.ts'
import {
  createHttpTarget,
  type Target,
  UnreachableError,
} from '../../../../src/scenarios/run/target.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'

const url = 'http://localhost'

/** A target that responds with the path of a request, and refuses changes of the clock. */
const target: Target = {
  ...createHttpTarget(url, { key: 'phx_1' }),
  async send(request) {
    const path = request.url.slice(url.length)
    if (path === '/gone') throw new UnreachableError('Failed to reach it.')
    if (path === '/defect') throw new TypeError('A defect')
    return { status: 200, headers: new Headers(), text: JSON.stringify({ path }), broken: false }
  },
  change: async (change) => {
    if ('clock' in change) throw new UsageError('No clock.')
    return { annotations: [7] }
  },
}

const get = (path: string, more: object = {}) => ({ method: 'GET', path, ...more })
const story = (...steps: object[]) => ({ title: 'A story', steps }) as unknown as Scenario
const failing = { expect: { status: 404 } }
const statusDiffers = { path: ['expect', 'status'], where: 'status', expected: 404, got: 200 }

/** The result of a step without a difference. */
const passed = (step: number, path: string, more: object = {}) => ({
  step,
  title: `GET ${path}`,
  outcome: 'passed',
  ms: expect.any(Number),
  request: { method: 'GET', url: url + path },
  response: { status: 200, text: JSON.stringify({ path }) },
  differences: [],
  policies: [],
  decided_by: [],
  ...more,
})

const changed = (step: number, title: string, more: object = {}) =>
  passed(step, '', { title, request: null, response: null, ...more })

const refused = {
  path: ['clock'],
  where: 'clock',
  expected: 'a valid change',
  got: 'No clock.',
  inWords: true,
}

/** Runs the steps up to one, compares them from another one, and lists what the hooks are told. */
async function run(scenario: Scenario, first: number, last: number) {
  const calls: (readonly unknown[])[] = []
  const result = await runSteps(
    scenario,
    target,
    { first, last },
    {
      before: async (index) => calls.push(['before', index]),
      explain: async (index, differences) => {
        calls.push(['explain', index, differences])
        return { policies: ['a.b'], decided_by: [], undecided: 'it is a test' }
      },
      after: async ({ step, outcome }) => calls.push(['after', step, outcome]),
    },
  )
  return { result, calls }
}

test('each step has a result, and only a request that differs is explained', async () => {
  const scenario = story(
    get('/a'),
    get('/b', { title: 'the second', ...failing }),
    { rows: {}, save: { id: '/annotations/0' } },
    { title: 'a refusal', clock: 'real' },
    get('/e/{id}'),
  )

  const { result, calls } = await run(scenario, 0, 4)

  expect(result).toEqual({
    title: 'A story',
    passed: false,
    base_url: url,
    ms: expect.any(Number),
    steps: [
      passed(1, '/a'),
      passed(2, '/b', {
        title: 'the second',
        outcome: 'failed',
        differences: [statusDiffers],
        policies: ['a.b'],
        undecided: 'it is a test',
      }),
      changed(3, 'rows'),
      changed(4, 'a refusal', { outcome: 'failed', differences: [refused] }),
      passed(5, '/e/7', { title: 'GET /e/{id}' }),
    ],
  })
  expect(calls).toEqual([
    ['before', 0],
    ['after', 1, 'passed'],
    ['before', 1],
    ['explain', 1, [statusDiffers]],
    ['after', 2, 'failed'],
    ['before', 2],
    ['after', 3, 'passed'],
    ['before', 3],
    ['after', 4, 'failed'],
    ['before', 4],
    ['after', 5, 'passed'],
  ])
})

test('steps before the first one are executed but not compared, and those after the last one not at all', async () => {
  const scenario = story(
    get('/a', { ...failing, save: { a: '/path', b: '/none' } }),
    { clock: 'real' },
    get('{b}'),
    get('{a}', failing),
    get('/e'),
  )

  const { result, calls } = await run(scenario, 3, 3)

  const missing = {
    path: [],
    where: 'step.path',
    expected: 'the value {b}, which an earlier step saves',
    got: 'nothing',
    inWords: true,
  }
  expect(result).toMatchObject({
    passed: false,
    steps: [
      passed(1, '/a', { outcome: 'prepared' }),
      changed(2, 'clock', { outcome: 'prepared' }),
      changed(3, 'GET {b}', { outcome: 'skipped', differences: [missing] }),
      passed(4, '/a', {
        title: 'GET {a}',
        outcome: 'failed',
        differences: [statusDiffers],
        policies: ['a.b'],
      }),
    ],
  })
  expect(result.steps).toHaveLength(4)
  expect(calls.filter(([what]) => what === 'explain')).toEqual([['explain', 3, [statusDiffers]]])
})

test.each([
  ['passed', [get('/a'), get('/b')], 0, true],
  ['prepared', [get('/a', failing), get('/b')], 1, true],
  ['failed', [get('/a', failing), get('/b')], 0, false],
  ['skipped', [get('/a', { save: { x: '/x' } }), get('/{x}'), get('/b')], 2, false],
] as const)('a run with a %s step passes: %j', async (outcome, steps, first, isPassed) => {
  const { result } = await run(story(...steps), first, steps.length - 1)

  expect(result.steps.map((step) => step.outcome)).toContain(outcome)
  expect(result.passed).toBe(isPassed)
})

test('a value that a failed step saved can be used, and one that was not saved is named where it is needed', async () => {
  const scenario = story(
    get('/a', { ...failing, save: { a: '/path' } }),
    get('/b', { query: { a: '{a}' } }),
    get('/c', { save: { c: '/c' } }),
    get('/d', { headers: { 'x-c': '{a} {c}' } }),
    get('/e', { query: { url: '{base_url}' } }),
  )

  const { steps } = await runSteps(scenario, target, { first: 0, last: 4 })

  expect(steps.map(({ outcome, request }) => [outcome, request?.url])).toEqual([
    ['failed', `${url}/a`],
    ['passed', `${url}/b?a=%2Fa`],
    ['failed', `${url}/c`],
    ['skipped', undefined],
    ['passed', `${url}/e?url=${encodeURIComponent(url)}`],
  ])
  expect(steps[3]?.differences).toMatchObject([
    { where: 'step.headers.x-c', expected: 'the value {c}, which an earlier step saves' },
  ])
})

test('a step begins after the hooks of earlier steps, and is sent after its own', async () => {
  const calls: unknown[] = []
  const tell = (name: string) => async () => {
    await Promise.resolve()
    calls.push(name)
  }
  const send: Target['send'] = (request) => {
    calls.push('send')
    return target.send(request)
  }
  const hooks = { before: tell('before'), after: tell('after') }

  await runSteps(story(get('/a'), get('/b')), { ...target, send }, { first: 0, last: 1 }, hooks)

  expect(calls).toEqual(['before', 'send', 'after', 'before', 'send', 'after'])
})

test('a request without a server ends the run and is named, and another error ends it as it is', async () => {
  await expect(
    runSteps(story(get('/a'), get('/gone')), target, { first: 0, last: 1 }),
  ).rejects.toThrow(new UnreachableError('Failed to reach it. The request of steps[1] failed.'))
  await expect(runSteps(story(get('/defect')), target, { first: 0, last: 0 })).rejects.toThrow(
    new TypeError('A defect'),
  )
})
