import { expect, test } from 'vitest'
import { PackedList } from '../../../src/utils/packed-list.ts'

const packing = {
  pack: (values: readonly unknown[]) => JSON.stringify(values),
  unpack: (packed: unknown) => JSON.parse(packed as string),
}

test.each([
  ['packed', packing],
  ['as they are', undefined],
])('values that are stored %s are read in any order', (_, chosen) => {
  const list = new PackedList<{ readonly number: number }>(chosen)
  const numbers = Array.from({ length: 100 }, (_, number) => number)

  for (const number of numbers) list.push({ number })

  expect(list.length).toBe(100)
  expect(numbers.map((number) => list.at(number))).toEqual(numbers.map((number) => ({ number })))
  expect([99, 0, 50].map((index) => list.at(index))).toEqual([
    { number: 99 },
    { number: 0 },
    { number: 50 },
  ])
})
