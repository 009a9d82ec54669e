import { expect, test } from 'vitest'
import type { SandboxRequest } from '../../../src/simulator/sandboxes/sandboxes.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import type { NewRows } from '../../../src/world/edit/edit-rows.ts'
import { errorOf } from '../../support/errors.ts'

test.each([
  ['numbers', 5, 'annotations[99]: expected object, got 5'],
  ['invalid rows', { scope: 5 }, /^annotations\[99\]\.scope: expected one of /],
])('the check of rows to add ends after a hundred %s', (_, row, last) => {
  const annotations = Array(120).fill(row)

  const add = () => createSimulator().world.add({ annotations })

  const { message, issues } = errorOf(add)
  expect(message).toContain('Failed to add rows: at least 100 problems. Nothing was added.')
  expect(issues).toHaveLength(100)
  expect(issues.at(-1)).toMatch(last)
})

test('an undefined field counts as missing', () => {
  const simulator = createSimulator()

  expect(simulator.world.add({ annotations: undefined } as unknown as NewRows)).toEqual({})
  expect(simulator.sandboxes.create({ from: undefined } as unknown as SandboxRequest).id).toBe(
    'sandbox-1',
  )
})
