import { expect, test } from 'vitest'
import { checkReport } from '../../../../src/analysis/report/format-report.ts'
import { createRunReport } from '../../../../src/analysis/report/run-report.ts'
import {
  emptyUsage,
  mergeUsage,
  type RunUsage,
  UsageRecorder,
} from '../../../../src/analysis/report/run-usage.ts'
import type { ScopeRule } from '../../../../src/http/endpoint.ts'
import type { SimulatorOptions } from '../../../../src/sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../../support/lanes/client.ts'

type Sent = readonly [method: string, path: string, options?: RequestOptions]

/** What requests to a simulator used. */
async function record(
  requests: readonly Sent[],
  options: SimulatorOptions = {},
  prepare: (simulator: Simulator) => void = () => {},
): Promise<RunUsage> {
  const simulator = createSimulator({ clock: noon, ...options })
  prepare(simulator)
  for (const [method, path, sent = {}] of requests) {
    await simulator.fetch(path, initOf(method, sent)).catch(() => {})
  }
  const { sandbox } = simulator
  const recorder = new UsageRecorder()
  for (const each of sandbox.journal.records) recorder.add(each, sandbox)
  return recorder.usage
}

test.each([
  ['a success', 'phx_all', { scope: 'project' }, {}, 201, ['scope']],
  ['a refusal of its input', 'phx_all', { scope: 'x', colour: 1 }, {}, 400, ['scope']],
  ['a refusal of its key', 'phx_gone', { scope: 'project' }, {}, 401, []],
  ['a refusal of its scope', 'phx_none', { scope: 'project' }, {}, 403, []],
  ['another type', 'phx_all', { scope: 'project' }, { 'content-type': 'text/plain' }, 415, []],
])('the input of a request counts after %s', async (_title, key, body, headers, status, fields) => {
  const path = `${annotationsPath}?limit=1`

  const { operations } = await record([['POST', path, { key, body, headers }]])

  const { requests, statuses, parameters, request_fields } = operations.createAnnotation ?? {}
  expect({ requests, statuses, parameters, request_fields }).toEqual({
    requests: 1,
    statuses: { [status]: 1 },
    parameters: [],
    request_fields: fields,
  })
})

test('a run rests on a policy about a header only if a response has the header', async () => {
  const success = await record([['GET', `${annotationsPath}1/`]])
  const refusal = await record([['DELETE', `${annotationsPath}1/`]])
  const checkAssumed = (usage: RunUsage) => checkReport(createRunReport(usage), ['assumed'])

  expect(checkAssumed(success)).toEqual([])
  expect([success, refusal].map(({ policies }) => policies['headers.allow'])).toEqual([
    undefined,
    { on_405: 1 },
  ])
})

test('a response that is no JSON, or that was not stored, has no fields', async () => {
  const cut = ({ faults }: Simulator) => faults.add({ effect: { status: 200, body: 'text' } })

  const usages = [
    await record([['GET', annotationsPath]], {}, cut),
    await record([['GET', annotationsPath]], { journal: { bytes: 8_000 } }),
  ]

  expect(usages.map(({ operations }) => operations.listAnnotations?.response_fields)).toEqual([
    [],
    [],
  ])
})

const requiring = (rule: ScopeRule, ...more: readonly string[]) => ({
  rule,
  enough: [rule, ...more],
})

test('merged usages have the sums, each name and mistake once, and the scopes that were enough in each', () => {
  const mistake = { rule: 'a', level: 'note', message: 'm', entries: [1], count: 1 } as const
  const one: RunUsage = {
    ...{ requests: 1, not_covered: 2, unmatched: 3, faults: 4, settings: { a: 1, b: 'x' } },
    operations: {
      list: {
        requests: 2,
        statuses: { 200: 2 },
        parameters: ['a'],
        request_fields: ['b'],
        response_fields: ['c'],
      },
    },
    policies: { p: { on: 1 } },
    keys: [
      {
        key: 'k',
        scopes: ['s'],
        required: { list: requiring('a:read', 'a:write') },
        refused: ['create'],
      },
    ],
    mistakes: [mistake],
  }
  const other: RunUsage = {
    ...{ requests: 10, not_covered: 20, unmatched: 30, faults: 40, settings: { b: 'y' } },
    operations: {
      list: {
        requests: 3,
        statuses: { 200: 1, 404: 2 },
        parameters: ['a', 'd'],
        request_fields: ['b', 'e'],
        response_fields: ['f'],
      },
      create: {
        requests: 1,
        statuses: { 201: 1 },
        parameters: [],
        request_fields: ['g'],
        response_fields: [],
      },
    },
    policies: { p: { on: 2, off: 1 }, q: { on: 1 } },
    keys: [
      {
        key: 'k',
        scopes: ['s'],
        required: { list: requiring('a:read'), get: requiring('b:read') },
        refused: ['create', 'delete'],
      },
      { key: 'k', scopes: null, required: {}, refused: [] },
      { key: null, scopes: ['s'], required: {}, refused: [] },
    ],
    mistakes: [
      { ...mistake, count: 5 },
      { ...mistake, rule: 'b' },
      { ...mistake, message: 'n' },
    ],
  }
  const merged = emptyUsage()

  for (const part of [one, other]) mergeUsage(merged, part)

  expect(merged).toEqual({
    ...{ requests: 11, not_covered: 22, unmatched: 33, faults: 44, settings: { a: 1, b: 'y' } },
    operations: {
      list: {
        requests: 5,
        statuses: { 200: 3, 404: 2 },
        parameters: ['a', 'd'],
        request_fields: ['b', 'e'],
        response_fields: ['c', 'f'],
      },
      create: other.operations.create,
    },
    policies: { p: { on: 3, off: 1 }, q: { on: 1 } },
    keys: [
      {
        ...{ key: 'k', scopes: ['s'], refused: ['create', 'delete'] },
        required: { list: requiring('a:read'), get: requiring('b:read') },
      },
      ...other.keys.slice(1),
    ],
    mistakes: [
      { ...mistake, count: 6 },
      { ...mistake, rule: 'b' },
      { ...mistake, message: 'n' },
    ],
  })
})
