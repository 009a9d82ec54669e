import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'

test('toText returns the JSON of a world, with one row per line', () => {
  const { world } = createSimulator()

  const text = world.toText()

  expect(JSON.parse(text)).toEqual(world.toJSON())
  const rows = Object.values(world.toJSON()).filter(Array.isArray).flat()
  expect(
    text
      .split('\n')
      .slice(1)
      .filter((line) => line.startsWith('{')),
  ).toHaveLength(rows.length)
})
