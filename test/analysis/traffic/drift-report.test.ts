import { expect, test } from 'vitest'
import type { Drift, RequestEvidence, ShownBy } from '../../../src/analysis/traffic/drift.ts'
import {
  driftKinds,
  formatDrift,
  hasFailed,
  toReport,
} from '../../../src/analysis/traffic/drift-report.ts'
import { printReport } from '../../../src/utils/reports/printers.ts'
import { annotationsPath } from '../../support/api/paths.ts'

const request = (number: number, status: RequestEvidence['status'] = 200): RequestEvidence => ({
  name: `step ${number}`,
  method: 'GET',
  path: annotationsPath,
  status,
})
const shownBy = (count: number, ...requests: readonly RequestEvidence[]): ShownBy => ({
  ...{ count, at_least: false, requests },
})
const assumed = { meaning: 'It means this.', evidence: 'assumed', source: 'never seen' } as const
const observed = { ...assumed, evidence: 'observed', source: 'seen' } as const
const documented = { ...assumed, evidence: 'documented', source: 'written' } as const

/** A contradiction of each evidence, and each other way to differ: with one request, and with several. */
const drift: Drift = {
  requests: 20,
  explained: 12,
  contradictions: [
    {
      policy: 'annotations.delete.status',
      question: 'Which status?',
      expected: { value: '405', ...assumed },
      documentation: ['a line that does not say it'],
      observed: { value: '403', ...assumed },
      or: ['404', '410'],
      shown_by: shownBy(1, request(1, 403)),
      but: [{ value: '404', shown_by: shownBy(3, request(2, 404), request(3, 404)) }],
    },
    {
      policy: 'annotations.search.reach',
      question: 'Which operations?',
      expected: { value: 'list', ...documented },
      documentation: ['a line that says it'],
      observed: { value: 'every_lookup', ...observed },
      or: [],
      shown_by: shownBy(4, request(4, null), request(5, 0)),
      but: [],
    },
    {
      policy: 'errors.body',
      question: 'Which form?',
      expected: { value: 'envelope', ...observed },
      documentation: [],
      observed: { value: 'list', ...assumed },
      or: [],
      shown_by: shownBy(1, request(6, 400)),
      but: [],
    },
  ],
  undecided: [
    {
      one_of: [
        [{ policy: 'methods.put', value: 'on', ...observed }],
        [
          { policy: 'bodies.form', value: 'accepted', ...observed },
          { policy: 'bodies.json', value: 'lenient', ...observed },
        ],
      ],
      shown_by: shownBy(1, request(7)),
    },
    {
      one_of: [[{ policy: 'headers.allow', value: 'every_answer', ...observed }]],
      shown_by: shownBy(1, request(8)),
    },
  ],
  unexplained: [
    {
      operation: 'listAnnotations',
      differences: [{ path: ['expect', 'status'], where: 'status', expected: 418, got: 200 }],
      documentation: ['the line of the list'],
      shown_by: shownBy(1, request(9, 418)),
      follow_ups: 0,
    },
  ],
  confirmed: [
    {
      policy: 'keys.missing.status',
      setting: { value: '401', ...assumed },
      or: [],
      shown_by: shownBy(1, request(10, 401)),
    },
    {
      policy: 'versioning',
      setting: { value: 'none', ...documented },
      or: ['may_2024', 'july_2024'],
      shown_by: { ...shownBy(1, request(11)), at_least: true },
    },
  ],
  not_tested: [
    { policy: 'limits.rate', setting: 'off', evidence: 'assumed', because: 'No request needs it.' },
  ],
  not_sent: [12, 13, 14, 15, 16, 17, 18].map((number) => request(number)),
  assumptions: [],
  notes: ['The world was derived.'],
  policies: { 'errors.body': 'list' },
}

const compared = {
  drift,
  file: 'traffic.har',
  settings: 'the profile documented',
  failOn: ['documented', 'unexplained'],
} as const

test.each(['html', 'xml'] as const)('a comparison as %s', async (format) => {
  const text = printReport(toReport(compared), format)
  const body = format === 'html' ? text.slice(text.indexOf('<main>')) : text

  await expect(body).toMatchFileSnapshot(`./drift-report.outline.${format}.txt`)
})

test('several differences of a kind are counted in the plural', () => {
  const twice = {
    ...drift,
    contradictions: [...drift.contradictions, ...drift.contradictions],
    unexplained: [...drift.unexplained, ...drift.unexplained],
    confirmed: [...drift.confirmed, ...drift.confirmed],
    not_tested: [...drift.not_tested, ...drift.not_tested],
  }

  expect(toReport({ ...compared, drift: twice }).intro?.[0]).toBe(
    'With the profile documented, 2 policies contradict the documentation, 2 policies differ from what was observed, 2 policies contradict assumptions, 2 differences are undecided, 2 differences are unexplained. 12 of 20 requests get the recorded responses with the policies that were found. 4 policies are confirmed, 2 of them were assumed; 2 were not tested.',
  )
})

test('one request that was not compared is named', () => {
  const { intro } = toReport({ ...compared, drift: { ...drift, not_sent: [request(12)] } })

  expect(intro?.at(-1)).toBe(
    '1 request was not compared, because it needs a value of an earlier response that differs: step 12.',
  )
})

test('traffic that differs in nothing is summarized in a sentence', () => {
  const none = { contradictions: [], undecided: [], unexplained: [], not_sent: [], notes: [] }
  const same = { ...drift, ...none, requests: 1, explained: 1, confirmed: [] }

  expect(formatDrift({ ...compared, drift: same })).toBe(
    'With the profile documented, nothing differs. No policy is confirmed; 1 was not tested.',
  )
})

test.each([
  [driftKinds, true],
  [['undecided'], true],
  [[], false],
] as const)('a comparison fails on %j: %j', (failOn, expected) => {
  expect(hasFailed({ ...compared, failOn })).toBe(expected)
})
