import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator.ts'

test('a row that does not exist cannot be updated, and the id of a row cannot change', () => {
  const { world } = createSimulator()

  expect(() => world.annotations.update(99, { content: 'x' })).toThrow(
    'Failed to update 99 of annotations: there is no such row.',
  )
  expect(() => world.projects.update(1, { id: 5 })).toThrow(
    'Failed to update 1 of projects: the id of a row cannot change.',
  )
})
