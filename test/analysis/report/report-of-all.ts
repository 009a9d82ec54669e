import type { ReportItem, RunReport } from '../../../src/analysis/report/report-schema.ts'
import type { Evidence } from '../../../src/policies/policy.ts'

/** An item with the evidence as its source. */
function item(name: string, evidence: Evidence, requests: number, operation?: string): ReportItem {
  const source = `source <${evidence}>`
  const own = { name, evidence, source, exercised: requests > 0, requests }
  return operation === undefined ? own : { operation, ...own }
}

/** A field or a parameter, whose requests are not counted. */
function field(
  name: string,
  evidence: Evidence,
  exercised: boolean,
  operation = 'list',
): ReportItem {
  return { operation, name, evidence, source: `source <${evidence}>`, exercised }
}

/** A report with every kind of item, key and mistake. */
export const reportOfAll: RunReport = {
  requests: 7,
  not_covered: 3,
  unmatched: 1,
  faults: 2,
  operations: [
    item('list', 'documented', 4),
    item('extra', 'assumed', 1),
    item('put', 'observed', 0),
  ],
  statuses: [
    item('200', 'documented', 4, 'list'),
    item('401', 'observed', 1, 'list'),
    item('403', 'observed', 1, 'list'),
    item('404', 'observed', 0, 'list'),
    item('200', 'observed', 1, 'extra'),
  ],
  parameters: [field('limit', 'documented', true), field('search', 'observed', false)],
  request_fields: [
    field('content', 'observed', true, 'create'),
    field('name', 'observed', true, 'create'),
  ],
  response_fields: [field('count', 'documented', true), field('next', 'assumed', true)],
  policies: [
    {
      ...item('limits.body', 'assumed', 2),
      name: 'limits.body',
      question: 'How?',
      settings: ['1', '2'],
    },
    {
      ...item('methods.put', 'observed', 1),
      name: 'methods.put',
      question: 'Do they?',
      settings: ['on'],
    },
    {
      ...item('versioning', 'observed', 0),
      name: 'versioning',
      question: 'Which?',
      settings: ['none'],
    },
    { ...item('events', 'assumed', 1), name: 'events', question: 'Are there?', settings: ['none'] },
  ],
  keys: [
    {
      key: 'shop',
      scopes: ['a:read', 'a:write', 'b:read'],
      used: ['a:read'],
      used_unnamed: ['b:read'],
      least: ['a:read', 'b:read'],
      unused: ['a:write'],
      refused: ['create', 'delete'],
      sentence: 'Key shop needs fewer.',
    },
    {
      ...{ key: null, scopes: null, used: [], used_unnamed: [], least: ['a:read'] },
      ...{ unused: [], refused: [], sentence: 'A key from before scopes existed needs fewer.' },
    },
    {
      ...{ key: 'empty', scopes: [], used: ['a:read'], used_unnamed: [], least: ['a:read'] },
      ...{ unused: [], refused: [], sentence: 'Key empty needs fewer.' },
    },
    {
      ...{ key: 'lean', scopes: ['a:read'], used: ['a:read'], used_unnamed: [], least: ['a:read'] },
      ...{ unused: [], refused: [], sentence: 'Key lean needs what it has.' },
    },
    {
      ...{ key: 'all', scopes: ['*'], used: ['a:read'], used_unnamed: [], least: ['a:read'] },
      ...{ unused: ['*'], refused: [], sentence: 'Key all needs fewer.' },
    },
  ],
  unnamed_scopes: [
    {
      operation: 'extra',
      policy: 'plugins.unused.scope',
      scope: 'b:read',
      exercised: true,
      evidence: 'assumed',
      source: 'x & y',
    },
    {
      operation: 'other',
      policy: 'plugins.source.scope',
      scope: 'b:read',
      exercised: false,
      evidence: 'observed',
      source: 'seen',
    },
  ],
  mistakes: [
    {
      rule: 'swallowed-delete',
      level: 'error',
      message: 'Annotation <1> stays.',
      cure: 'Send PATCH.',
      details: ['entry 3', 'entry 4'],
      entries: [3, 4],
      count: 2,
    },
    { rule: 'ignored-input', level: 'warning', message: 'It ignores `a`.', entries: [5], count: 1 },
  ],
}

/** A run without a request to the API. */
export const emptyReport: RunReport = {
  ...{ requests: 0, not_covered: 0, unmatched: 0, faults: 0 },
  ...{ operations: [], statuses: [], parameters: [], request_fields: [], response_fields: [] },
  ...{ policies: [], keys: [], unnamed_scopes: [], mistakes: [] },
}
