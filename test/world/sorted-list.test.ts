import { expect, test } from 'vitest'
import { mergeLists, SortedList } from '../../src/world/sorted-list.ts'
import { createRandom } from '../support/random.ts'

interface Note {
  readonly at: number
  readonly id: number
}

/** The latest first; equal ones by id. */
const compare = (a: Note, b: Note): number => b.at - a.at || a.id - b.id

test.each([
  ['an empty list', 0],
  ['a list of many rows', 5_000],
])(
  '%s that its owner changes at random is in order, and one that has no owner any more keeps its rows',
  (_, size) => {
    const random = createRandom(1)
    const notes = Array.from({ length: size }, (_, index) => ({ at: 40 + (index % 9), id: index }))
    const rows = new Map(notes.map((note) => [`${note.at} ${note.id}`, note]))
    let worlds = [{ list: SortedList.of(compare, notes.toSorted(compare)), rows, owner: {} }]
    for (let step = 0; step < 3_000; step++) {
      const world = random.pick(worlds)
      const note = { at: random.below(40), id: random.below(80) }
      const key = `${note.at} ${note.id}`
      const isAdded = random.below(3) > 0
      const { list, before } = isAdded
        ? world.list.with(note, world.owner)
        : world.list.without(note, world.owner)
      expect(before).toBe(world.rows.get(key))
      world.list = list
      if (isAdded) world.rows.set(key, note)
      else world.rows.delete(key)
      if (step % 250 === 249) {
        world.owner = {}
        worlds = [...worlds.slice(-3), { ...world, rows: new Map(world.rows), owner: {} }]
      }
    }
    for (const { list, rows } of worlds) {
      const sorted = [...rows.values()].sort(compare)
      expect([...list]).toEqual(sorted)
      expect(list.size).toBe(sorted.length)
      for (const offset of [0, 1, 511, 512, 513, 1_500, 4_950]) {
        expect(list.slice(offset, 100)).toEqual(sorted.slice(offset, offset + 100))
      }
      expect(sorted.map((row) => list.find({ ...row }))).toEqual(sorted)
      expect(list.find({ at: 39, id: -1 })).toBeUndefined()
    }
  },
)

test('a page of two lists is the page of all their rows', () => {
  const random = createRandom(2)
  const notes = Array.from({ length: 3_000 }, (_, id) => ({ at: random.below(50), id }))
  const sorted = notes.sort(compare)
  const isLeft = ({ id }: Note): boolean => id % 5 === 0
  const left = SortedList.of(compare, sorted.filter(isLeft))
  const right = SortedList.of(
    compare,
    sorted.filter((note) => !isLeft(note)),
  )
  const both = mergeLists(left, right, compare)

  expect(both.size).toBe(3_000)
  expect(both.slice(0, 3_000)).toEqual(sorted)
  for (let page = 0; page < 300; page++) {
    const [offset, limit] = [random.below(3_200), random.below(700)]
    expect(both.slice(offset, limit)).toEqual(sorted.slice(offset, offset + limit))
  }
})

test('a page of two lists is made of the chunks of both, as long as no row of the other list comes between', () => {
  const notes = Array.from({ length: 400 }, (_, id) => ({ at: 0, id }))
  const few = [10, 11, 200].map((id) => ({ at: 0, id }))
  const fewer = SortedList.of(compare, few)
  const rest = SortedList.of(
    compare,
    notes.filter(({ id }) => !few.some((note) => note.id === id)),
  )

  const runs = mergeLists(rest, fewer, compare).runs(5, 200)

  const chunks = [...rest.runs(0, 400), ...fewer.runs(0, 3)].map(({ chunk }) => chunk)
  expect(runs.every(({ chunk }) => chunks.includes(chunk))).toBe(true)
  expect(runs.map(({ chunk, from, to }) => [chunk[from]?.id, chunk[to - 1]?.id])).toEqual([
    [5, 9],
    [10, 11],
    [12, 65],
    [66, 129],
    [130, 193],
    [194, 199],
    [200, 200],
    [201, 204],
  ])
})
