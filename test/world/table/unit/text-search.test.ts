import { expect, test } from 'vitest'
import { daily, ids, listOf } from './notes.ts'

test('a search finds the rows that contain every term, in order, with an exact size', () => {
  const hits = listOf(daily(100_000)).search(['release', '777'])
  expect(hits.size).toBe(
    daily(100_000).filter(({ id }) => id % 3 === 0 && `${id}`.includes('777')).length,
  )
  expect(ids(hits.slice(0, 3))).toEqual([99777, 97779, 97776])
  expect(ids(hits.slice(hits.size - 2, 10))).toEqual([3777, 777])
  expect(hits.at(1)?.id).toBe(97779)
})

test('the order and the repetition of terms do not matter', () => {
  const list = listOf(daily(3000))
  const hits = ids(list.search(['release', '12']).slice(0, 10))
  expect(ids(list.search(['12', 'release', '12']).slice(0, 10))).toEqual(hits)
})

test('a search without terms returns the list, and a term without a match returns nothing', () => {
  const list = listOf(daily(3))
  expect(list.search([])).toBe(list)
  expect([list.search(['nowhere']).size, list.search(['nowhere']).slice(0, 9)]).toEqual([0, []])
})

test('a search never finds a row without a text, or a match across two rows', () => {
  const list = listOf([
    { id: 3, day: 3, text: 'ab' },
    { id: 2, day: 2, text: null },
    { id: 1, day: 1, text: 'cd\u0000null' },
  ])
  const hits = ['ab', 'bc', 'null', '\u0000', 'd'].map((term) =>
    ids(list.search([term]).slice(0, 9)),
  )
  expect(hits).toEqual([[3], [], [1], [1], [1]])
})

test('a write does not change an earlier result, and the next search sees it', () => {
  const list = listOf(daily(6))
  const hits = list.search(['release'])
  list.replace({ id: 6, day: 6, text: null }, { id: 6, day: 6, text: 'campaign' })
  list.insert({ id: 7, day: 7, text: 'release 7' })
  expect(ids(hits.slice(0, 9))).toEqual([6, 3])
  expect(ids(list.search(['release']).slice(0, 9))).toEqual([7, 3])
})

test('hits can be searched', () => {
  const hits = listOf(daily(3000)).search(['release']).search(['99'])
  expect(ids(hits.search(['29']).slice(0, 9))).toEqual([2997, 2994, 2991, 1299])
})

test('each text is read once, and after a write only the texts around the change', () => {
  let reads = 0
  const text = ({ id }: { id: number }) => {
    reads += 1
    return `release ${id}`
  }
  const list = listOf(daily(5000), { text })
  list.search(['release', '12'])
  for (let round = 0; round < 20; round++) list.search([`${round}`])
  expect(reads).toBe(5000)

  list.remove({ id: 2500, day: 2500, text: null })
  list.search(['12'])
  expect(reads).toBeLessThan(5000 + 1024)
})
