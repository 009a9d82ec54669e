import { expect, test } from 'vitest'
import { generate } from '../../../src/factories.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'

const laterVersion =
  'format_version: expected at most 1, got 2. A later version of understudy-api wrote this file.'

test('the factories keep the format version of a file, and refuse a later version', () => {
  const completed = generate({ format_version: 1, generate: { annotations: 3 } })

  expect(completed.format_version).toBe(1)
  expect(() => generate({ format_version: 2, generate: { stars: 3 } } as never)).toThrow(
    laterVersion,
  )
})

test.each([0, -1, 1.5, '1', null])('the format version %j is refused', (format_version) => {
  const world = { format_version } as unknown as WorldJson

  expect(() => createSimulator({ world })).toThrow('format_version: expected')
})

test('a world without a format version has version 1', () => {
  expect(createSimulator({ world: {} }).world.toJSON().format_version).toBe(1)
})
