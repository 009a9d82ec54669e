import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { createSimulator } from '../../src/simulator/simulator.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { outputOf, startProcess } from '../support/cli/process.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { isLong } from '../support/long.ts'
import { createRandom } from '../support/random.ts'

// LONG=1 npm run slow -- --project slow test/soak/kills
const kills = isLong ? 200 : 8
/** Servers that run side by side. */
const writers = 4
const clock = '2024-06-15T12:00:00Z'

/** Large enough that a kill can happen while the file is written. */
const annotations = Array.from({ length: 5_000 }, (_, index) => ({
  ...defaultWorld.annotations[1],
  id: index + 1,
  content: `Row ${index + 1} ${'x'.repeat(100)}`,
}))

/** Returns the request of a number. Each request leads to another state, which contains the number. */
function requestOf(number: number): [path: string, method: string, body: object] {
  const content = `#${number}`
  const list = '/api/projects/1/annotations/'
  return number % 3 === 0 ? [list, 'POST', { content }] : [`${list}2/`, 'PATCH', { content }]
}

async function send(
  ask: (path: string, init: RequestInit) => Promise<Response>,
  number: number,
): Promise<void> {
  const [path, method, body] = requestOf(number)
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const { status } = await ask(path, { method, headers, body: JSON.stringify(body) })
  expect([200, 201]).toContain(status)
}

/** The number of the last request in a saved world. */
function lastNumberIn(text: string): number {
  return Math.max(0, ...[...text.matchAll(/"#(\d+)"/g)].map(([, number]) => Number(number)))
}

/** How old the oldest acknowledged write can be that a file lacks when its server is killed, for a busy machine, in milliseconds. */
const oldestUnsaved = 5_000

/**
 * Starts and kills servers that run one after another, each with the state file of the one before. Checks after each kill
 * that the file is one complete state. @returns the number of kills while the file was written
 */
async function killRepeatedly(seed: number, times: number): Promise<number> {
  const random = createRandom(seed)
  const world = { ...defaultWorld, annotations } as unknown as WorldJson
  const data = temporaryFile(world)
  const state = join(temporaryFolder(), 'state.json')
  // Gets the same requests, and is not killed.
  const twin = createSimulator({ world, clock })
  let [number, whileWriting] = [0, 0]

  for (let kill = 0; kill < times; kill++) {
    const args = ['--port', '0', '--json', '--world', data, '--state', state, '--clock', clock]
    const child = startProcess(args)
    const end = new Promise((resolve) => child.once('close', resolve))
    while (!outputOf(child).stdout.endsWith('\n')) await pause(5)
    const { url } = JSON.parse(outputOf(child).stdout)
    let [acknowledged, isAlive] = [number, true]
    const times: number[] = []
    // A killed server leaves its temporary file.
    const isWriting = () => existsSync(`${state}.${child.pid}.tmp`)
    const client = (async () => {
      while (isAlive) {
        await send((path, init) => fetch(url + path, init), acknowledged + 1)
        acknowledged += 1
        times[acknowledged] = performance.now()
        if (random.below(40) === 0) await pause(250)
      }
    })().catch((error) => expect(error).toBeInstanceOf(TypeError))

    if (kill % 4 === 0) await pause(random.below(1_500))
    else while (!isWriting()) await pause(1)
    await pause(random.below(12))
    const killedAt = performance.now()
    child.kill('SIGKILL')
    await end
    isAlive = false
    await client

    const text = readFileSync(state, 'utf8')
    const saved = Math.max(lastNumberIn(text), number)
    for (let next = number + 1; next <= saved; next++) {
      await send((path, init) => twin.fetch(path, init), next)
    }
    // One more than acknowledged, if the kill came before the response to the last request.
    expect(saved).toBeLessThanOrEqual(acknowledged + 1)
    expect(text === twin.world.toText(), `the file is the world after request ${saved}`).toBe(true)
    expect(killedAt - (times[saved + 1] ?? killedAt)).toBeLessThan(oldestUnsaved)
    if (isWriting()) whileWriting += 1
    number = saved
  }
  return whileWriting
}

test(`a kill -9 leaves a complete state without changes older than promised, ${kills} times`, {
  timeout: 60_000 + kills * 40_000,
}, async () => {
  const whileWriting = await Promise.all(
    Array.from({ length: writers }, (_, seed) => killRepeatedly(seed + 1, kills / writers)),
  )

  expect(Math.max(...whileWriting)).toBeGreaterThan(0)
})
