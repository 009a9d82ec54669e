import { expect, test } from 'vitest'
import { formatDifference, groupDifferences } from '../../../../src/scenarios/run/differences.ts'
import {
  type DecidingPolicy,
  failsAnyway,
  formatDetails,
  formatStep,
  formatSummary,
  type StepResult,
  scenarioReport,
} from '../../../../src/scenarios/run/result.ts'

const difference = { where: 'status', path: ['expect', 'status'], expected: 404, got: 405 }
const policy: DecidingPolicy = {
  id: 'a.b',
  setting: 'on',
  would_be: 'off',
  alone: true,
  evidence: 'observed',
  source: 'seen',
}
const step = (changes: Partial<StepResult> = {}): StepResult => ({
  step: 1,
  title: 'A step',
  outcome: 'failed',
  ms: 1,
  request: null,
  response: null,
  differences: [difference],
  decided_by: [],
  policies: ['a.b', 'c.d'],
  ...changes,
})

test.each([
  [{ differences: [] }, []],
  [{}, ['policies: a.b, c.d']],
  [{ policies: [] }, []],
  [{ undecided: failsAnyway }, [`No policy decides this: ${failsAnyway}.`]],
  [
    { undecided: 'the search took too long' },
    ['No deciding policy is known: the search took too long.', 'policies: a.b, c.d'],
  ],
  [{ decided_by: [policy] }, ['due to policy a.b = on (seen); with off this step would pass']],
  [
    { decided_by: [{ ...policy, source: '' }] },
    ['due to policy a.b = on (observed); with off this step would pass'],
  ],
  [
    { decided_by: [policy, { ...policy, id: 'c.d' }] },
    [
      'due to policy a.b = on (seen); with off this step would pass',
      'due to policy c.d = on (seen); with off this step would pass',
    ],
  ],
  [
    {
      decided_by: [
        { ...policy, alone: false },
        { ...policy, id: 'c.d', alone: false },
      ],
    },
    [
      'partly due to policies a.b = on (seen) and c.d = on (seen); with off and off this step would pass',
    ],
  ],
  [
    { decided_by: [{ ...policy, simulated: true, partial: true }] },
    ['the service responds as with policy a.b = on (seen), but other parts differ, too'],
  ],
  [
    {
      decided_by: [
        { ...policy, alone: false, simulated: true },
        { ...policy, alone: false },
      ],
    },
    [
      'the service responds as with policies a.b = on (seen) and a.b = on (seen); with off and off this step would pass',
    ],
  ],
] as const)('the lines of a step with %j end with %j', (changes, lines) => {
  const isEmpty = 'differences' in changes

  expect(formatDetails(step(changes as Partial<StepResult>)).map((line) => line.trim())).toEqual([
    ...(isEmpty ? [] : ['status', 'expected 404', 'got      405']),
    ...lines,
  ])
})

test.each([
  ['a', 'b', '"a"', '"b"'],
  [`${'x'.repeat(20)}a`, `${'x'.repeat(20)}b`, `"${'x'.repeat(20)}a"`, `"${'x'.repeat(20)}b"`],
  [`${'x'.repeat(45)}a`, `${'x'.repeat(45)}b`, `…"${'x'.repeat(20)}a"`, `…"${'x'.repeat(20)}b"`],
  [`${'x'.repeat(39)}a`, `${'x'.repeat(39)}b`, `"${'x'.repeat(39)}a"`, `"${'x'.repeat(39)}b"`],
  [`${'x'.repeat(40)}a`, `${'x'.repeat(40)}b`, `…"${'x'.repeat(20)}a"`, `…"${'x'.repeat(20)}b"`],
  ['x'.repeat(45), 'x'.repeat(46), `…"${'x'.repeat(20)}"`, `…"${'x'.repeat(21)}"`],
  [1, 'x', '1', '"x"'],
  ['x', 1, '"x"', '1'],
  [{ $match: 'id' }, undefined, 'an id', 'nothing'],
])('of %j and %j, the part from the first difference is shown', (expected, got, one, other) => {
  expect(formatDifference({ ...difference, expected, got })).toEqual({ expected: one, got: other })
})

test.each([
  [['prepared'], '0 of 0 steps passed.'],
  [['passed'], '1 of 1 step passed.'],
  [
    ['prepared', 'passed', 'failed', 'failed', 'skipped'],
    '1 of 4 steps passed, 2 failed, 1 skipped.',
  ],
] as const)('the steps %j are summarized', (outcomes, summary) => {
  const steps = outcomes.map((outcome) => step({ outcome }))
  expect(formatSummary({ title: '', passed: false, base_url: '', ms: 0, steps })).toBe(summary)
})

test('a report has the lines of each step, and shows control characters', () => {
  const steps = [
    step({ outcome: 'prepared', differences: [] }),
    step({
      step: 2,
      outcome: 'passed',
      title: 'A\tstep',
      differences: [],
      reasons: ['Not shown.'],
    }),
    step({
      step: 3,
      request: { method: 'GET', url: '/\x1b' },
      differences: [{ ...difference, where: 'a\r', expected: 'b\x7f', got: 'c\n', inWords: true }],
      reasons: ['First.', 'Second\b.'],
      policies: [],
    }),
    step({ step: 4, outcome: 'skipped', policies: [] }),
  ]
  const result = { title: 'A\nstory', passed: false, base_url: '', ms: 0, steps }

  expect(scenarioReport(result)).toBe(`A\\u000astory
  · 1 A step
  ✓ 2 A\\u0009step
  ✗ 3 A step
      GET /\\u001b
      a\\u000d
        expected b\\u007f
        got      c\\u000a
      First.
      Second\\u0008.
  - 4 A step
      status
        expected 404
        got      405
  1 of 3 steps passed, 1 failed, 1 skipped.`)
  expect(formatStep(step({ policies: [] }))).toBe(
    '  ✗ 1 A step\n      status\n        expected 404\n        got      405',
  )
})

test('differences of rows are grouped by field, and by the side that has it', () => {
  const difference = (index: number, sides: { expected?: unknown; got?: unknown }) => ({
    ...{ path: ['expect', 'body', 'results', index, 'tags'], where: `body.results[${index}].tags` },
    ...{ expected: undefined, got: undefined, ...sides },
  })
  const groups = groupDifferences([
    difference(0, { got: [] }),
    difference(1, { expected: [] }),
    difference(2, { got: ['a'] }),
  ])

  expect(groups.map(({ where }) => where)).toEqual([
    'body.results[].tags, 2 times',
    'body.results[1].tags',
  ])
})
