import { expect, test } from 'vitest'
import { factories, generate } from '../../../src/factories.ts'
import { createSimulator } from '../../../src/index.ts'
import { annotationRow } from '../../support/api/annotation.ts'

test('a factory creates complete rows, and counts their ids', () => {
  const create = factories()
  const row = create.annotation({ content: 'Launch' })
  expect(Object.keys(row)).toEqual(Object.keys(annotationRow()))
  expect(row).toMatchObject({ id: 1, content: 'Launch', project: 1 })
})

test('world() returns all created rows', () => {
  const create = factories({ seed: 7 })
  const { value } = create.key({ scopes: ['annotation:read'] })
  const launch = create.annotation({ content: 'Launch' })

  const simulator = createSimulator({ world: create.world() })
  expect(simulator.defaults.key).toBe(value)
  expect(simulator.world.annotations.list()).toEqual([launch])
})

test('a row references earlier rows', () => {
  const create = factories()
  const { id: organization } = create.organization({ name: 'Acme' })
  const project = create.project()
  const user = create.user()
  const item = create.dashboard_item()
  const plugin = create.plugin()
  const config = create.plugin_config()
  expect(project.organization).toBe(organization)
  expect(user.organizations).toEqual([organization])
  expect(plugin.organization).toBe(organization)
  expect([item.project, config.project, config.plugin]).toEqual([1, 1, 1])
  expect(create.key({ scopes: null })).toMatchObject({ user: user.id, scopes: null })
  expect(create.activity()).toMatchObject({ item_id: '1', detail: { name: plugin.name } })
})

test('each factory also creates the rows that its row references', () => {
  const { world: _, ...kinds } = factories()
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    const create = factories({ seed: 3 })
    create[kind]()
    expect.soft(() => createSimulator({ world: create.world() }), kind).not.toThrow()
  }
})

test('returned rows are plain objects without symbols, and copies', () => {
  const create = factories()
  const user = create.user()
  expect(Object.getOwnPropertySymbols(user)).toEqual([])
  expect(JSON.parse(JSON.stringify(user))).toStrictEqual(user)
  const row = create.plugin({ config_schema: { host: { type: 'string' } } })
  Object.assign(row, { name: 'changed' })
  Object.assign(row.config_schema as object, { changed: true })
  expect(create.world().plugins?.[0]?.name).not.toBe('changed')
  expect(create.world().plugins?.[0]?.config_schema).toEqual({ host: { type: 'string' } })
})

test('invalid fields are refused by name', () => {
  const create = factories()
  const invalid = { scope: 'team', contents: 'Launch' }
  expect(() => create.annotation(invalid as never)).toThrow(
    [
      'Failed to create a row of annotations.',
      '  annotation.contents: unknown field. Did you mean "content"?',
      '  annotation.scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
    ].join('\n'),
  )
  expect(create.world()).not.toHaveProperty('annotations')
})

test('an invalid seed and an invalid time are refused', () => {
  expect(() => generate({}, { seed: 1.5 })).toThrow(
    'Failed to generate rows: seed: expected int, got 1.5.',
  )
  expect(() => factories({ seed: Number.NaN })).toThrow(
    'Failed to create factories: seed: expected number, got NaN.',
  )
  expect(() => factories({ now: 'yesterday' })).toThrow(
    'Failed to create factories: now: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "yesterday".',
  )
})

test('a factory refuses an id that one of its rows has', () => {
  const create = factories()
  create.annotation({ id: 7 })

  expect(() => create.annotation({ id: 7 })).toThrow(
    'Failed to create a row of annotations: expected an unused id, got 7.',
  )
  expect(create.annotation().id).toBe(8)
})
