import { expect, test } from 'vitest'
import { sweepScenario } from '../../../../src/analysis/variants/sweep-scenario.ts'
import type { Scenario } from '../../../../src/index.ts'
import { parseScenario } from '../../../../src/scenarios/format/check-scenario.ts'
import { type ReplayOptions, runScenario } from '../../../../src/scenarios/run/run-scenario.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import {
  createPolicyTarget,
  type Respond,
  type Settings,
} from '../../../support/scenarios/policy-target.ts'
import { annotationsPath, createStory, listStep } from '../../../support/scenarios/story.ts'

const remove = { as: 'all', method: 'DELETE', path: `${annotationsPath}1/` } as const

const sweep = (steps: Scenario['steps']) =>
  sweepScenario((each) => createSimulator().replay(createStory(steps), each))

test('a sweep finds the policies that a scenario depends on, and the steps that differ', async () => {
  const result = await sweep([
    { title: 'deletes it', ...remove, expect: { status: 405, body: { attr: null } } },
  ])

  const { title, consulted, tried, depends_on } = result
  expect(title).toBe('An annotation')
  expect(consulted).toContain('annotations.delete.status')
  expect(tried).toBeGreaterThan(consulted.length)
  const [first] = depends_on.filter(({ policy }) => policy === 'annotations.delete.status')
  expect(first).toEqual({
    policy: 'annotations.delete.status',
    setting: '405',
    evidence: 'assumed',
    source: 'the documentation says that the caller is told to use PATCH, and shows no status',
    breaks: [
      {
        value: '403',
        meaning: 'The same message, for any id.',
        evidence: 'assumed',
        source: 'never seen; a robust client tolerates it',
        steps: ['step 1, deletes it: status: expected 405, got 403'],
      },
      expect.objectContaining({ value: '404' }),
      expect.objectContaining({
        value: '405_empty',
        evidence: 'observed',
        steps: ['step 1, deletes it: body: expected {"attr":null}, got nothing'],
      }),
    ],
  })
})

test('values that change no response are not tested, and the sweep says why', async () => {
  const read = { as: 'all', method: 'GET', path: annotationsPath } as const

  const { depends_on, not_tested } = await sweep([{ ...read, expect: { status: 200 } }])

  expect(depends_on).toEqual([])
  expect(not_tested.slice(0, 2)).toEqual([
    {
      policy: 'annotations.deleted.visibility',
      values: ['retrievable'],
      because: 'no response differs',
    },
    {
      policy: 'annotations.list.limit.default',
      values: ['100'],
      because: 'the list has 6 rows',
    },
  ])
})

test('a scenario that fails is not swept', async () => {
  const read = { as: 'all', method: 'GET', path: annotationsPath } as const

  await expect(sweep([read, { ...remove, expect: { status: 404 } }])).rejects.toThrow(
    expect.objectContaining({
      message:
        'Failed to sweep the scenario: step 2 does not pass with the policies as they are. Replay it first.',
      field: 'scenario',
      issues: [],
    }),
  )
})

const settings: Settings = { 'methods.put': 'off', 'limits.body': 5, 'bodies.json': 'strict' }
const steps = [
  { ...listStep, title: 'first', expect: { status: 200 }, save: { id: '/id' } },
  { ...listStep, title: 'second', path: '/api/{id}/', expect: { status: 200, body: { id: 1 } } },
]

/** Sweeps two reads of a service with three policies. `replayed` gets the options of each replay. */
async function sweepReads(
  respond: Respond,
  options: Pick<ReplayOptions, 'world' | 'policies'> = {},
) {
  const replayed: ReplayOptions[] = []
  const consulted = ['limits.body', 'methods.put']
  const replay = (each: ReplayOptions) => {
    const { wrapTarget: _, ...plain } = each
    replayed.push(plain)
    const current = { ...settings, ...(each.policies as Settings) }
    const open = async () => createPolicyTarget(current, respond, consulted)
    return runScenario(parseScenario(createStory(steps)), open, each)
  }
  return { ...(await sweepScenario(replay, options)), replayed }
}

test('each other plausible value of the consulted policies is replayed, with the options of the sweep', async () => {
  const policies = { 'bodies.json': 'lenient' } as const
  const { replayed, ...sweep } = await sweepReads(() => [200, { id: 1 }], {
    world: 'empty',
    policies,
  })

  const options = { world: 'empty', decide: false }
  expect(replayed).toEqual([
    { ...options, policies },
    { ...options, policies: { ...policies, 'methods.put': 'on' } },
    { ...options, policies: { ...policies, 'limits.body': 102_400 } },
    { ...options, policies: { ...policies, 'limits.body': 20_971_520 } },
  ])
  expect(sweep).toEqual({
    title: 'An annotation',
    consulted: ['methods.put', 'limits.body'],
    tried: 3,
    depends_on: [],
    not_tested: [
      { policy: 'methods.put', values: ['on'], because: 'no response differs' },
      {
        policy: 'limits.body',
        values: ['102400', '20971520'],
        because: 'the longest body has 0 bytes',
      },
    ],
  })
})

test('a policy that a scenario depends on lists the steps and differences of each other value', async () => {
  const { depends_on, not_tested } = await sweepReads((current) => {
    if (current['methods.put'] === 'on') return [404, { id: 2 }]
    return current['limits.body'] === 102_400 ? [200, {}] : [200, { id: 1 }]
  })

  const seen = {
    meaning: expect.stringMatching(/\.$/),
    evidence: expect.stringMatching(/^(documented|observed|assumed)$/),
    source: expect.stringMatching(/./),
  }
  const { meaning: _, ...known } = seen
  expect(depends_on).toEqual([
    {
      policy: 'methods.put',
      setting: 'off',
      ...known,
      breaks: [
        {
          value: 'on',
          ...seen,
          steps: [
            'step 1, first: status: expected 200, got 404',
            'step 2, second: status: expected 200, got 404; body.id: expected 1, got 2',
          ],
        },
      ],
    },
    {
      policy: 'limits.body',
      setting: 5,
      ...known,
      breaks: [
        {
          value: '102400',
          ...seen,
          steps: [
            'step 1, first: save.id: expected a value at /id, got nothing',
            'step 2, second: step.path: expected the value {id}, which an earlier step saves, got nothing',
          ],
        },
      ],
    },
  ])
  expect(not_tested).toEqual([
    { policy: 'limits.body', values: ['20971520'], because: 'the longest body has 0 bytes' },
  ])
})

test.each([
  ['times', { at: '2024-06-15T12:00:00.5Z' }, { at: '2025-01-01T00:00:00+02:00' }, true],
  ['addresses', { next: 'http://localhost:4010/a' }, { next: 'https://127.0.0.1/a' }, true],
  ['paths', { next: 'http://localhost:4010/a' }, { next: 'http://localhost:4010/b' }, false],
])('a value that changes %s only is not tested: %j, %j, %j', async (_title, one, other, isSame) => {
  const { not_tested } = await sweepReads((current) => [
    200,
    { id: 1, ...(current['methods.put'] === 'on' ? other : one) },
  ])

  expect(not_tested.some(({ policy }) => policy === 'methods.put')).toBe(isSame)
})

test('a target without a journal has no policies to sweep', async () => {
  const replay = (options: ReplayOptions) => {
    const open = async () => ({
      ...createPolicyTarget(settings, () => [200, { id: 1 }]),
      latest: async () => undefined,
    })
    return runScenario(parseScenario(createStory(steps)), open, options)
  }

  expect(await sweepScenario(replay)).toMatchObject({ consulted: [], tried: 0, depends_on: [] })
})
