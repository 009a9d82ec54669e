import { expect, test } from 'vitest'
import {
  emptyUsage,
  mergeUsage,
  type RunUsage,
  UsageRecorder,
} from '../../../../src/analysis/report/run-usage.ts'
import type { SimulatorOptions } from '../../../../src/sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { acme, annotationsPath, noon } from '../../../support/api/paths.ts'
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

const plugins = `/api/organizations/${acme}/plugins/`

test('requests are counted by operation and status, and unknown paths and faults apart', async () => {
  const usage = await record(
    [
      ['DELETE', `${annotationsPath}1/`],
      ['DELETE', `${annotationsPath}2/`],
      ['GET', '/api/unknown/'],
      ['OPTIONS', '/api/projects/'],
      ['GET', '/api/projects/'],
      ['DELETE', `${plugins}23/`],
    ],
    {},
    ({ faults }) => {
      faults.add({ operation: 'listProjects', effect: { drop: true } })
      faults.add({ operation: 'deletePlugin', effect: { status: 503 } })
    },
  )

  const { requests, not_covered, unmatched, faults, operations } = usage
  const unused = { parameters: [], request_fields: [], response_fields: [] }
  expect({ requests, not_covered, unmatched, faults, operations }).toEqual({
    requests: 6,
    not_covered: 0,
    unmatched: 2,
    faults: 2,
    operations: {
      deleteAnnotation: { requests: 2, statuses: { 405: 2 }, ...unused },
      listProjects: { requests: 1, statuses: {}, ...unused },
      deletePlugin: { requests: 1, statuses: { 503: 1 }, ...unused },
    },
  })
})

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

test('each parameter and field counts once, in the order of its first use', async () => {
  const { operations } = await record([
    ['GET', `${annotationsPath}?offset=99&serch=x`],
    ['GET', `${annotationsPath}?search=nothing&offset=0`],
    ['GET', `${annotationsPath}?limit=1&search=sign`, { key: 'phx_gone' }],
  ])

  expect(operations.listAnnotations).toEqual({
    requests: 3,
    statuses: { 200: 2, 401: 1 },
    parameters: ['offset', 'search'],
    request_fields: [],
    response_fields: ['count', 'next', 'previous', 'results'],
  })
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

test('keys count by label and scopes, with what they required and what they may not do', async () => {
  const { keys } = await record(
    [
      ['GET', annotationsPath, { key: 'phx_annotation_read' }],
      ['POST', annotationsPath, { key: 'phx_annotation_read', body: {} }],
      ['POST', annotationsPath, { key: 'phx_annotation_read', body: {} }],
      ['GET', '/api/projects/', { key: 'phx_annotation_read' }],
      ['GET', annotationsPath, { key: 'phx_old' }],
      ['GET', annotationsPath, { key: 'phx_unlabelled_0123456789' }],
      ['GET', `${plugins}unused/`, { key: 'phx_other_unlabelled_0123' }],
      ['GET', annotationsPath, { key: 'phx_unknown' }],
      ['GET', annotationsPath, { key: null }],
    ],
    {},
    (simulator) => {
      simulator.keys.issue({ value: 'phx_unlabelled_0123456789', scopes: ['plugin:read'] })
      simulator.keys.issue({ value: 'phx_other_unlabelled_0123', scopes: ['plugin:read'] })
    },
  )

  expect(keys).toEqual([
    {
      key: 'annotation:read',
      scopes: ['annotation:read'],
      required: { listAnnotations: 'annotation:read' },
      refused: ['createAnnotation'],
    },
    { key: 'old', scopes: null, required: { listAnnotations: 'annotation:read' }, refused: [] },
    {
      key: null,
      scopes: ['plugin:read'],
      required: { listUnusedPlugins: 'plugin:read' },
      refused: ['listAnnotations'],
    },
  ])
})

test.each([
  ['no body', undefined, 20_971_520, undefined],
  ['a body that every profile accepts', 1_048_576, 20_971_520, undefined],
  ['a larger body', 1_048_577, 20_971_520, { 20971520: 1 }],
  ['a refused body', 20, 10, { 10: 1 }],
])('the size of %s counts: %i bytes', async (_title, bytes, limit, expected) => {
  const raw = bytes === undefined ? {} : { raw: ' '.repeat(bytes) }
  const headers = { 'content-type': 'application/json' }

  const { policies } = await record([['POST', annotationsPath, { ...raw, headers }]], {
    policies: { 'limits.body': limit },
  })

  expect(policies['limits.body']).toEqual(expected)
  expect(policies['paths.format']).toEqual({ off: 1 })
})

test('merged usages have the sums, and each name and mistake once', () => {
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
    keys: [{ key: 'k', scopes: ['s'], required: { list: 's' }, refused: ['create'] }],
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
      { key: 'k', scopes: ['s'], required: { get: 't' }, refused: ['create', 'delete'] },
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
      { key: 'k', scopes: ['s'], required: { list: 's', get: 't' }, refused: ['create', 'delete'] },
      ...other.keys.slice(1),
    ],
    mistakes: [mistake, { ...mistake, rule: 'b' }, { ...mistake, message: 'n' }],
  })
})
