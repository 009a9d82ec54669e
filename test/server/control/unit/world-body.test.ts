import { expect, onTestFinished, test, vi } from 'vitest'
import defaultWorld from '../../../../fixtures/default.json' with { type: 'json' }
import { StreamedBody } from '../../../../src/http/messages.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import { loadWorldBody, writeWorld } from '../../../../src/server/control/world-body.ts'
import { createSimulator } from '../../../../src/simulator.ts'

const annotations = Array.from({ length: 10_000 }, (_, index) => ({
  ...defaultWorld.annotations[1],
  id: index + 1,
  content: 'Launch of a new version 🦔'.repeat(15),
}))
const world = { ...defaultWorld, annotations } as never

/** Counts the turns of the event loop, in which a server handles other requests. */
function countTurns(): () => number {
  let turns = 0
  let timer: NodeJS.Immediate
  const next = (): void => {
    turns += 1
    timer = setImmediate(next)
  }
  next()
  onTestFinished(() => clearImmediate(timer))
  return () => turns
}

test('other requests are handled while a large world is read, and while it is loaded', async () => {
  // Each step takes longer than other requests are to wait, on any machine.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 11))
  onTestFinished(() => clock.mockRestore())
  const bytes = new TextEncoder().encode(JSON.stringify(world))
  const turns = countTurns()
  let turnsOfReading = 0
  const readAtOnce = async function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    turnsOfReading = turns()
  }
  const settings = resolvePolicies()
  const input = { rawBody: readAtOnce(), body: {}, header: () => 'application/json', settings }

  const { tables } = await loadWorldBody(input, createSimulator())

  expect(tables.annotations.size).toBe(10_000)
  expect(turnsOfReading).toBeGreaterThan(1)
  expect(turns() - turnsOfReading).toBeGreaterThan(1)
})

test('a large world is written as it was when the request arrived, between other requests', async () => {
  const simulator = createSimulator({ world })
  const before = JSON.stringify(simulator.world)
  const written = writeWorld(simulator.sandbox.loaded)
  const { chunks } = written as StreamedBody<unknown>
  const parts: Uint8Array[] = []
  const turns = countTurns()

  for await (const chunk of chunks) {
    parts.push(chunk)
    simulator.world.annotations.create({ content: 'Later' })
    simulator.world.annotations.update(1, { content: 'Changed later' })
  }

  expect(written).toBeInstanceOf(StreamedBody)
  expect(parts.length).toBeGreaterThan(10)
  expect(turns()).toBeGreaterThanOrEqual(parts.length - 2)
  expect(Buffer.concat(parts).toString()).toBe(before)
})
