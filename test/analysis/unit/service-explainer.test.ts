import { expect, test } from 'vitest'
import { PolicySearch } from '../../../src/analysis/policy-search.ts'
import { createServiceExplainer, type Simulate } from '../../../src/analysis/service-explainer.ts'
import { createStepExplainer } from '../../../src/analysis/step-explainer.ts'
import { parseScenario } from '../../../src/scenarios/format/check-scenario.ts'
import { runScenario } from '../../../src/scenarios/run/run-scenario.ts'
import type { Target } from '../../../src/scenarios/run/target.ts'
import {
  createPolicyTarget,
  type Respond,
  type Settings,
} from '../../support/scenarios/policy-target.ts'
import { createStory, listStep } from '../../support/scenarios/story.ts'

const initial = {
  'annotations.delete.status': '405',
  'methods.put': 'off',
  'bodies.form': 'refused',
} as const
const removal = 'annotations.delete.status'
const expected = [200, { results: [1, 2], name: 'a', at: null }] as const

const isInitial = (settings: Settings) =>
  Object.entries(initial).every(([id, value]) => settings[id] === value)

/** A simulation that responds as expected with its initial settings. */
const unless =
  (respond: Respond): Respond =>
  (settings) =>
    isInitial(settings) ? expected : respond(settings)

/**
 * Explains the response of a service by simulations of the step. `tried` gets the policies of each simulation.
 *
 * @param simulated the response of a simulation
 */
async function explain(
  response: ReturnType<Respond>,
  simulated: Respond,
  settings: Settings = initial,
) {
  const step = {
    ...listStep,
    as: 'reader',
    expect: { status: 200, exact_body: expected[1] },
  } as const
  const scenario = parseScenario(createStory([step]))
  const tried: unknown[] = []
  const simulate: Simulate = ({ policies, until, ...options }) => {
    tried.push(policies)
    const target = createPolicyTarget({ ...settings, ...(policies as Settings) }, simulated)
    // The world of a simulation has other keys than the service.
    const other: Target = {
      ...target,
      key: (label) => (label === 'all' ? 'phx_1' : undefined),
      send: (request) => {
        expect(request.headers).toEqual({ authorization: 'Bearer phx_1' })
        return target.send(request)
      },
    }
    expect([until, options.decide]).toEqual([1, false])
    return runScenario(scenario, async () => ({ ...other, labels: () => [] }), {
      until,
      ...options,
    })
  }
  const service = async () => createPolicyTarget({}, () => response)
  const { steps } = await runScenario(scenario, service, { decide: false })
  const [executed] = steps as [(typeof steps)[number]]
  const explainStep = createServiceExplainer({ simulate, search: new PolicySearch() })
  return { ...(await explainStep(0, executed, await service(), [], [])), tried }
}

/** What is known of a policy with which a simulation responds like the service. */
const policy = (id: keyof typeof initial, setting: string, more: object = {}) => ({
  id,
  setting,
  would_be: initial[id],
  alone: true,
  evidence: expect.stringMatching(/^(documented|observed|assumed)$/),
  source: expect.any(String),
  simulated: true,
  ...more,
})

const each = [
  {},
  ...['403', '404', '405_empty'].map((value) => ({ [removal]: value })),
  { 'methods.put': 'on' },
  { 'bodies.form': 'accepted' },
]

/** The expected response with other fields. */
const withFields = (more: object) => [200, { ...expected[1], ...more }] as const

/** A response of the service, one of a simulation, and whether they are the same. */
test.each([
  [[404, { results: 1, name: 2, at: 3 }], [404, { results: 2, name: 3, at: 4 }], true],
  [[404], [405], false],
  [[404], 'broken', false],
  ['broken', 'broken', true],
  ['broken', [404], false],
  [withFields({ name: 'b' }), withFields({ name: 'b' }), true],
  [withFields({ name: 'b' }), withFields({ name: 'c' }), false],
  [withFields({ name: 'b' }), withFields({ at: 'b' }), false],
  [withFields({ name: 'b' }), [404], false],
  [withFields({ results: [5] }), withFields({ results: [6] }), true],
  [withFields({ results: [5] }), withFields({ results: [5, 6, 7] }), false],
  [withFields({ results: [5] }), withFields({ results: null }), false],
  [withFields({ results: [5, 2] }), withFields({ results: [5, 2] }), true],
  [withFields({ results: [5, 2] }), withFields({ results: [6, 2] }), false],
  [[200, { results: [1, 2], at: null }], [200, { results: [1, 2], at: null }], true],
] as const)(
  'a service with %j, and a simulation with %j are the same: %j',
  async (response, other, isSame) => {
    const simulated = unless((settings) => (settings['methods.put'] === 'on' ? other : [418]))

    const { decided_by } = await explain(response, simulated)

    expect(decided_by).toEqual(isSame ? [policy('methods.put', 'on')] : [])
  },
)

test('a simulation that does not respond as expected explains nothing', async () => {
  expect(await explain([404], () => [418])).toEqual({
    policies: [],
    decided_by: [],
    undecided: 'a simulation does not respond as expected either. It has other rows',
    tried: [{}],
  })
})

const withPut = [404, { results: [1, 2], name: 'a', at: null, code: 'x' }] as const
const missing = [404, { ...withPut[1], name: 5 }] as const

test('two policies decide together if each alone leaves other differences', async () => {
  const simulated = unless((settings) => {
    if (settings['methods.put'] !== 'on') return [418]
    return settings['bodies.form'] === 'accepted' ? missing : withPut
  })

  const both = { alone: false }
  expect(await explain([404, { ...missing[1], name: 6 }], simulated)).toEqual({
    policies: [],
    decided_by: [policy('methods.put', 'on', both), policy('bodies.form', 'accepted', both)],
    tried: [
      ...each,
      ...each.slice(1, 4).map((one) => ({ 'methods.put': 'on', ...one })),
      { 'methods.put': 'on', 'bodies.form': 'accepted' },
    ],
  })
})

test('of the values of the profile live, the smallest set with which a simulation responds like the service decides', async () => {
  const simulated = unless((settings) => [
    settings['bodies.form'] === 'accepted' && settings[removal] === '405_empty' ? 404 : 418,
  ])

  const { decided_by } = await explain([404], simulated)

  expect(decided_by).toEqual([
    policy(removal, '405_empty', { alone: false }),
    policy('bodies.form', 'accepted', { alone: false }),
  ])
})

test('a value that explains an earlier step is tried from the start', async () => {
  const step = { ...listStep, expect: { status: 200 } } as const
  const scenario = parseScenario(createStory([step, step]))
  const open = async () => createPolicyTarget({}, () => [404])
  const simulate: Simulate = ({ policies, wrapTarget, ...options }) => {
    const settings: Settings = { ...initial, ...(policies as Settings) }
    const respond: Respond = (current) => [current['methods.put'] === 'on' ? 404 : 200]
    // Only the first step shows that it used the policy.
    let sent = 0
    const target = createPolicyTarget(settings, respond)
    const showing: Target = {
      ...target,
      send: (request) => {
        sent += 1
        return target.send(request)
      },
      latest: async () => ({ policies: sent === 1 ? [{ id: 'methods.put' }] : [] }) as never,
    }
    return runScenario(scenario, async () => wrapTarget(showing), options)
  }

  const { steps } = await runScenario(scenario, open, {}, (...replay) =>
    createStepExplainer(
      ...replay,
      createServiceExplainer({ simulate, search: new PolicySearch() }),
    ),
  )

  const decided = [policy('methods.put', 'on')]
  expect(steps.map(({ decided_by }) => decided_by)).toEqual([decided, decided])
})
