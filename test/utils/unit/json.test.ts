import { expect, test } from 'vitest'
import { mapValues, mapValuesToCopy } from '../../../src/utils/json.ts'

test('a value in which nothing is another stays the same one', () => {
  const row = { id: 1, tags: ['a'] }

  expect(mapValues(row, (inner) => inner)).toBe(row)
  expect(mapValues(row.tags, (inner) => inner)).toBe(row.tags)
})

test('what is another stands in a copy, and what was given stays as it is', () => {
  const row = JSON.parse('{"id":1,"__proto__":{"a":1},"content":"Launch"}')
  const tags = ['a', 'b', 'c']

  const changed = mapValues(row, (inner, name) => (name === '__proto__' ? 2 : inner))

  expect(JSON.stringify(changed)).toBe('{"id":1,"__proto__":2,"content":"Launch"}')
  expect(JSON.stringify(row)).toBe('{"id":1,"__proto__":{"a":1},"content":"Launch"}')
  expect(mapValues(tags, (inner, name) => (name === '1' ? 'x' : inner))).toEqual(['a', 'x', 'c'])
  expect(tags).toEqual(['a', 'b', 'c'])
})

test('a copy is another one also where nothing is', () => {
  const row = { id: 1 }

  expect(mapValuesToCopy(row, (inner) => inner)).toEqual(row)
  expect(mapValuesToCopy(row, (inner) => inner)).not.toBe(row)
  expect(mapValuesToCopy([1], (inner) => inner)).toEqual([1])
})
