import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { annotationRow } from '../../support/api/annotation.ts'
import { idsOf } from '../../support/api/page.ts'
import { acme, noon as clock } from '../../support/api/paths.ts'
import { errorOf } from '../../support/errors.ts'
import { start } from '../../support/transports/start.ts'

test('create completes a row with defaults', () => {
  const { world } = createSimulator({ clock })

  expect(world.annotations.add({ content: 'Launch' })).toEqual(
    annotationRow({ id: 9, content: 'Launch' }),
  )
  expect(world.plugins.add({ name: 'Mine', revision: 3 })).toMatchObject({
    ...{ id: 25, name: 'Mine', config_schema: {}, is_global: false },
    ...{ organization: acme, source: {}, revision: 3 },
  })
  expect(world.dashboard_items.add()).toMatchObject({ id: 13, project: 1, name: null })
  expect(world.users.add({ first_name: 'Zoë' })).toMatchObject({
    ...{ id: 3, first_name: 'Zoë', organizations: [acme] },
    ...{ is_active: true, current_project: null },
  })
  expect(world.projects.add()).toMatchObject({ id: 3, organization: acme, name: 'Project 3' })
  expect(world.organizations.add()).toMatchObject({ plugins_access_level: 9 })
  expect(world.plugin_configs.add({ plugin: 21 })).toMatchObject({ id: 33, enabled: true })
  expect(world.activity.add({ activity: 'installed', item_id: '21' })).toMatchObject({
    id: 43,
    scope: 'Plugin',
    detail: {},
    created_at: clock,
  })
})

test('returned rows are copies, and written rows are copied', () => {
  const { world } = createSimulator()
  const config_schema = { deep: { mine: true } }
  const { id } = world.plugins.add({ config_schema })
  const row = world.plugins.get(id)
  const listed = [...world.plugins.list(), ...world.find('plugins').rows]
  const exported = world.toJSON()
  const before = JSON.stringify(exported)

  config_schema.deep.mine = false
  Object.assign(row ?? {}, { name: 'changed' })
  for (const { config_schema } of listed) spoil(config_schema)
  for (const rows of Object.values(exported).filter(Array.isArray)) {
    for (const row of rows) for (const field of Object.values(row)) spoil(field)
  }

  expect(JSON.stringify(world.toJSON())).toBe(before)
  expect(world.plugins.get(id)?.config_schema).toEqual({ deep: { mine: true } })
})

test('list returns rows by ascending id, also soft-deleted ones, and delete is permanent', () => {
  const { world } = createSimulator()

  expect(world.annotations.list().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(world.annotations.count).toBe(8)
  expect(world.annotations.delete(8)).toBe(true)
  expect(world.annotations.delete(8)).toBe(false)
  expect(world.annotations.get(8)).toBeUndefined()
  expect(world.annotations.add().id).toBe(9)
})

test('ids are not used again, neither numbers nor UUIDs', () => {
  const { world } = createSimulator()
  const created = [world.organizations.add(), world.organizations.add()]
  world.organizations.delete(created[0]?.id ?? '')

  const another = world.organizations.add()

  expect(another.id).not.toBe(created[1]?.id)
  expect(world.organizations.count).toBe(3)
  const highest = world.users.add({ id: 100 })
  world.users.delete(highest.id)
  expect(world.users.add().id).toBe(101)
  expect(() => world.users.update(101, { id: 7 })).toThrow(/the id of a row cannot change/)
})

test('annotations move with their project to another organization', async () => {
  const { ask, simulator } = await start()
  const { world } = simulator
  const other = world.organizations.add()
  world.users.update(1, { organizations: [acme, other.id] })
  const beside = world.projects.add({ organization: other.id })

  world.annotations.update(1, { scope: 'organization' })
  world.projects.update(2, { organization: other.id })

  const idsIn = async (id: number) => idsOf(await ask('GET', `/api/projects/${id}/annotations/`))
  expect(await idsIn(1)).not.toContain(3)
  expect(await idsIn(2)).toEqual([7, 3])
  expect(await idsIn(beside.id)).toEqual([3])
})

test('the text of a world is its JSON, with one row per line', () => {
  const { world } = createSimulator()
  const rows = Object.values(world.toJSON()).filter(Array.isArray).flat()

  const [, ...lines] = world.toText().split('\n')

  expect(JSON.parse(world.toText())).toEqual(world.toJSON())
  expect(lines.filter((line) => line.startsWith('{'))).toHaveLength(rows.length)
})

function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) value.push('spoilt')
  else Object.assign(value, { spoilt: true })
}

test('a row that others reference cannot be deleted: the error about its id names ten of them', () => {
  const { world } = createSimulator()

  const { field, issues } = errorOf(() => world.projects.delete(1))

  expect([field, issues.length]).toEqual(['id', 10])
  expect(issues).toContain('id: keys phx_project_1 references it (projects)')
})
