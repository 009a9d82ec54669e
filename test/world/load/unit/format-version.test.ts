import { expect, test } from 'vitest'
import { generate } from '../../../../src/factories.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { readWorld } from '../../../../src/world/load/read-world.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'
import { temporaryFile } from '../../../support/files.ts'

const later =
  'format_version: expected at most 1, got 2: a later version of understudy-api made this'

test('a snapshot file is a file to serve: read, and begun with, it is the same world', async () => {
  const simulator = createSimulator()
  simulator.world.annotations.create({ content: 'Kept' })
  simulator.snapshots.save('kept')

  const world = await readWorld(temporaryFile(simulator.snapshots.get('kept') ?? {}))

  expect(world.format_version).toBe(1)
  expect(createSimulator({ world }).world.toJSON()).toEqual(simulator.world.toJSON())
})

test('the factories keep the version of a file, and refuse a later one', () => {
  const filled = generate({ format_version: 1, generate: { annotations: 3 } })

  expect(filled.format_version).toBe(1)
  expect(() => generate({ format_version: 2, generate: { stars: 3 } } as never)).toThrow(later)
})

test.each([0, -1, 1.5, '1', null])('%j is no version of a format', (format_version) => {
  const world = { format_version } as unknown as WorldJson

  expect(() => createSimulator({ world })).toThrow('format_version: expected')
})

test('a world without a version is of the first', () => {
  expect(createSimulator({ world: {} }).world.toJSON().format_version).toBe(1)
})
