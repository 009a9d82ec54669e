import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createRandom } from '../support/random.ts'
import { root } from '../support/root.ts'
import { type Target, Traffic } from './traffic.ts'

interface Measurement {
  readonly heap: number
  readonly resources: number
  readonly files: number
  readonly errors: readonly string[]
}

/** The duration in seconds: 30 minutes by `npm run long`, or `SOAK_SECONDS`. */
const seconds = Number(process.env.SOAK_SECONDS ?? (inject('isLong') ? 1_800 : 40))
const seed = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000_000)

test('memory and handles stay flat, and every acknowledged write is read back', async () => {
  const child = fork(join(root, 'test/soak/server.mjs'), { execArgv: ['--expose-gc'] })
  onTestFinished(() => void child.kill())
  const [target] = (await once(child, 'message')) as [Target]
  const traffic = new Traffic(target, createRandom(seed))
  const measure = async () => {
    // Sockets close, and their objects become garbage.
    await sleep(2_500)
    child.send('measure')
    const [measurement] = (await once(child, 'message')) as [Measurement]
    return measurement
  }
  console.info(`soak: SOAK_SEED=${seed}, ${seconds} s`)

  // The journal fills, and code is compiled.
  await traffic.run(seconds * 300)
  const warm = await measure()
  await traffic.run(seconds * 700)
  const end = await measure()

  console.info('soak:', traffic.counts, 'warm:', warm, 'end:', end)
  expect([warm.errors, end.errors]).toEqual([[], []])
  // In a short run the history still fills, and code is still compiled.
  expect(end.heap / warm.heap).toBeLessThan(seconds < 1_000 ? 1.3 : 1.05)
  expect(end.files).toBeLessThanOrEqual(warm.files + 2)
  expect(end.resources).toBeLessThanOrEqual(warm.resources + 2)
})
