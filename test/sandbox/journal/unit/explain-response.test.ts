import { expect, test } from 'vitest'
import {
  describeAppliedFault,
  explainResponse,
  isReplacedByFault,
  parseFailure,
  toLine,
} from '../../../../src/sandbox/journal/explain-response.ts'
import type { JournalRecord } from '../../../../src/sandbox/journal/record.ts'
import { KeyRedactor } from '../../../../src/sandbox/journal/render-parts.ts'
import { SimulatorBase } from '../../../../src/sandbox/simulator-base.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../../support/lanes/client.ts'

const redactor = new KeyRedactor(['phx_secret'])
const names = { redactor, keyName: () => 'the key' }

test.each([
  ['a'.repeat(300), 'a'.repeat(300)],
  ['a'.repeat(301), `${'a'.repeat(299)}…`],
  ['🦔'.repeat(300), '🦔'.repeat(300)],
  ['🦔'.repeat(301), `${'🦔'.repeat(299)}…`],
  ['a\nb \u001b[1m', String.raw`a\u000ab \u001b[1m`],
  ['no phx_secret here', 'no phx_… here'],
])('the line of a text is short, and has neither keys nor control characters: %#', (text, line) => {
  expect(toLine(text, redactor)).toBe(line)
})

test.each([
  ['{"detail": "No.", "code": "x"}', { detail: 'No.', code: 'x' }],
  ['[{"detail": "No."}, {"detail": "Other."}]', { detail: 'No.' }],
  ['[]', null],
  ['{"detail": 5}', null],
  ['{}', null],
  ['null', null],
  ['"detail"', null],
  ['', null],
  ['<html>', null],
])('the failure of the body %s', (text, failure) => {
  expect(parseFailure(text)).toEqual(failure)
})

test.each([
  [{ error: 'throttled' }, true, 'the response is the error throttled'],
  [{ status: 503 }, true, 'the response is a 503'],
  [{ drop: true }, true, 'the connection drops before the request is carried out'],
  [{ delay_ms: 5 }, false, 'the response is delayed by 5 ms'],
])('the fault %j replaces the response: %s', (effect, isReplaced, sentence) => {
  const fault = { id: 'fault-2', phase: 'before', effect }

  expect(isReplacedByFault({ fault } as unknown as JournalRecord)).toBe(isReplaced)
  expect(describeAppliedFault(fault)).toBe(`the fault \`fault-2\` was applied: ${sentence}`)
})

test('without a fault, or with one whose effect is unknown, the response is that of the service', () => {
  const faults = [null, { id: 'f', phase: 'before' }, { id: 'f', phase: 'before', effect: 'drop' }]

  expect(faults.map((fault) => isReplacedByFault({ fault } as unknown as JournalRecord))).toEqual([
    false,
    false,
    false,
  ])
})

/** Explains a request whose record was changed. */
async function explain(
  [method, path, options = {}]: readonly [method: string, path: string, options?: RequestOptions],
  change: (record: JournalRecord) => object = () => ({}),
) {
  const simulator = createSimulator({ clock: noon })
  await simulator.fetch(path, initOf(method, options))
  const sandbox = SimulatorBase.sandboxOf(simulator)
  const [record] = sandbox.journal.records as [JournalRecord]
  return explainResponse({ ...record, ...change(record) }, sandbox, names)
}

const withText = (status: number, text: string) => ({
  policyReads: null,
  response: { status, headers: {}, body: text },
})
const read = ['GET', annotationsPath] as const

test.each([
  ['a success', withText(200, '{"detail": "Done."}'), null],
  ['a redirect', withText(399, '{"detail": "Moved."}'), null],
  ['an error', withText(400, '{"detail": "No such thing."}'), '400: No such thing'],
  [
    'an error of a field',
    withText(400, '{"detail": "Wrong.", "attr": "limit"}'),
    '400: body.limit: Wrong',
  ],
  ['a list of errors', withText(422, '[{"detail": "Wrong"}]'), '422: Wrong'],
  ['another format', withText(502, '<html>'), '502: the request was refused'],
  ['no body', withText(500, ''), '500: the request was refused'],
  [
    'an omitted body',
    { policyReads: null, response: { status: 400, headers: {}, body: { omitted: 5 } } },
    '400: the request was refused',
  ],
  ['no connection', withText(0, ''), 'no response: the connection broke'],
  [
    'a connection that a fault dropped',
    { ...withText(0, ''), fault: { id: 'f', phase: 'before', effect: { drop: true } } },
    'no response: the fault `f` was applied: the connection drops before the request is carried out',
  ],
])('a response of a recording is explained by its body: %s', async (_title, change, reason) => {
  expect(await explain(read, () => change)).toBe(reason)
})

test.each([
  ['another status than it has again', 404, '404: No'],
  ['a status of a crash', 500, '500: an unexpected exception was thrown, and passed to onError'],
])(
  'a refusal that is not repeated is explained by its response: %s',
  async (_title, status, reason) => {
    const response = { status, headers: {}, body: '{"detail": "No."}' }

    expect(await explain(read, () => ({ response }))).toBe(reason)
  },
)

test.each([
  [
    'GET',
    '/api/projects/1/annotatoins/?a=b',
    '404: no operation has the path `/api/projects/1/annotatoins/` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got annotatoins)',
  ],
  [
    'GET',
    '/api/projets',
    '404: no operation has the path `/api/projets` (nearest: GET /api/projects; segment 2: expected projects, got projets)',
  ],
  ['GET', '/api/abcdefgh', '404: no operation has the path `/api/abcdefgh`'],
  ['GET', '/api/projects/1/a.json', '404: the suffix .json is not accepted'],
  ['GET', '/api/a.JSON', '404: no operation has the path `/api/a.JSON`'],
  [
    'GET',
    '/api/users/@me',
    '404: no operation has the path `/api/users/@me`, but --neighbours default responds to it',
  ],
  ['GET', '/api/users/@me/x/', '404: no operation has the path `/api/users/@me/x/`'],
  ['GET', '/api/v1/api/users/@me/', '404: no operation has the path `/api/v1/api/users/@me/`'],
  ['HEAD', '/api/users/@me/', '404: no operation has the path `/api/users/@me/`'],
])('an unknown path is explained: %s %s', async (method, path, reason) => {
  expect(await explain([method, path])).toBe(reason)
})

test('an unknown path whose response is no 404 is explained by the response', async () => {
  const response = { status: 405, headers: {}, body: '{"detail": "Not here."}' }

  expect(await explain(['GET', '/api/nowhere/'], () => ({ response }))).toBe('405: Not here')
})

test.each([
  ['GET', `${annotationsPath}?limit=x`, undefined, '400: ?limit: A valid integer is required'],
  [
    'POST',
    annotationsPath,
    { date_marker: 'x' },
    expect.stringMatching(/^400: body\.date_marker: Datetime has wrong format/),
  ],
] as const)(
  'a wrong value is explained with the place that it was read from: %s %s',
  async (method, path, body, reason) => {
    const simulator = createSimulator({ policies: { 'lists.limit.invalid': 'refused' } })
    await simulator.fetch(path, initOf(method, { body }))

    expect(simulator.journal.find()[0]?.reason).toEqual(reason)
  },
)
