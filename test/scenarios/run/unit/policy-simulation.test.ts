import { expect, test } from 'vitest'
import { parseScenario } from '../../../../src/scenarios/format/check-scenario.ts'
import { PolicySearch, type Simulate } from '../../../../src/scenarios/run/policy-search.ts'
import { runScenario } from '../../../../src/scenarios/run/run-scenario.ts'
import type { Target } from '../../../../src/scenarios/run/target.ts'
import {
  createPolicyTarget,
  type Respond,
  type Settings,
} from '../../../support/scenarios/policy-target.ts'
import { createStory, listStep } from '../../../support/scenarios/story.ts'

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
  { settings = initial as Settings, index = 0, search = new PolicySearch() } = {},
) {
  const step = {
    ...listStep,
    as: 'reader',
    expect: { status: 200, exact_body: expected[1] },
  } as const
  const scenario = parseScenario(createStory(Array(index + 1).fill(step)))
  const tried: unknown[] = []
  const simulate: Simulate = ({ policies, only, ...options }) => {
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
    expect([only, options.decide]).toEqual([index + 1, false])
    return runScenario(scenario, async () => ({ ...other, labels: () => [] }), { only, ...options })
  }
  const service = async () => createPolicyTarget({}, () => response)
  const { steps } = await runScenario(scenario, service, { decide: false, only: index + 1 })
  const { differences } = steps[index] as (typeof steps)[number]
  return { ...(await search.explainBySimulation(index, differences, simulate)), tried }
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

test('a simulation that does not respond as expected explains nothing', async () => {
  expect(await explain([500], () => [404])).toEqual({
    policies: [],
    decided_by: [],
    undecided: 'a simulation does not respond as expected either. It has other rows',
    tried: [{}],
  })
})

test('a service that responds like no simulation stays unexplained', async () => {
  const simulated = unless(() => [404])

  expect(await explain([500], simulated)).toEqual({
    policies: [],
    decided_by: [],
    undecided: 'a simulation responds like this with no setting',
    unexplained: true,
    tried: each,
  })
})

test('every value with which a simulation responds like the service decides', async () => {
  const simulated = unless((settings) => [settings['methods.put'] === 'on' ? 418 : 404])

  expect(await explain([404], simulated)).toEqual({
    policies: [],
    decided_by: [
      policy(removal, '403'),
      policy(removal, '404'),
      policy(removal, '405_empty'),
      policy('bodies.form', 'accepted'),
    ],
    tried: each,
  })
})

test('the evidence is that of the value of the service', async () => {
  const simulated = unless((settings) => [settings[removal] === '405_empty' ? 405 : 418])

  expect((await explain([405], simulated)).decided_by).toEqual([
    policy(removal, '405_empty', { evidence: 'observed' }),
  ])
})

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

test('without a second policy, one decides in part', async () => {
  const simulated = unless((settings) => (settings['methods.put'] === 'on' ? withPut : [418]))

  const { decided_by, tried } = await explain(missing, simulated)

  expect(decided_by).toEqual([policy('methods.put', 'on', { partial: true })])
  expect(tried.slice(each.length)).toEqual(
    [...each.slice(1, 4), { 'bodies.form': 'accepted' }].map((one) => ({
      'methods.put': 'on',
      ...one,
    })),
  )
})

test('nothing and null are the same only in part', async () => {
  const simulated = unless(() => withFields({ name: null }))

  const { decided_by } = await explain(withFields({ name: undefined }), simulated)

  expect(decided_by).toContainEqual(policy('methods.put', 'on', { partial: true }))
})

test('a simulation that shows no policies has no other values to try', async () => {
  expect(await explain([404], () => expected, { settings: {} })).toMatchObject({
    decided_by: [],
    unexplained: true,
    tried: [{}],
  })
})

/** A search that has sent a number of requests for another step. */
async function searchAfter(requests: number): Promise<PolicySearch> {
  const search = new PolicySearch()
  const open = async () => createPolicyTarget({}, () => [500])
  const scenario = createStory([listStep])
  // The policy `events` has a single value, so that each step before this one is sent once.
  const trial = { scenario, index: requests - 1, consulted: ['events'], settings: {}, open }
  await search.explain(trial)
  return search
}

test('simulations end at the limit of the search', async () => {
  const simulated = unless((settings) => (settings['methods.put'] === 'on' ? withPut : [418]))
  const decided = async (requests: number) => {
    const { decided_by, undecided, tried } = await explain(missing, simulated, {
      search: await searchAfter(requests),
    })
    return [decided_by, undecided, tried.length]
  }
  const partial = [policy('methods.put', 'on', { partial: true })]

  expect(await decided(19_996)).toEqual([[], 'the search would send more than 20000 requests', 1])
  expect(await decided(19_995)).toEqual([partial, undefined, 6])
  expect(await decided(19_991)).toEqual([partial, undefined, 6])
  expect(await decided(19_990)).toEqual([partial, undefined, 10])
})

test('each simulation of a later step sends all steps before it', async () => {
  const simulated = unless(() => [404])
  const decided = async (requests: number) =>
    (await explain([404], simulated, { index: 2, search: await searchAfter(requests) })).decided_by

  expect([await decided(19_985), await decided(19_986)]).toMatchObject([{ length: 5 }, []])
})
