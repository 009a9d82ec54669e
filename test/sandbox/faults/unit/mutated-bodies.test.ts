import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../../src/http/fields/body-fields.ts'
import {
  findMutations,
  listOfLargeId,
  mutablePaths,
  mutateBody,
} from '../../../../src/sandbox/faults/mutants.ts'
import { type MutantKind, type Mutation, mutantKinds } from '../../../../src/sandbox/faults/rule.ts'
import { WrittenFields } from '../../../../src/sandbox/faults/written-fields.ts'
import { listShape, pageShape, row, rowShape } from '../mutable-shapes.ts'

const url = 'http://localhost/api/rows/?limit=1#top'
const rightToLeft = 'نص من اليمين إلى اليسار (טקסט, 1.0)'
const long = (length: number) => 'A very long text. '.repeat(60).slice(0, length)
const addition = { added_field: 'added' }

const fieldMutations: readonly [mutation: Mutation, changed: object][] = [
  [{ kind: 'null' }, { content: null, at: null, config: null, creator: null }],
  [{ kind: 'null', field: 'creator' }, { creator: null }],
  [{ kind: 'null', field: 'scope' }, {}],
  [{ kind: 'new_value' }, { scope: 'new_value' }],
  [{ kind: 'extra_field' }, addition],
  [{ kind: 'extra_field', field: 'owner' }, { owner: { first_name: 'A', ...addition } }],
  [
    { kind: 'long_text' },
    {
      content: long(400),
      owner: { first_name: long(150) },
      creator: { name: long(200), extra: 1 },
    },
  ],
  [
    { kind: 'right_to_left' },
    {
      content: rightToLeft,
      owner: { first_name: rightToLeft },
      creator: { name: rightToLeft, extra: 1 },
    },
  ],
  [{ kind: 'right_to_left', field: 'owner.first_name' }, { owner: { first_name: rightToLeft } }],
  [
    { kind: 'empty_text' },
    { content: '', owner: { first_name: '' }, creator: { name: '', extra: 1 } },
  ],
  [{ kind: 'empty_map' }, { config: {} }],
  [{ kind: 'offset' }, { at: '2024-06-15T12:00:00.123456+00:00' }],
  [
    { kind: 'other_value' },
    {
      content: 'Ynhapu',
      at: '2024-06-14T12:00:00.123456Z',
      scope: 'dashboard_item',
      config: { name: 'k' },
      owner: { first_name: 'N' },
      creator: { name: 'O', extra: 1 },
    },
  ],
  [{ kind: 'other_value', field: 'owner' }, { owner: { first_name: 'N' } }],
  [{ kind: 'milliseconds' }, { at: '2024-06-15T12:00:00.123Z' }],
  [{ kind: 'seconds' }, { at: '2024-06-15T12:00:00Z' }],
  [{ kind: 'slow' }, {}],
  [{ kind: 'large_id' }, {}],
]

test.each(fieldMutations)(
  'the mutation %j changes a row, a list and a page',
  (mutation, changed) => {
    const expected = { ...row, ...changed }
    const page = { count: 1, next: null, results: [row] }

    expect(mutateBody(row, mutation, rowShape, url)).toEqual(expected)
    expect(mutateBody([row], mutation, listShape, url)).toEqual([expected])
    expect(mutateBody(page, mutation, pageShape, url)).toEqual({ ...page, results: [expected] })
  },
)

test.each([
  ['12:00:00.123456Z', '12:00:00.123Z', '12:00:00Z'],
  ['12:00:00.1Z', '12:00:00.100Z', '12:00:00Z'],
  ['12:00:00Z', '12:00:00.000Z', '12:00:00Z'],
  ['12:00:00.123456+00:00', '12:00:00.123456+00:00', '12:00:00.123456+00:00'],
  ['12:00:00.Z', '12:00:00.Z', '12:00:00.Z'],
  [null, null, null],
])(
  'the time %s with milliseconds is %s, and with whole seconds %s',
  (at, milliseconds, seconds) => {
    const mutate = (kind: MutantKind) => mutateBody({ at }, { kind }, rowShape, url)

    expect([mutate('milliseconds'), mutate('seconds')]).toEqual([
      { at: milliseconds },
      { at: seconds },
    ])
  },
)

test('a value of another type stays', () => {
  const body = { content: 5, owner: null, creator: ['x'] }

  for (const kind of ['long_text', 'right_to_left'] as const)
    expect(mutateBody(body, { kind }, rowShape, url)).toEqual(body)
  expect(mutateBody('x', { kind: 'extra_field' }, rowShape, url)).toBe('x')
})

const next = 'http://localhost/api/rows/?limit=1&offset=1&a=2&a=1'
const page = { count: 2, next, results: [row] }

const pageMutations: readonly [kind: MutantKind, body: unknown, changed: unknown][] = [
  [
    'empty_page',
    page,
    { count: 2, next: 'http://localhost/api/rows/?cursor=1&limit=1', results: [] },
  ],
  ['empty_page', { ...page, results: [] }, undefined],
  ['empty_page', { ...page, results: 'x' }, undefined],
  ['empty_page', [row], undefined],
  ['empty_page', null, undefined],
  [
    'next_parameters',
    page,
    { ...page, next: 'http://localhost/api/rows/?offset=1&limit=1&cursor=1&a=2&a=1' },
  ],
  ['next_parameters', { ...page, next: null }, undefined],
  ['next_parameters', [row], undefined],
  ['next_parameters', null, undefined],
]

test.each(pageMutations)('%s changes the page %j to %j', (kind, body, changed = body) => {
  expect(mutateBody(body, { kind }, pageShape, url)).toEqual(changed)
})

test('a page that was requested by the link of an empty page is not empty', () => {
  const marked = 'http://localhost/api/rows/?cursor=1&limit=1'

  expect(mutateBody(page, { kind: 'empty_page' }, pageShape, marked)).toBe(page)
})

test('the fields of each object of a page, a list or a row are reversed', () => {
  const reverse = (body: unknown, shape: JsonSchema) =>
    JSON.stringify(mutateBody(body, { kind: 'key_order' }, shape, url))
  const short = { id: 1, config: { a: 1, b: 2 }, owner: { first_name: 'A', z: 1 } }
  const reversed = '{"owner":{"z":1,"first_name":"A"},"config":{"a":1,"b":2},"id":1}'

  expect(reverse(short, rowShape)).toBe(reversed)
  expect(reverse([short], listShape)).toBe(`[${reversed}]`)
  expect(reverse({ count: 1, results: [short] }, pageShape)).toBe(
    `{"results":[${reversed}],"count":1}`,
  )
  expect(reverse({ owner: null }, rowShape)).toBe('{"owner":null}')
})

const endpoint = { id: 'listRows', path: '/api/rows' } as const

const texts = ['content', 'owner.first_name', 'creator.name']
const rowPaths: Readonly<Record<MutantKind, readonly string[]>> = {
  null: ['content', 'at', 'config', 'creator'],
  new_value: ['scope'],
  extra_field: ['', 'owner', 'creator'],
  empty_page: [],
  short_page: [],
  row_order: [],
  repeated_row: [],
  empty_text: texts,
  long_text: texts,
  right_to_left: texts,
  empty_map: ['config'],
  large_id: [],
  milliseconds: ['at'],
  seconds: ['at'],
  offset: ['at'],
  key_order: [''],
  slow: [''],
  next_parameters: [],
  charset: [''],
  no_length: [''],
  other_value: [
    ...['content', 'at', 'scope', 'config', 'owner', 'owner.first_name'],
    ...['creator', 'creator.name'],
  ],
}
const pagePaths = {
  ...rowPaths,
  ...{ empty_page: [''], next_parameters: [''] },
}
const noPaths = Object.fromEntries(Object.keys(mutantKinds).map((kind) => [kind, []]))

test.each([
  ['a row', rowShape, rowPaths],
  ['a list', listShape, rowPaths],
  ['a page', pageShape, pagePaths],
  ['nothing', {}, { ...noPaths, slow: [''] }],
])('each kind lists what it can change in %s', (_, shape, expected) => {
  const kinds = Object.keys(mutantKinds) as MutantKind[]

  const paths = kinds.map((kind) => [kind, mutablePaths(kind, endpoint, shape)])

  expect(Object.fromEntries(paths)).toEqual(expected)
})

test('only operations that create a row can have a large id', () => {
  const listOf = (kind: MutantKind, id: string) => [
    listOfLargeId({ kind }, { id } as never),
    mutablePaths(kind, { id, path: '/api/rows' } as never, {}),
  ]

  expect(listOf('large_id', 'createAnnotation')).toEqual(['annotations', ['']])
  expect(listOf('large_id', 'createPlugin')).toEqual(['plugins', ['']])
  expect(listOf('large_id', 'updatePlugin')).toEqual([undefined, []])
  expect(listOf('null', 'createPlugin')).toEqual([undefined, []])
})

const only = (kind: MutantKind, ...fields: string[]) =>
  fields.map((field) => (field === '' ? { kind } : { kind, field }))

/** Every response can be sent like this. */
const sent: readonly Mutation[] = [{ kind: 'slow' }, { kind: 'charset' }, { kind: 'no_length' }]

test('the mutations that would change a body are found', () => {
  const body = { id: 1, content: null, at: '2024-06-15T12:00:00Z', creator: { name: 'B' } }

  expect(findMutations(body, endpoint, rowShape, url)).toEqual([
    { kind: 'null', field: 'at' },
    { kind: 'milliseconds', field: 'at' },
    { kind: 'offset', field: 'at' },
    { kind: 'empty_text', field: 'creator.name' },
    { kind: 'long_text', field: 'creator.name' },
    { kind: 'right_to_left', field: 'creator.name' },
    { kind: 'null', field: 'creator' },
    { kind: 'extra_field', field: 'creator' },
    { kind: 'extra_field' },
    { kind: 'key_order' },
    ...sent,
  ])
})

test('the mutations of a page are found, also those of its links', () => {
  const found = findMutations(
    { ...page, results: [{ scope: 'a' }, { scope: 'b' }] },
    endpoint,
    pageShape,
    url,
  )
  const empty = findMutations({ count: 0, next: null, results: [] }, endpoint, pageShape, url)

  expect(found).toEqual([
    ...only('new_value', 'scope'),
    ...only('extra_field', ''),
    ...only('empty_page', ''),
    ...only('next_parameters', ''),
    ...only('key_order', ''),
    ...sent,
  ])
  expect(empty).toEqual([...only('key_order', ''), ...sent])
  expect(findMutations(null, endpoint, {}, url)).toEqual([{ kind: 'slow' }])
})

test('what a client has just written is neither null nor another text', () => {
  const written = new WrittenFields([
    {
      position: 1,
      list: 'annotations',
      before: undefined,
      after: row,
      cause: { entry: 1 },
      bytes: 0,
    },
  ])
  const mutate = (kind: MutantKind) => mutateBody(row, { kind }, rowShape, url, written)
  const other = { ...row, content: 'Other' }

  expect(mutate('null')).toEqual(row)
  expect(mutate('right_to_left')).toMatchObject({
    content: 'Launch',
    creator: { name: rightToLeft },
  })
  expect(mutate('new_value')).toEqual(row)
  expect(mutate('seconds')).toEqual(row)
  expect(mutate('offset')).toEqual({ ...row, at: '2024-06-15T12:00:00.123456+00:00' })
  expect(mutateBody(other, { kind: 'null' }, rowShape, url, written)).toEqual({
    ...row,
    content: null,
  })
  const found = findMutations(row, endpoint, rowShape, url, written).map(({ kind, field }) => [
    kind,
    field,
  ])
  expect(found).not.toContainEqual(['null', 'content'])
  expect(found).toContainEqual(['offset', 'at'])
})
