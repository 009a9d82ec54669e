import { expect, test } from 'vitest'
import { applyVariant } from '../../../src/analysis/variants/variant.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const row = `${annotationsPath}1/`

test('a variant sets policies, faults and scopes of keys, and a reset restores them', async () => {
  const { ask, simulator } = await start()
  applyVariant(simulator, {
    policies: { 'annotations.delete.status': '404' },
    faults: [{ operation: 'listPlugins', effect: { error: 'server_error' } }],
    keys: [{ key: 'all', scopes: ['*'], newScopes: ['annotation:write', 'plugin:read'] }],
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

test('a variant gives other scopes to the key that it names, and to no other one', async () => {
  const { simulator } = await start()
  const before = simulator.keys.list()
  const newScopes = ['annotation:read']

  applyVariant(simulator, { keys: [{ key: 'all', scopes: ['*'], newScopes }] })

  expect(simulator.keys.list()).toEqual(
    before.map((key) => (key.value === 'phx_all' ? { ...key, scopes: newScopes } : key)),
  )
})
