import { expect, test } from 'vitest'
import { applyVariant } from '../../src/sweep/variant.ts'
import { annotationPath as row } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

test('a variant sets settings, and a reset restores them', async () => {
  const { ask, simulator } = await start()
  applyVariant(simulator, { settings: { 'annotations.delete.status': '404' } })

  expect(await ask('DELETE', row)).toMatchObject({ status: 404 })
  simulator.reset()
  expect(await ask('DELETE', row)).toMatchObject({ status: 404 })
})
