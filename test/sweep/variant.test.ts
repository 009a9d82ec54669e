import { expect, test } from 'vitest'
import { applyVariant } from '../../src/sweep/variant.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

const row = `${annotationsPath}1/`

test('a variant sets settings and faults, and a reset restores them', async () => {
  const { ask, simulator } = await start()
  applyVariant(simulator, {
    settings: { 'annotations.delete.status': '404' },
    faults: [{ operation: 'listPlugins', effect: { error: 'server_error' } }],
  })
  const statuses = async () => [
    (await ask('DELETE', row)).status,
    (await ask('GET', `/api/organizations/${simulator.defaults.organization_id}/plugins/`)).status,
  ]

  expect(await statuses()).toEqual([404, 500])
  simulator.reset()
  expect(await statuses()).toEqual([404, 500])
})
