import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** The bytes that objects take after a call, above those before it. */
function bytesOf(run: () => void): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  run()
  collectGarbage()
  return process.memoryUsage().heapUsed - before
}

test('a sandbox shares with the world that it starts from what it does not change', () => {
  const { sandboxes } = createSimulator()
  const create = (count: number) => {
    for (let index = 0; index < count; index++) sandboxes.create()
  }
  create(500)

  const bytes = bytesOf(() => create(2_000)) / 2_000

  expect(bytes).toBeLessThan(8_192)
})
