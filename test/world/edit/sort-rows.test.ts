import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { annotationFields } from '../../support/api/annotation.ts'

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
    expect(simulator.world.find('annotations', { sort }).rows).toEqual(rows.slice(0, 50))
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
  const known = `Failed to sort rows: expected one of ${annotationFields()}`
  expect(() => world.find('annotations', { sort: '' })).toThrow(`${known}, got "".`)
  expect(() => world.find('annotations', { sort: '--content' })).toThrow(
    `${known}, got "-content". Did you mean content?`,
  )
})
