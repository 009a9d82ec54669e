import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../../src/http/fields/body-fields.ts'
import {
  listFields,
  mapFields,
  rowShapeOf,
} from '../../../../src/sandbox/faults/response-fields.ts'
import { listShape, pageShape, row, rowShape } from '../mutable-shapes.ts'

test('a response without a row has no fields', () => {
  const page = { properties: { next: {}, results: { type: 'array', items: { type: 'string' } } } }

  for (const shape of [{}, { type: 'array', items: { type: 'string' } }, page]) {
    expect(rowShapeOf(shape)).toBeUndefined()
    expect(listFields(shape)).toEqual([])
  }
})

/** Marks each text with its path. */
function mark(body: unknown, shape: JsonSchema) {
  return mapFields(body, shape, (value, { path }) =>
    typeof value === 'string' ? `${path}: ${value}` : value,
  )
}

const markedRow = {
  ...row,
  content: 'content: Launch',
  at: `at: ${row.at}`,
  scope: 'scope: project',
  owner: { first_name: 'owner.first_name: A' },
  creator: { name: 'creator.name: B', extra: 1 },
}

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
  expect(mark(body, shape)).toEqual(expected)
})

test('a field named __proto__ is copied', () => {
  const body = JSON.parse('{"__proto__":{"a":1},"scope":"x"}')

  expect(JSON.stringify(mark(body, rowShape))).toBe('{"__proto__":{"a":1},"scope":"scope: x"}')
})
