import { expect, test } from 'vitest'
import { generate } from '../../../src/factories.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'

const laterVersion =
  'Failed to generate the world: 1 problem. Nothing was generated.\n  format_version: expected at most 1, got 2. A later version of understudy-api wrote this file. Update understudy-api 0.1.0, or save the world with this version.'

test('the factories keep the format version of a file, and refuse a later version', () => {
  const completed = generate({ format_version: 1, generate: { annotations: 3 } })

  expect(completed.format_version).toBe(1)
  expect(() => generate({ format_version: 2, generate: { stars: 3 } } as never)).toThrow(
    laterVersion,
  )
})

test('a world without a format version has version 1', () => {
  expect(createSimulator({ world: {} }).world.toJSON().format_version).toBe(1)
})
