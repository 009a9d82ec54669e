import { expect, test } from 'vitest'
import {
  failureOf,
  findDependences,
  toFinding,
} from '../../../../src/analysis/variants/dependences.ts'
import type { ClientRun, VariantOutcome } from '../../../../src/analysis/variants/sweep.ts'
import type { Variant } from '../../../../src/analysis/variants/variant.ts'
import { policyVariants } from '../../../../src/analysis/variants/variant.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'

const settings = resolvePolicies('documented')

function fared(
  variant: Partial<Variant>,
  failedTests: readonly string[] | null = null,
  outcome: VariantOutcome['outcome'] = 'failed',
): VariantOutcome {
  const run: ClientRun = {
    ...{ requests: 1, consulted: [], unscopedOperations: [], keys: [], ms: 1 },
    ...{ failure: outcome === 'passed' ? null : 'the command fails', failedTests },
  }
  const other: Variant = {
    id: 'other',
    sentence: 'It differs.',
    evidence: 'assumed',
    source: 'why',
  }
  return { variant: { ...other, ...variant }, outcome, run }
}

const byId = (id: string) =>
  policyVariants(['annotations.delete.status', 'limits.body', 'versioning'], settings).find(
    (variant) => variant.id === id,
  ) as Variant

const deleteSource =
  'the documentation says that the caller is told to use PATCH, and shows no status'
const fault = { operation: 'listPlugins', effect: { mutate: 'key_order' } } as const

test('failures of one policy are one dependence, and each other variant is one of its own', () => {
  const outcomes = [
    fared(byId('annotations.delete.status=404'), ['a', 'b']),
    fared(byId('annotations.delete.status=403'), [], 'flaky'),
    fared(byId('limits.body=102400'), ['a']),
    fared({ id: 'mutate.plugin=key_order', faults: [fault] }),
    fared({
      id: 'scopes=a',
      policies: { versioning: 'may_2024' },
      keys: [{ key: 'all', scopes: ['*'], newScopes: ['a'] }],
      evidence: 'observed',
    }),
    fared(byId('versioning=july_2024'), null, 'passed'),
    fared(byId('annotations.delete.status=405_empty')),
  ]

  const found = findDependences(outcomes, settings)

  const contradicted = { kind: 'contradicted', source: 'why' }
  const assumed = { kind: 'assumed', source: 'why' }
  expect(found).toEqual([
    {
      ...contradicted,
      on: 'annotations.delete.status',
      sentence:
        'Your client depends on `annotations.delete.status = 405` (an assumption, but the live service was seen with `405_empty`): 2 tests fail with `404`; the command fails with `405_empty`.',
      source: deleteSource,
      breaks: [outcomes[0], outcomes[6]],
    },
    {
      ...assumed,
      on: 'limits.body',
      sentence:
        'Your client depends on `limits.body = 1048576` (an assumption, never seen): 1 test fails with `102400`.',
      source: 'the live service configures 20 MB, but does not apply it to JSON',
      breaks: [outcomes[2]],
    },
    {
      ...assumed,
      on: 'mutate.plugin=key_order',
      sentence:
        'Your client needs another service than `mutate.plugin=key_order`, but nothing promises it (why): the command fails.',
      breaks: [outcomes[3]],
    },
    {
      ...contradicted,
      on: 'scopes=a',
      sentence:
        'Your client needs another service than `scopes=a`, but the live service was seen otherwise (why): the command fails.',
      breaks: [outcomes[4]],
    },
  ])
})

test('an assumption that the live service contradicts is called so', () => {
  const [found] = findDependences([fared(byId('limits.body=20971520'))], settings)
  const seen = fared({ ...byId('limits.body=20971520'), evidence: 'observed' })
  const [other] = findDependences([seen], settings)

  expect([found?.kind, other?.kind, other?.sentence]).toEqual([
    'assumed',
    'contradicted',
    'Your client depends on `limits.body = 1048576` (an assumption, but the live service was seen with `20971520`): the command fails with `20971520`.',
  ])
})

test.each([
  [null, null, 'the client passes'],
  ['the command fails', null, 'the command fails'],
  ['the command fails', [], 'the command fails'],
  ['the command fails', ['a'], '1 test fails'],
  ['the command fails', ['a', 'b'], '2 tests fail'],
])('a run with the failure %j and the failed tests %j: %s', (failure, failedTests, text) => {
  expect(failureOf({ ...fared({}).run, failure, failedTests })).toBe(text)
})

test('a finding about a policy has a line for each value and each failed test', () => {
  const [dependence] = findDependences(
    [
      fared(byId('annotations.delete.status=404'), ['lists <a>', 'deletes']),
      fared(byId('annotations.delete.status=405_empty')),
    ],
    settings,
  )

  expect(dependence && toFinding(dependence)).toEqual({
    rule: 'annotations.delete.status',
    level: 'error',
    message: dependence?.sentence,
    cure: 'Let the client accept all 3 values.',
    command:
      "set policies: { 'annotations.delete.status': '405_empty' } in the options of the simulator",
    evidence: 'contradicted',
    source: deleteSource,
    details: [
      'annotations.delete.status=404: The error of a missing annotation, for any id. (assumed: never seen; a robust client tolerates it)',
      'fails: lists <a>',
      'fails: deletes',
      "annotations.delete.status=405_empty: No body and no content type, for any id. (observed: seen in the live service's own tests)",
    ],
  })
})

test.each([
  ['documented', 'note'],
  ['observed', 'warning'],
  ['assumed', 'warning'],
  ['contradicted', 'error'],
] as const)('a dependence that is %s has the level %s', (kind, level) => {
  const dependence = { on: 'other', kind, sentence: 'It breaks.', source: 'why', breaks: [] }

  expect(toFinding(dependence)).toEqual({
    ...{ rule: 'other', level, message: 'It breaks.', evidence: kind, source: 'why', details: [] },
  })
})

const added = `simulator.faults.add(${JSON.stringify(fault)})`
const swept = { command: 'npm test', flags: ['--profile live'] }

test.each([
  [
    { policies: { 'methods.put': 'on' } },
    undefined,
    `set policies: { 'methods.put': 'on' } in the options of the simulator`,
  ],
  [{ faults: [fault, fault] }, undefined, `${added}, ${added}`],
  [
    { policies: { 'methods.put': 'on', 'limits.body': 7 }, faults: [fault] },
    undefined,
    `set policies: { 'methods.put': 'on', 'limits.body': '7' } in the options of the simulator, ${added}`,
  ],
  [
    { policies: { 'methods.put': 'on', 'limits.body': 7 }, faults: [fault] },
    swept,
    `npx understudy-api exec --profile live --policy methods.put=on --policy limits.body=7 --fault '${JSON.stringify(fault)}' -- npm test`,
  ],
  [
    {},
    { command: 'a', flags: ['--data a', '--policy b=c'] },
    'npx understudy-api exec --data a --policy b=c -- a',
  ],
] as const)('the client can be seen to fail with %j', (variant, how, expected) => {
  const dependence = {
    ...({ on: 'other', kind: 'assumed', sentence: 'It breaks.', source: 'why' } as const),
    breaks: [fared(variant as Partial<Variant>)],
  } as const

  const { cure, command } = toFinding(dependence, how)

  expect({ cure, command }).toEqual({ cure: 'Let the client accept this, too.', command: expected })
})

test.each([
  [['assumed', 'documented', 'observed'], 'observed'],
  [['assumed', 'documented'], 'documented'],
  [['assumed', 'assumed'], 'assumed'],
] as const)('of variants that are %j, the one that is %s is tried', (evidences, best) => {
  const breaks = evidences.map((evidence, index) =>
    fared({ evidence, policies: { 'methods.put': `${evidence} ${index}` as 'on' } }),
  )
  const dependence = { on: 'other', kind: 'assumed', sentence: '', source: '', breaks } as const

  const index = ([...evidences] as string[]).indexOf(best)
  expect(toFinding(dependence, swept).command).toMatch(
    `--policy methods.put=${best} ${index} -- npm test`,
  )
})
