import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/simulator.ts'
import { sortRows } from '../../../../src/world/edit/sort-rows.ts'

test('annotations are sorted by a field, and those without a value come last', () => {
  const { world } = createSimulator()
  const dates = (sort: string) =>
    world.find('annotations', { sort }).rows.map(({ date_marker }) => date_marker)
  const dated = world.annotations
    .list()
    .flatMap(({ date_marker }) => (date_marker === null ? [] : [date_marker]))
    .sort()

  const undated = Array(world.annotations.count - dated.length).fill(null)

  expect(undated).not.toEqual([])
  expect(dates('date_marker')).toEqual([...dated, ...undated])
  expect(dates('-date_marker')).toEqual([...dated.toReversed(), ...undated])
})

test('sorting applies to a filtered list before it is divided into pages', () => {
  const { world } = createSimulator()
  const ids = (offset: number) =>
    world
      .find('annotations', { project: 1, sort: '-id', offset, limit: 2 })
      .rows.map(({ id }) => id)
  const all = world.annotations.list().filter(({ project }) => project === 1)

  expect([...ids(0), ...ids(2)]).toEqual(
    all
      .map(({ id }) => id)
      .sort((a, b) => b - a)
      .slice(0, 4),
  )
})

test.each(['value', '-value'])('many rows without a value come last in the order %s', (sort) => {
  const rows = Array.from({ length: 200 }, (_, id) => ({
    id,
    value: id % 3 ? (id * 37) % 101 : null,
  }))

  const values = sortRows(rows, sort, (row) => row).map(({ value }) => value)

  const sorted = rows.flatMap(({ value }) => value ?? []).sort((a, b) => a - b)
  expect(values.slice(0, sorted.length)).toEqual(sort === 'value' ? sorted : sorted.toReversed())
  expect(new Set(values.slice(sorted.length))).toEqual(new Set([null]))
})

test('other lists are sorted by texts, numbers and lists', () => {
  const { world } = createSimulator()
  world.users.update(1, { organizations: [] })

  const names = world.find('users', { sort: '-first_name' }).rows.map((row) => row.first_name)
  const ids = (sort: string) => world.find('users', { sort }).rows.map(({ id }) => id)

  expect(names).toEqual(['Noor', 'Ada'])
  expect([ids('id'), ids('-id'), ids('organizations')]).toEqual([
    [1, 2],
    [2, 1],
    [2, 1],
  ])
})

test('an unknown field to sort by suggests the nearest one', () => {
  const { world } = createSimulator()

  expect(() => world.find('annotations', { sort: '-date_maker' })).toThrow(/date_marker/)
  expect(() => world.find('annotations', { sort: '' })).toThrow('Failed to sort rows')
})
