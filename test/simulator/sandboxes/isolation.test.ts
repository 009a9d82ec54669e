import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'

test('what a sandbox returns is a copy: a change of it affects no other world', () => {
  const simulator = createSimulator()
  const { id, keys } = simulator.sandboxes.create()
  const { settings } = simulator.sandboxes.get(id) as Simulator

  for (const { scopes } of keys) (scopes as string[] | null)?.push('changed')
  Object.assign(settings.values, { 'annotations.delete.status': 403 })

  const other = createSimulator()
  expect(simulator.keys.list()).toEqual(other.keys.list())
  expect(JSON.stringify(other.keys.list())).not.toContain('changed')
  expect(settings.values).toEqual(other.settings.values)
  expect(simulator.settings.values).toEqual(other.settings.values)
})
