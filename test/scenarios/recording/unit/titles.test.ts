import { expect, test } from 'vitest'
import { describeExchange } from '../../../../src/scenarios/recording/step-title.ts'
import { createExchange } from '../../../support/scenarios/exchanges.ts'

const list = '/api/projects/1/annotations/'

/** Describes a request, where the row 8 was deleted before it. */
function describe(
  method: string,
  target: string,
  status = 200,
  { sent, received }: { readonly sent?: unknown; readonly received?: unknown } = {},
) {
  const deleted = new Set(['8'])
  const title = describeExchange(
    createExchange({ method, status, sent }),
    target,
    received,
    deleted,
  )
  return [title, [...deleted]]
}

test.each([
  ['', 'List annotations'],
  ['?limit=2&offset=0', 'List annotations'],
  ['?limit=2&offset=1', 'List annotations, from row 2'],
  ['?limit=2&offset=2', 'List annotations, page 2'],
  ['?limit=2&offset=3', 'List annotations, from row 4'],
  ['?limit=0&offset=5', 'List annotations, from row 6'],
])('a list with the query %j is described as %j', (query, title) => {
  expect(describe('GET', list + query)).toEqual([title, ['8']])
})

test.each<readonly [number, unknown, string]>([
  [201, {}, 'Create annotation'],
  [0, undefined, 'Create annotation: connection broken'],
  [400, { code: 'required', attr: 'content' }, 'Create annotation: refused, required in content'],
  [400, { code: 'not_a_list', attr: null }, 'Create annotation: refused, not a list'],
  [400, { code: 'required', attr: 'Ada' }, 'Create annotation: refused, required'],
  [400, { code: 'a'.repeat(40) }, `Create annotation: refused, ${'a'.repeat(40)}`],
  [400, { code: 'a'.repeat(41) }, 'Create annotation: failed with 400'],
  [400, { code: 'of Ada' }, 'Create annotation: failed with 400'],
  [400, { code: 7 }, 'Create annotation: failed with 400'],
  [401, { code: 'required' }, 'Create annotation: refused, no valid key'],
  [403, { detail: 'missing required scope' }, 'Create annotation: refused, scope missing'],
  [403, { detail: 'No.' }, 'Create annotation: refused, permission denied'],
  [404, { code: 'required' }, 'Create annotation: not found'],
  [409, { code: 'required' }, 'Create annotation: failed with 409'],
  [429, {}, 'Create annotation: refused, throttled'],
  [500, { detail: 'missing required scope' }, 'Create annotation: failed with 500'],
])(
  'a response with the status %i and the body %j is described as %j',
  (status, received, title) => {
    expect(describe('POST', list, status, { received })).toEqual([title, ['8']])
  },
)

test.each<readonly [string, string, unknown, unknown, string, string[]]>([
  ['PATCH', '9', { deleted: true }, { deleted: true }, 'Update annotation: deleted', ['8', '9']],
  ['PATCH', '8', { deleted: true }, { deleted: true }, 'Update annotation', ['8']],
  ['PATCH', '8', { deleted: false }, { deleted: false }, 'Update annotation: restored', []],
  ['PATCH', '9', { deleted: false }, { deleted: false }, 'Update annotation', ['8']],
  ['PATCH', '9', { deleted: true }, { deleted: false }, 'Update annotation', ['8']],
  ['PATCH', '9', { deleted: true }, undefined, 'Update annotation', ['8']],
  ['PATCH', '9', { deleted: 1 }, { deleted: 1 }, 'Update annotation', ['8']],
])('%s of row %s with the body %j and the response %j is described as %j', (...row) => {
  const [method, id, sent, received, title, deleted] = row

  expect(describe(method, `${list}${id}/`, 200, { sent, received })).toEqual([title, deleted])
})

test('a refused change deletes nothing, and a new row is no change', () => {
  const bodies = { sent: { deleted: true }, received: { deleted: true } }

  expect([
    describe('PATCH', `${list}9/`, 400, bodies),
    describe('POST', list, 201, bodies),
  ]).toEqual([
    ['Update annotation: failed with 400', ['8']],
    ['Create annotation', ['8']],
  ])
})

test('a request to no operation is not described', () => {
  const targets = ['/api/elsewhere/', '/', '']

  expect(targets.map((target) => describe('GET', target))).toEqual(
    targets.map(() => [undefined, ['8']]),
  )
  expect(describe('PATCH', list, 405)).toEqual([undefined, ['8']])
})
