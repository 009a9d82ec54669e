import { expect, test } from 'vitest'
import { StreamedBody } from '../../../../src/http/messages.ts'
import { SimulatorBase } from '../../../../src/sandbox/simulator-base.ts'
import { writeWorld } from '../../../../src/server/control/world-body.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'

const content = 'Launch of a new version 🦔'.repeat(10)
const simulator = createSimulator()
simulator.addRows({ annotations: Array.from({ length: 3_000 }, () => ({ content })) })

function writeLargeWorld(): StreamedBody<WorldJson> {
  const written = writeWorld(SimulatorBase.sandboxOf(simulator).loaded)
  if (!(written instanceof StreamedBody)) throw new Error('expected a stream')
  return written
}

test('a small world is one text with a length', () => {
  const { world } = createSimulator()
  const { loaded } = SimulatorBase.sandboxOf(createSimulator())

  expect(writeWorld(loaded)).toMatchObject({ text: JSON.stringify(world) })
})

test('a large world is written as it was when the request arrived', async () => {
  const before = JSON.stringify(simulator.world)
  const { chunks } = writeLargeWorld()
  const parts: Uint8Array[] = []

  for await (const chunk of chunks) {
    parts.push(chunk)
    simulator.world.annotations.create({ content: 'Later' })
    simulator.world.annotations.update(1, { content: 'Changed later' })
  }

  expect(parts.length).toBeGreaterThan(10)
  expect(Buffer.concat(parts).toString()).toBe(before)
})

test('other requests are handled between the chunks of a large world', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()

  let chunks = 0
  for await (const _ of writeLargeWorld().chunks) chunks += 1
  isOver = true

  expect(turns).toBeGreaterThanOrEqual(chunks - 2)
})
