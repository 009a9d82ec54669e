import { expect, test } from 'vitest'
import { finish } from '../../../../src/utils/steps.ts'
import { PagedMap } from '../../../../src/world/table/paged-map.ts'
import { createRandom } from '../../../support/random.ts'

function pagesOf(ids: readonly number[]): PagedMap<string> {
  const pages = new PagedMap<string>()
  for (const id of ids) pages.set(id, `row ${id}`)
  return pages
}

test('rows are read by id, and iterated in the order of their ids', () => {
  const pages = pagesOf([7, 9_000_000_000_000, 0, 1, Number.MAX_SAFE_INTEGER])
  pages.set(7, 'seven')
  expect([pages.get(7), pages.get(9_000_000_000_000), pages.get(8)]).toEqual([
    'seven',
    'row 9000000000000',
    undefined,
  ])
  expect([pages.size, [...pages.values()]]).toEqual([
    5,
    ['row 0', 'row 1', 'seven', 'row 9000000000000', 'row 9007199254740991'],
  ])
})

test('a row is deleted once', () => {
  const pages = pagesOf([1, 2, 3])
  expect([pages.delete(2), pages.delete(2), pages.delete(99)]).toEqual([true, false, false])
  expect([pages.size, [...pages.values()]]).toEqual([2, ['row 1', 'row 3']])
})

test('an empty map returns nothing', () => {
  const pages = pagesOf([])
  expect([pages.size, pages.get(0), pages.get(-1), pages.delete(0), [...pages.values()]]).toEqual([
    0,
    undefined,
    undefined,
    false,
    [],
  ])
})

test('a row can be undefined', () => {
  const pages = new PagedMap<undefined>()
  pages.set(4, undefined)
  expect([pages.size, [...pages.values()], pages.delete(4), pages.size]).toEqual([
    1,
    [undefined],
    true,
    0,
  ])
})

test('get returns undefined for an invalid id', () => {
  const pages = pagesOf([1, 2])
  expect([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map((id) => pages.get(id))).toEqual(
    Array(4).fill(undefined),
  )
})

test('set refuses an id that is not a whole number from 0 to 2^53 - 1', () => {
  const refused = [-1, 1.5, Number.NaN, 2 ** 53]
  for (const id of refused) {
    expect(() => pagesOf([]).set(id, 'row')).toThrow(
      `Failed to set a row: expected an id from 0 to 9007199254740991, got ${id}.`,
    )
  }
})

test('rows can be written during an iteration', () => {
  const pages = pagesOf(Array.from({ length: 3000 }, (_, id) => id))
  let read = 0
  for (const row of pages.values()) {
    read += 1
    pages.delete(Number(row.slice(4)))
  }
  expect([read, pages.size]).toEqual([3000, 0])
})

test('a fork and its original do not see each other’s writes', () => {
  const pages = pagesOf([1, 2])
  const fork = pages.fork()
  fork.set(3, 'row 3')
  pages.delete(1)
  const second = fork.fork()
  second.set(1, 'changed')
  fork.delete(2)
  expect([pages, fork, second].map((each) => [each.size, ...each.values()])).toEqual([
    [1, 'row 2'],
    [2, 'row 1', 'row 3'],
    [3, 'changed', 'row 2', 'row 3'],
  ])
})

test('six forked maps equal six Maps after thousands of random writes', () => {
  const random = createRandom(7)
  const randomId = () => random.pick([1, 1, 40, 1_000_003, 2 ** 40]) * random.below(3000)
  const pairs = [{ pages: new PagedMap<number>(), rows: new Map<number, number>() }]
  for (let id = 0; id < 4000; id++) {
    pairs[0]?.pages.set(id, -id)
    pairs[0]?.rows.set(id, -id)
  }

  for (let step = 0; step < 15_000; step++) {
    const { pages, rows } = random.pick(pairs)
    const id = randomId()
    const roll = random.below(1000)
    if (roll < 2) {
      const copy = { pages: pages.fork(), rows: new Map(rows) }
      pairs[Math.min(random.below(6), pairs.length)] = copy
    } else if (roll < 3) {
      const neighbours = [...rows.keys()].filter((known) => known >= id).sort((a, b) => a - b)
      for (const known of neighbours.slice(0, 1500)) {
        expect([pages.delete(known), rows.delete(known)]).toEqual([true, true])
      }
    } else if (roll < 300) {
      expect(pages.delete(id)).toBe(rows.delete(id))
    } else {
      pages.set(id, step)
      rows.set(id, step)
    }

    const other = randomId()
    if (pages.get(other) !== rows.get(other))
      expect(pages.get(other), `step ${step}`).toBe(rows.get(other))
    if (step % 100 > 0) continue
    const expected = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
    expect([pages.size, [...pages.values()]], `step ${step}`).toEqual([rows.size, expected])
  }
  expect(pairs.length).toBe(6)
})

test.each([0, 511, 512, 513, 1024, 1025, 3000])(
  'a map of %i rows has each of them once',
  (count) => {
    const rows = Array.from({ length: count }, (_, index) => ({ id: 2 * index + 1 }))
    const map = finish(PagedMap.of(rows, ({ id }) => id))

    expect([...map.values()]).toEqual(rows)
    expect([map.size, map.get(0), map.get(2 * count - 1)]).toEqual([count, undefined, rows.at(-1)])
    map.set(2 * count + 1, { id: 2 * count + 1 })
    expect([map.size, map.get(2 * count + 1)?.id]).toEqual([count + 1, 2 * count + 1])
  },
)
