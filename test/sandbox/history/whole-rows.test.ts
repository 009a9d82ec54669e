import { expect, test } from 'vitest'
import { annotationRow } from '../../support/api/annotation.ts'
import { acme, annotationsPath, noon } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const edited = { edit: 'world' }
const long = 'phx_0123456789abcdef1234'

test('why shows an organization with its id, and which fields were edited', async () => {
  const { simulator } = await start({ world: 'empty' })
  const { organizations } = simulator.world
  organizations.update(acme, { name: 'Other' })
  organizations.update(acme, { plugins_access_level: 3 })
  organizations.update(acme, { plugins_access_level: 9 })
  organizations.update(acme, { name: 'Other' })

  const row = { id: acme, name: 'Other', plugins_access_level: 9 }
  expect(simulator.why('organization', acme)).toEqual({
    list: 'organizations',
    id: acme,
    row,
    removed: null,
    fields: [
      { field: 'id', value: acme, since: 'initial' },
      { field: 'name', value: 'Other', since: edited },
      { field: 'plugins_access_level', value: 9, since: edited },
    ],
  })
})

test('why masks a key, its id and a label that is the key', async () => {
  const { simulator } = await start({ world: 'empty' })
  simulator.keys.issue({ value: long, label: long, scopes: ['project:read'] })
  const row = {
    value: 'phx_…1234',
    label: 'phx_…1234',
    user: 1,
    scopes: ['project:read'],
    projects: [],
    organizations: [],
  }
  const fields = Object.entries(row).map(([field, value]) => ({ field, value, since: edited }))

  const issued = simulator.why('key', long)
  simulator.keys.revoke(long)
  const revoked = simulator.why('keys', long)

  const shown = { list: 'keys', id: 'phx_…1234', fields }
  expect(issued).toEqual({ ...shown, row, removed: null })
  expect(revoked).toEqual({ ...shown, row: null, removed: edited })
})

test('why shows the last fields of a row that a request removed, and what wrote each of them', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const { plugins, plugin_configs } = simulator.world
  const { id: plugin } = plugins.create({ name: 'Given' })
  const { id } = plugin_configs.create({ plugin, project: 1, order: 2 })
  simulator.faults.add({
    operation: 'listPlugins',
    effect: { edit: [{ update: { plugins: [{ id: plugin, name: 'Theirs' }] } }] },
  })
  await ask('GET', `/api/organizations/${acme}/plugins/`)
  await ask('DELETE', `/api/organizations/${acme}/plugins/${plugin}/`)

  const key = { label: 'all', value: 'phx_…' }
  const removed = { entry: 2, operation: 'deletePlugin', at: noon, key }
  const [config, removedPlugin] = [
    simulator.why('plugin_config', id),
    simulator.why('plugin', plugin),
  ]
  expect(config).toMatchObject({ list: 'plugin_configs', id, row: null, removed })
  expect(config?.fields).toContainEqual({ field: 'order', value: 2, since: edited })
  expect(removedPlugin).toMatchObject({ list: 'plugins', id: plugin, row: null, removed })
  expect(removedPlugin?.fields.filter(({ since }) => !('edit' in Object(since)))).toEqual([
    { field: 'name', value: 'Theirs', since: { fault: 'fault-1' } },
  ])
})

test('a row that is created again has all of its fields from then on, although some are equal', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const { annotations } = simulator.world
  annotations.create({ id: 5, content: 'Same' })
  simulator.faults.add({
    operation: 'listAnnotations',
    effect: { edit: [{ update: { annotations: [{ id: 5, content: 'Theirs' }] } }] },
  })
  await ask('GET', annotationsPath)
  annotations.delete(5)
  annotations.create({ id: 5, content: 'Theirs' })

  const { fields = [], removed } = simulator.why('annotation', 5) ?? {}

  expect(removed).toBeNull()
  expect(new Set(fields.map(({ since }) => since))).toEqual(new Set([edited]))
  expect(fields).toHaveLength(Object.keys(annotationRow()).length)
})
