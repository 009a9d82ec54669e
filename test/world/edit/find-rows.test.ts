import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import type { RowQuery } from '../../../src/world/edit/world-access.ts'

const marker = '2024-06-10T00:00:00Z'

/** A world with four annotations in two projects: one is deleted, and one has no date marker. */
function worldOfFour() {
  const simulator = createSimulator({ world: 'empty' })
  const { id: other } = simulator.world.projects.add({ name: 'Other' })
  simulator.world.add({
    annotations: [
      { content: 'Big launch', date_marker: marker, scope: 'project' },
      { content: 'Small launch', date_marker: '2024-06-12T00:00:00Z', scope: 'organization' },
      { content: 'Undated', date_marker: null, scope: 'project', deleted: true },
      { content: 'Launch, bigger', date_marker: marker, scope: 'project', project: other },
    ],
  })
  return simulator.world
}

const queries: readonly (readonly [RowQuery, readonly number[]])[] = [
  [{}, [3, 2, 4, 1]],
  [{ project: 1 }, [3, 2, 1]],
  [{ scope: 'organization' }, [2]],
  [{ deleted: true }, [3]],
  [{ deleted: false }, [2, 4, 1]],
  [{ deleted: false, scope: 'project' }, [4, 1]],
  [{ search: 'LAUNCH' }, [2, 4, 1]],
  [{ search: 'launch, big' }, [4, 1]],
  [{ search: 'launch', project: 1, scope: 'project' }, [1]],
  [{ scope: 'project', offset: 1, limit: 1 }, [4]],
  [{ scope: 'project', offset: 1 }, [4, 1]],
  [{ offset: 1, limit: 2 }, [2, 4]],
]

test.each(queries)('the query %j finds the annotations %j', (query, ids) => {
  const world = worldOfFour()

  const { count, rows } = world.find('annotations', query)

  expect(rows.map(({ id }) => id)).toEqual(ids)
  const { offset: _, limit: __, ...filters } = query
  expect(count).toBe(world.find('annotations', filters).rows.length)
  world.add({ annotations: Array.from({ length: 50 }, () => ({})) })
  expect(world.find('annotations').rows).toHaveLength(50)
})

test('other lists are searched for each word in all texts and numbers but the source code', () => {
  const { world } = createSimulator({ world: 'empty' })
  const source = { 'index.ts': 'needle' }
  const plugin = world.plugins.add({ name: 'Sieve', tag: '1.7', config_schema: { size: 4711 } })
  const two = world.plugins.add({ name: 'Sieve 2', plugin_type: 'source', url: null, source })
  const idsOf = (search: string) => world.find('plugins', { search })

  expect(idsOf('sieve')).toEqual({ count: 2, rows: [plugin, two] })
  expect(idsOf('SIEVE 4711')).toEqual({ count: 1, rows: [plugin] })
  expect(idsOf('1.7')).toEqual({ count: 1, rows: [plugin] })
  expect(idsOf('source sieve')).toEqual({ count: 1, rows: [two] })
  for (const nothing of ['needle', 'sieve x', 'Sieve1.7', 'sourcesieve']) {
    expect.soft(idsOf(nothing)).toEqual({ count: 0, rows: [] })
  }
  expect(world.find('plugins', { limit: 1 })).toEqual({ count: 2, rows: [plugin] })
  expect(world.find('plugins', { offset: 1, limit: 5 })).toEqual({ count: 2, rows: [two] })
})

test('a wrong query names its field', () => {
  const run = (query: object) => createSimulator().world.find('users', query)
  expect(() => run({ limit: 0.5 })).toThrow(
    expect.objectContaining({
      field: 'limit',
      message: 'Failed to find rows.\n  limit: expected int, got 0.5',
    }),
  )
  expect(() => run({ limit: 1_001 })).toThrow(/limit: expected at most 1000/)
  expect(() => run({ nothing: 1 })).toThrow(
    'Failed to find rows.\n  nothing: unknown field. Allowed: search, offset, limit',
  )
})
