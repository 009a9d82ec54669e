import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator.ts'

test('toTexts returns the JSON of a world, with one row per line', () => {
  const { world } = createSimulator()

  const text = [...world.toTexts()].join('')

  expect(JSON.parse(text)).toEqual(world.toJSON())
  const rows = Object.values(world.toJSON()).filter(Array.isArray).flat()
  expect(
    text
      .split('\n')
      .slice(1)
      .filter((line) => line.startsWith('{')),
  ).toHaveLength(rows.length)
})

test('toTexts returns the world of one moment, without later writes', () => {
  const { world } = createSimulator()
  for (let count = 0; count < 2_000; count++) world.annotations.create({ content: 'x'.repeat(200) })
  const before = world.toJSON()

  let text = ''
  for (const piece of world.toTexts()) {
    text += piece
    world.annotations.create({ content: 'Later' })
    world.activity.create({ activity: 'installed', item_id: '1' })
  }

  expect(world.annotations.count).toBeGreaterThan(2_010)
  expect(JSON.parse(text)).toEqual(before)
})

test('toTexts returns a large world in many small chunks', () => {
  const { world } = createSimulator()
  for (let count = 0; count < 2_000; count++) world.annotations.create({ content: 'x'.repeat(200) })

  const sizes = [...world.toTexts()].map(({ length }) => length)

  expect(sizes.length).toBeGreaterThan(10)
  expect(Math.max(...sizes)).toBeLessThan(70_000)
})
