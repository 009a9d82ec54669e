import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'

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

test.each(['content', '-content'])(
  'many rows without a value come last in the order %s',
  (sort) => {
    const simulator = createSimulator({ world: 'empty' })
    const contents = Array.from({ length: 200 }, (_, index) =>
      index % 3 ? `${(index * 37) % 101}` : null,
    )
    simulator.world.add({ annotations: contents.map((content) => ({ content })) })

    const { rows } = simulator.world.find('annotations', { sort, limit: 200 })

    const sorted = contents.filter((content) => content !== null).sort()
    const values = rows.map(({ content }) => content)
    expect(values.slice(0, sorted.length)).toEqual(
      sort === 'content' ? sorted : sorted.toReversed(),
    )
    expect(new Set(values.slice(sorted.length))).toEqual(new Set([null]))
  },
)

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
  expect(() => world.find('annotations', { sort: '' })).toThrow(
    'Failed to sort rows: expected one of id, content, date_marker, creation_type, dashboard_item, created_by, created_at, updated_at, deleted, scope, project, got "".',
  )
  expect(() => world.find('annotations', { sort: 'con-tent' })).toThrow(
    'Failed to sort rows: expected one of id, content, date_marker, creation_type, dashboard_item, created_by, created_at, updated_at, deleted, scope, project, got "con-tent". Did you mean content?',
  )
  expect(() => world.find('annotations', { sort: '--content' })).toThrow(
    'Failed to sort rows: expected one of id, content, date_marker, creation_type, dashboard_item, created_by, created_at, updated_at, deleted, scope, project, got "-content". Did you mean content?',
  )
})
