import { expect, test } from 'vitest'
import { createStepExplainer } from '../../../src/analysis/step-explainer.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { failsAnyway } from '../../../src/scenarios/run/result.ts'
import type { SentRequest } from '../../../src/scenarios/run/target.ts'
import {
  createPolicyTarget,
  type Respond,
  type Settings,
} from '../../support/scenarios/policy-target.ts'
import { createStory, listStep } from '../../support/scenarios/story.ts'

const read = { ...listStep, expect: { status: 200 } } as const
const scenario = createStory([
  read,
  { ...read, save: { id: '/id' } },
  ...Array.from({ length: 6_665 }, () => read),
])
const removal = 'annotations.delete.status'
const documented: Settings = resolvePolicies('documented')
const live: Settings = resolvePolicies('live')

/** A response that is as expected if a condition holds for the settings. */
const passIf =
  (isMet: (settings: Settings) => boolean): Respond =>
  (settings) =>
    isMet(settings) ? [200, { id: 1 }] : [500]

/** Searches in services with these settings. `tried` gets the changes and the requests of each service, until it is closed. */
function searchIn(settings: Settings, respond: Respond) {
  const tried: unknown[][] = []
  const open = async () => {
    const target = createPolicyTarget(settings, respond)
    const events: unknown[] = []
    tried.push(events)
    return {
      ...target,
      send: (request: SentRequest) => {
        events.push(request.method)
        return target.send(request)
      },
      change: (change: { policies: Settings }) => {
        events.push(change.policies)
        return target.change(change as never)
      },
      close: async () => void events.push('closed'),
    }
  }
  const explainStep = createStepExplainer(scenario, open as never)
  const explain = (consulted: readonly string[], index = 0) =>
    explainStep(
      index,
      { request: null, response: null, differences: [] },
      createPolicyTarget(settings, respond),
      consulted,
      [],
    )
  return { explain, tried }
}

test('a setting of another version has no evidence', async () => {
  const { explain } = searchIn(
    { [removal]: '410' },
    passIf(({ [removal]: status }) => status === '404'),
  )

  expect((await explain([removal])).decided_by).toEqual([
    { id: removal, setting: '410', would_be: '404', alone: true, evidence: 'assumed', source: '' },
  ])
})

test.each([
  [
    'live',
    documented,
    ['methods.put', 'limits.body'],
    [
      { id: 'limits.body', setting: 1_048_576, would_be: 20_971_520, evidence: 'assumed' },
      { id: 'methods.put', setting: 'off', would_be: 'on', evidence: 'assumed' },
    ],
  ],
  [
    'documented',
    live,
    ['limits.body', 'bodies.form'],
    [
      { id: 'bodies.form', setting: 'accepted', would_be: 'refused', evidence: 'observed' },
      { id: 'limits.body', setting: 20_971_520, would_be: 1_048_576, evidence: 'assumed' },
    ],
  ],
] as const)(
  'of the settings of the profile %s, the smallest set decides together',
  async (profile, settings, ids, expected) => {
    const wanted: Settings = resolvePolicies(profile)
    const { explain, tried } = searchIn(
      settings,
      passIf((current) => ids.every((id) => current[id] === wanted[id])),
    )

    const { decided_by, ...rest } = await explain(['headers.allow'])

    expect(rest).toEqual({ policies: ['headers.allow'] })
    expect(decided_by.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      expected.map((one) => ({ ...one, alone: false, source: expect.any(String) })),
    )
    expect(tried.every((events) => events.slice(1).join() === 'GET,closed')).toBe(true)
  },
)

test('the policies of an earlier step are tried from the start, unless one of its own decides', async () => {
  const byRemoval = passIf(({ [removal]: status }) => status === '403' || status === '404')
  const { explain, tried } = searchIn(documented, byRemoval)
  await explain([removal])
  tried.length = 0
  const found = ['403', '404'].map((would_be) => ({ id: removal, would_be, alone: true }))

  const alone = await explain([removal], 1)
  const before = tried.splice(0)
  const later = await explain(['methods.put'], 1)

  expect([alone.decided_by, later.decided_by]).toMatchObject([found, found])
  expect(before).toEqual(
    ['403', '404', '405_empty'].map((value) => ['GET', { [removal]: value }, 'GET', 'closed']),
  )
  expect(tried).toEqual([
    ['GET', { 'methods.put': 'on' }, 'GET', 'closed'],
    [{ [removal]: '403' }, 'GET', 'GET', 'closed'],
    [{ [removal]: '404' }, 'GET', 'GET', 'closed'],
  ])
})

test('a search ends at its limit', async () => {
  const tooLong = {
    policies: ['methods.put'],
    decided_by: [],
    undecided: 'the search would send more than 20000 requests',
  }
  const [first, second] = [1, 2].map(() => searchIn({ 'methods.put': 'off' }, () => [500])) as [
    ReturnType<typeof searchIn>,
    ReturnType<typeof searchIn>,
  ]

  expect(await first.explain(['methods.put'], 6_666)).toEqual(tooLong)
  expect(first.tried).toEqual([])
  expect(await second.explain(['methods.put'], 6_665)).toMatchObject({ undecided: failsAnyway })
  second.tried.length = 0
  expect(await second.explain(['methods.put'])).toEqual(tooLong)
  expect(second.tried).toEqual([])
})
