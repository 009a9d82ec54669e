import { expect, test } from 'vitest'
import { parseScenario } from '../../../../src/scenarios/format/check-scenario.ts'
import type { ReplayResult } from '../../../../src/scenarios/run/result.ts'
import {
  type ReplayOptions,
  runScenario,
  withAssumedWorld,
} from '../../../../src/scenarios/run/run-scenario.ts'
import { createPolicyTarget } from '../../../support/scenarios/policy-target.ts'
import { createStory, listStep } from '../../../support/scenarios/story.ts'

const respond = () => [404] as const
const passing = { ...listStep, expect: { status: 404 } } as const
const failing = { ...listStep, expect: { status: 200 } } as const
const scenario = parseScenario(
  createStory([{ ...passing, title: 'first' }, { ...passing, title: '1' }, passing, failing]),
)

/** The outcomes of a replay with these options, one letter for each step. */
async function outcomes(options: ReplayOptions): Promise<string> {
  const open = async () => createPolicyTarget({}, respond)
  const { steps } = await runScenario(scenario, open, { decide: false, ...options })
  return steps.map(({ outcome }) => outcome.slice(0, 2)).join(' ')
}

test.each<[ReplayOptions, string]>([
  [{}, 'pa pa pa fa'],
  [{ only: 4 }, 'pr pr pr fa'],
  [{ only: 'first' }, 'pa'],
  // A title comes before a number.
  [{ only: '1' }, 'pr pa'],
  [{ only: 1 }, 'pa'],
  [{ only: '3' }, 'pr pr pa'],
  [{ until: 4 }, 'pa pa pa fa'],
  [{ until: '3' }, 'pa pa pa'],
  [{ until: 1 }, 'pa'],
  [{ only: 2, until: 4 }, 'pr pa'],
])('with %j the steps are: %s', async (options, expected) => {
  expect(await outcomes(options)).toBe(expected)
})

test('a target is opened for the replay, wrapped, told to others and closed', async () => {
  const calls: unknown[] = []
  const open = async () => ({
    ...createPolicyTarget({}, respond),
    labels: () => ['all'],
    close: async () => void calls.push('closed'),
  })
  await runScenario(scenario, open, {
    decide: false,
    until: 2,
    wrapTarget: async (target, currentStep) => ({
      ...target,
      close: async () => void calls.push('not called'),
      send: async (request) => {
        calls.push(currentStep()?.title)
        return { ...(await target.send(request)), status: 200 }
      },
    }),
    onExchange: ({ method, response, key }) => calls.push([method, response.status, key]),
    onStep: async ({ step, outcome }) => void calls.push([step, outcome]),
  })

  expect(calls).toEqual([
    'first',
    ['GET', 404, 'all'],
    [1, 'failed'],
    '1',
    ['GET', 404, 'all'],
    [2, 'failed'],
    'closed',
  ])
  calls.length = 0
  const unknown = runScenario(scenario, open, {
    wrapTarget: (target) => ({ ...target, labels: () => ['none'] }),
  })
  await expect(unknown).rejects.toMatchObject({
    message: expect.stringMatching(
      /^Failed to replay the scenario: 4 problems. Nothing was run.\n/,
    ),
    issues: [1, 2, 3, 4].map(
      (step) =>
        `steps[${step - 1}].as: expected the label of a key ("none") in step ${step}, got "all"`,
    ),
  })
  expect(calls).toEqual(['closed'])
})

const differing = (...path: string[]): ReplayResult['steps'] =>
  [{ differences: [] }, { differences: [{ path: ['expect', 'status'] }, { path }] }] as never

test.each([
  [undefined, 'empty', differing('expect', 'body', 'a'), true],
  [undefined, 'empty', differing('expect', 'exact_body'), true],
  [undefined, 'empty', differing('expect', 'headers', 'body'), false],
  [undefined, 'empty', differing('save'), false],
  [undefined, 'empty', [], false],
  [undefined, {}, differing('expect', 'body'), false],
  [undefined, undefined, differing('expect', 'body'), false],
  ['default', 'empty', differing('expect', 'body'), false],
] as const)(
  'a scenario with the world %j and the option %j assumes its world: %j',
  (world, option, steps, isAssumed) => {
    const result = { title: 'A', passed: false, base_url: '', ms: 0, steps }
    const assumed = withAssumedWorld(
      result,
      { title: 'A', steps: [], ...(world !== undefined && { world }) },
      (option === undefined ? {} : { world: option }) as ReplayOptions,
    )

    expect(assumed).toEqual(isAssumed ? { ...result, assumed_world: 'empty' } : result)
  },
)
