import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../../src/http/fields/shape.ts'
import {
  isPage,
  isRecord,
  isTime,
  listFields,
  mapFields,
  rowShapeOf,
} from '../../../../src/sandbox/faults/response-fields.ts'
import { listShape, pageShape, row, rowShape } from '../mutable-shapes.ts'

const { properties } = rowShape
const [, creator] = properties.creator.anyOf
const fields = [
  { path: '', name: '', schema: rowShape },
  { path: 'id', name: 'id', schema: properties.id },
  { path: 'content', name: 'content', schema: properties.content },
  { path: 'at', name: 'at', schema: properties.at },
  { path: 'scope', name: 'scope', schema: properties.scope },
  { path: 'config', name: 'config', schema: properties.config },
  { path: 'owner', name: 'owner', schema: properties.owner },
  { path: 'owner.first_name', name: 'first_name', schema: { type: 'string' } },
  { path: 'creator', name: 'creator', schema: properties.creator },
  { path: 'creator.name', name: 'name', schema: { type: 'string' } },
]

test('the fields of a row, a list and a page are those of the row', () => {
  expect(listFields(rowShape)).toEqual(fields)
  expect(listFields(listShape)).toEqual(fields)
  expect(listFields(pageShape)).toEqual(fields)
})

test('a response without a row has no fields', () => {
  const page = { properties: { next: {}, results: { type: 'array', items: { type: 'string' } } } }

  for (const shape of [{}, { type: 'array', items: { type: 'string' } }, page]) {
    expect(rowShapeOf(shape)).toBeUndefined()
    expect(listFields(shape)).toEqual([])
  }
})

test.each([
  [rowShape, false, true],
  [pageShape, true, true],
  [listShape, false, false],
  [{ properties: { next: {} } }, false, true],
  [{ properties: { results: {} } }, false, true],
  [properties.creator, false, true],
  [creator, false, true],
  [properties.at, false, false],
  [{}, false, false],
])('the shape %j is a page: %s, and has named fields: %s', (schema, page, record) => {
  expect(isPage(schema as JsonSchema)).toBe(page)
  expect(isRecord({ path: '', name: '', schema: schema as JsonSchema })).toBe(record)
})

test('only texts with the format of a time are times', () => {
  expect(fields.filter(isTime).map(({ path }) => path)).toEqual(['at'])
})

/** Marks each value with its path, and lists what was replaced. */
function mark(body: unknown, shape: JsonSchema) {
  const calls: unknown[][] = []
  const marked = mapFields(body, shape, (value, { path }, whole) => {
    calls.push([path, value, whole])
    return typeof value === 'string' ? `${path}: ${value}` : value
  })
  return { marked, calls }
}

const markedRow = {
  ...row,
  content: 'content: Launch',
  at: `at: ${row.at}`,
  scope: 'scope: project',
  owner: { first_name: 'owner.first_name: A' },
  creator: { name: 'creator.name: B', extra: 1 },
}

test('the inner fields are replaced first, and each one comes with its row', () => {
  const { marked, calls } = mark(row, rowShape)

  expect(marked).toEqual(markedRow)
  expect(calls).toEqual([
    ['id', 1, row],
    ['content', 'Launch', row],
    ['at', row.at, row],
    ['scope', 'project', row],
    ['config', { name: 'x' }, row],
    ['owner.first_name', 'A', row],
    ['owner', { first_name: 'owner.first_name: A' }, row],
    ['creator.name', 'B', row],
    ['creator', { name: 'creator.name: B', extra: 1 }, row],
    ['', markedRow, row],
  ])
})

test.each([
  ['a list', [row, row], listShape, [markedRow, markedRow]],
  [
    'a page',
    { count: 1, next: 'x', results: [row], results_of: row },
    pageShape,
    { count: 1, next: 'x', results: [markedRow], results_of: row },
  ],
  ['a page that is a text', 'page', pageShape, 'page'],
  ['a page whose rows are a text', { results: 'x' }, pageShape, { results: ': x' }],
  ['a list that is a row', row, listShape, row],
  ['a row that is null', null, rowShape, null],
  ['a row that is a text', 'x', rowShape, ': x'],
  ['an object that is null', { creator: null }, rowShape, { creator: null }],
  ['an object that is a list', { owner: ['A'] }, rowShape, { owner: ['A'] }],
  ['an undescribed field', { extra: 'x' }, rowShape, { extra: 'x' }],
  ['an inherited name', { toString: 'x' }, rowShape, { toString: 'x' }],
  ['a list without a described item', ['x'], {}, [': x']],
])('%s is mapped by its shape', (_, body, shape, expected) => {
  expect(mark(body, shape).marked).toEqual(expected)
})

test('a field named __proto__ is copied', () => {
  const body = JSON.parse('{"__proto__":{"a":1},"scope":"x"}')

  expect(JSON.stringify(mark(body, rowShape).marked)).toBe(
    '{"__proto__":{"a":1},"scope":"scope: x"}',
  )
})
