import { expect, test } from 'vitest'
import { mapValues, mapValuesToCopy } from '../../../src/utils/json.ts'

test('mapValues returns the same object if no value changes', () => {
  const row = { id: 1, tags: ['a'] }

  expect(mapValues(row, (value) => value)).toBe(row)
  expect(mapValues(row.tags, (value) => value)).toBe(row.tags)
})

test('mapValues returns a copy with the new values and leaves the original unchanged', () => {
  const row = JSON.parse('{"id":1,"__proto__":{"a":1},"content":"Launch"}')
  const tags = ['a', 'b', 'c']

  const mapped = mapValues(row, (value, name) => (name === '__proto__' ? 2 : value))

  expect(JSON.stringify(mapped)).toBe('{"id":1,"__proto__":2,"content":"Launch"}')
  expect(JSON.stringify(row)).toBe('{"id":1,"__proto__":{"a":1},"content":"Launch"}')
  expect(mapValues(tags, (value, name) => (name === '1' ? 'x' : value))).toEqual(['a', 'x', 'c'])
  expect(tags).toEqual(['a', 'b', 'c'])
})

test('mapValuesToCopy returns a copy even if no value changes', () => {
  const row = { id: 1 }

  expect(mapValuesToCopy(row, (value) => value)).toEqual(row)
  expect(mapValuesToCopy(row, (value) => value)).not.toBe(row)
  expect(mapValuesToCopy([1], (value) => value)).toEqual([1])
})
