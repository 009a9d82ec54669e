import { expect, test } from 'vitest'
import { applyVariant } from '../../../src/analysis/variants/variant.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const row = `${annotationsPath}1/`

test('a variant sets policies, faults and scopes, and a reset restores them', async () => {
  const { ask, simulator } = await start()
  applyVariant(simulator, {
    policies: { 'annotations.delete.status': '404' },
    faults: [{ operation: 'listPlugins', effect: { error: 'server_error' } }],
    scopes: ['annotation:write', 'plugin:read'],
  })
  const statuses = async () => [
    (await ask('DELETE', row)).status,
    (await ask('GET', row)).status,
    (await ask('GET', `/api/organizations/${simulator.defaults.organization_id}/plugins/`)).status,
  ]

  expect(await statuses()).toEqual([404, 403, 500])
  simulator.reset()
  expect(await statuses()).toEqual([404, 403, 500])
})

test('a key keeps those of its scopes that a variant has', async () => {
  const { simulator } = await start()
  applyVariant(simulator, { scopes: ['annotation:read'] })

  const scopes = simulator.keys.list().map(({ value, scopes }) => [value, scopes?.join()])

  expect(new Set(scopes.map(([, list]) => list))).toEqual(new Set(['annotation:read', '']))
  expect(Object.fromEntries(scopes)).toMatchObject({
    phx_all: 'annotation:read',
    phx_annotation_read: 'annotation:read',
    phx_annotation_write: '',
    phx_plugin_read: '',
  })
})

test('where an empty list of scopes is full access, a key keeps a scope that opens nothing', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const list = async (key: string) => (await ask('GET', annotationsPath, { key })).status
  const before = await list('phx_none')
  applyVariant(simulator, { scopes: [] })

  expect([before, await list('phx_none'), await list('phx_all')]).toEqual([200, 403, 403])
})
