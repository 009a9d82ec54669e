import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { usedBytes } from '../../support/collect-garbage.ts'

test('a sandbox shares with the world that it starts from what it does not change', () => {
  const { sandboxes } = createSimulator()
  const create = (count: number) => {
    for (let index = 0; index < count; index++) sandboxes.create()
  }
  create(50)
  const before = usedBytes()

  create(200)

  expect((usedBytes() - before) / 200).toBeLessThan(8_192)
})
