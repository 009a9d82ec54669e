import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { outputOf, startProcess } from '../../support/cli/process.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'
import { createRandom } from '../../support/random.ts'

// KILLS=500 npx vitest run --config test/slow.config.ts test/cli/serve/state-kill.slow.test.ts
const kills = Number(process.env.KILLS ?? 8)
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

const textOf = ({ world }: Simulator) => [...world.toTexts()].join('')

/** What happened to servers that ran one after another, each with the state file of the one before. */
interface KillStatistics {
  /** The number of kills while the file was written */
  readonly whileWriting: number
  /** The number of acknowledged writes */
  readonly writes: number
  /** The largest number of acknowledged writes that a file did not contain */
  readonly maxLost: number
}

/** Starts and kills servers. Checks after each kill that the file is one complete state. */
async function killRepeatedly(seed: number, times: number): Promise<KillStatistics> {
  const random = createRandom(seed)
  const world = { ...defaultWorld, annotations } as unknown as WorldJson
  const data = temporaryFile(world)
  const state = join(temporaryFolder(), 'state.json')
  // Gets the same requests, and is not killed.
  const twin = createSimulator({ world, clock })
  const isWriting = () => readdirSync(dirname(state)).some((name) => name.endsWith('.tmp'))
  let [number, whileWriting, writes, maxLost] = [0, 0, 0, 0]

  for (let kill = 0; kill < times; kill++) {
    const args = ['--port', '0', '--json', '--data', data, '--state', state, '--clock', clock]
    const child = startProcess(args)
    const end = new Promise((resolve) => child.once('close', resolve))
    while (!outputOf(child).stdout.endsWith('\n')) await pause(5)
    const { url } = JSON.parse(outputOf(child).stdout)
    let [acknowledged, isAlive] = [number, true]
    const client = (async () => {
      while (isAlive) {
        await send((path, init) => fetch(url + path, init), acknowledged + 1)
        acknowledged += 1
        if (random.below(40) === 0) await pause(250)
      }
    })().catch((error) => expect(error).toBeInstanceOf(TypeError))

    if (kill % 4 === 0) await pause(random.below(1_500))
    else while (!isWriting()) await pause(1)
    await pause(random.below(12))
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
    expect(text === textOf(twin), `the file is the world after request ${saved}`).toBe(true)
    if (isWriting()) whileWriting += 1
    writes += acknowledged - number
    maxLost = Math.max(maxLost, acknowledged - saved)
    number = saved
  }
  return { whileWriting, writes, maxLost }
}

test(`a kill -9 leaves a complete state that was acknowledged, ${kills} times`, {
  timeout: 60_000 + kills * 5_000,
}, async () => {
  const statistics = await Promise.all(
    [1, 2, 3, 4].map((seed) => killRepeatedly(seed, Math.ceil(kills / 4))),
  )

  const sum = (name: 'whileWriting' | 'writes') =>
    statistics.reduce((all, one) => all + one[name], 0)
  console.info(
    `${kills} kills, ${sum('whileWriting')} of them while the file was written, and ${sum('writes')} writes ` +
      'acknowledged: each file was one complete state, ' +
      `at most ${Math.max(...statistics.map(({ maxLost }) => maxLost))} writes behind`,
  )
  expect(sum('whileWriting')).toBeGreaterThan(0)
})
