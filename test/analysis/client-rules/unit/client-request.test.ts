import { expect, test } from 'vitest'
import { toClientRequest } from '../../../../src/analysis/client-rules/rule.ts'
import { annotationsPath } from '../../../support/api/paths.ts'
import { page, type Sent, toEntry } from '../entries.ts'

test('a request has its client, time, addresses, trace and page', () => {
  const entry = toEntry(
    {
      after: 1.5,
      query: { offset: '2', limit: '1' },
      ...page([7], { next: '?offset=3&limit=1', previous: '?limit=1&offset=1', count: 9 }),
    },
    4,
  )

  expect(toClientRequest(entry)).toEqual({
    entry,
    client: 'all phx_…_all',
    at: Date.parse('2024-06-15T12:00:01.500Z'),
    path: '/api/projects/1/annotations',
    address: '/api/projects/1/annotations?limit=1&offset=2',
    list: '/api/projects/1/annotations?',
    trace: { id: 4, test: null, line: `entry 4: GET ${annotationsPath}?offset=2&limit=1 → 200` },
    isLost: false,
    page: {
      rows: [{ id: 7 }],
      count: 9,
      next: '/api/projects/1/annotations?limit=1&offset=3',
      previous: '/api/projects/1/annotations?limit=1&offset=1',
    },
  })
})

test.each([
  [{}, null, 'entry 1:'],
  [{}, 'sandbox-2', 'entry 1 of sandbox-2:'],
  [{ test: 'lists rows' }, 'sandbox-2', 'entry 1 of lists rows:'],
])('a request of %j in %j is %s', (of, place, line) => {
  expect(toClientRequest(toEntry(of), place).trace.line).toContain(line)
})

test.each([
  ['/api/projects/', '/api/projects'],
  ['/api/projects', '/api/projects'],
  ['/api/projects//', '/api/projects/'],
  ['/__sandbox/sandbox-1/api/projects/', '/api/projects'],
  ['/service/api', '/api'],
  ['/apis/api/projects', '/api/projects'],
  ['/apis/projects/', '/apis/projects'],
  ['/', ''],
])('the path %s is compared as %j', (path, compared) => {
  expect(toClientRequest(toEntry({ path })).path).toBe(compared)
})

const cut = (cut_bytes: number) => ({ phase: 'mid-body', effect: { cut_bytes } })

test.each([
  ['without a fault', null, false],
  [
    'of a drop before the request is carried out',
    { phase: 'before', effect: { drop: true } },
    false,
  ],
  ['of a drop within the body', { phase: 'mid-body', effect: { drop: true } }, true],
  ['of a cut before the end', cut(99), true],
  ['of a cut at the end', cut(100), false],
  ['of a cut behind the end', cut(101), false],
  ['of a slow body', { phase: 'mid-body', effect: { slow_bytes_per_s: 1 } }, false],
  ['of an unknown effect', { phase: 'mid-body', effect: null }, false],
])('the response %s is lost: %j', (_, fault, isLost) => {
  const { body } = page([1])
  const request = toClientRequest(toEntry({ fault: fault && { id: 'fault-1', ...fault }, body }))

  expect([request.isLost, request.page === null]).toEqual([isLost, isLost])
})

test('no fault cuts the response of a HEAD request, which has no body', () => {
  const fault = { id: 'fault-1', phase: 'mid-body', effect: { drop: true } } as const

  expect(toClientRequest(toEntry({ method: 'HEAD', fault })).isLost).toBe(false)
})

const body = { count: 1, results: [{ id: 1 }], next: null, previous: null }

const noPages: readonly [what: string, entry: Sent][] = [
  ['of a POST', { method: 'POST', body }],
  ['of another status', { status: 203, body }],
  ['without rows', { body: { ...body, results: undefined } }],
  ['whose rows are an object', { body: { ...body, results: { id: 1 } } }],
  ['whose count is a text', { body: { ...body, count: '1' } }],
  ['one of whose rows is null', { body: { ...body, results: [{ id: 1 }, null] } }],
  ['one of whose rows is a number', { body: { ...body, results: [1, { id: 1 }] } }],
  ['that is null', { body: null }],
]

test.each(noPages)('a body %s is no page', (_, entry) => {
  expect(toClientRequest(toEntry(entry)).page).toBeNull()
})

test.each([
  [null, null],
  [5, null],
  ['http://[', null],
  ['https://api.example.com/service/api/projects/?b=2&a=1&a=3', '/api/projects?a=3&b=2'],
  ['/api/projects', '/api/projects?'],
  ['?limit=1', '?limit=1'],
])('the link %j leads to %j', (link, address) => {
  const entry = toEntry({ body: { ...body, next: link, previous: link } })

  expect(toClientRequest(entry).page).toMatchObject({ next: address, previous: address })
})
