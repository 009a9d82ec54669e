import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { outputOf, startProcess } from '../support/cli/process.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { isLong } from '../support/long.ts'
import { createRandom } from '../support/random.ts'

// LONG=1 npm run slow -- --project slow test/soak/kills
// KILLS=5 ROWS=1000000 LONG=1 npm run slow -- --project slow test/soak/kills
const kills = Number(process.env.KILLS ?? (isLong ? 200 : 8))
const rows = Number(process.env.ROWS ?? 5_000)
/** Servers that run side by side. A large world needs the memory and the disk alone. */
const writers = rows > 20_000 ? 1 : 4
const clock = '2024-06-15T12:00:00Z'

/** By default large enough that a kill can happen while the file is written. */
const annotations = Array.from({ length: rows }, (_, index) => ({
  ...defaultWorld.annotations[1],
  id: index + 1,
  content: `Row ${index + 1} ${'x'.repeat(writers === 1 ? 0 : 100)}`,
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

const textOf = ({ world }: Simulator) => world.toText()

/** What happened to servers that ran one after another, each with the state file of the one before. */
interface KillStatistics {
  /** The number of kills while the file was written */
  readonly whileWriting: number
  /** The age of the oldest acknowledged write that a file did not contain when the server was killed, in milliseconds */
  readonly maxAge: number
  /** The longest time in which a file was written, in milliseconds */
  readonly maxSave: number
}

/** Measures how long files are written, until it is stopped. */
function watchSaves(isWriting: () => boolean): { stop(): number } {
  let [max, start]: [number, number | null] = [0, null]
  const timer = setInterval(() => {
    if (isWriting()) start ??= performance.now()
    else if (start !== null) {
      max = Math.max(max, performance.now() - start)
      start = null
    }
  }, 2)
  return {
    stop() {
      clearInterval(timer)
      return start === null ? max : Math.max(max, performance.now() - start)
    },
  }
}

/**
 * A change waits for 100 ms, or for the end of the save before it, and is then saved. The rest is for late timers. It
 * does not grow with the latency of responses, which would make the bound meaningless on a busy machine.
 */
const promisedWindow = (save: number) => (Math.max(100, save) + save) * 1.25 + 250

/** Starts and kills servers. Checks after each kill that the file is one complete state. */
async function killRepeatedly(seed: number, times: number): Promise<KillStatistics> {
  const random = createRandom(seed)
  const world = { ...defaultWorld, annotations } as unknown as WorldJson
  const data = temporaryFile(world)
  const state = join(temporaryFolder(), 'state.json')
  // Gets the same requests, and is not killed.
  const twin = createSimulator({ world, clock })
  let [number, whileWriting, maxAge, maxSave] = [0, 0, 0, 0]

  for (let kill = 0; kill < times; kill++) {
    const args = ['--port', '0', '--json', '--world', data, '--state', state, '--clock', clock]
    const child = startProcess(args)
    const end = new Promise((resolve) => child.once('close', resolve))
    while (!outputOf(child).stdout.endsWith('\n')) await pause(5)
    const { url } = JSON.parse(outputOf(child).stdout)
    let [acknowledged, isAlive] = [number, true]
    const times: number[] = []
    // A killed server leaves its temporary file.
    const isWriting = () =>
      readdirSync(dirname(state)).some((name) => name.startsWith(`state.json.${child.pid}-`))
    const saves = watchSaves(isWriting)
    const client = (async () => {
      while (isAlive) {
        await send((path, init) => fetch(url + path, init), acknowledged + 1)
        acknowledged += 1
        times[acknowledged] = performance.now()
        if (random.below(40) === 0) await pause(250)
      }
    })().catch((error) => expect(error).toBeInstanceOf(TypeError))

    if (kill % 4 === 0) await pause(random.below(1_500))
    else {
      // A large world is saved at least once, to see how long that takes.
      const saved = statSync(state).ino
      while (!isWriting() || (writers === 1 && statSync(state).ino === saved)) await pause(1)
    }
    await pause(random.below(writers === 1 ? 2_000 : 12))
    const killedAt = performance.now()
    child.kill('SIGKILL')
    maxSave = Math.max(maxSave, saves.stop())
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
    maxAge = Math.max(maxAge, killedAt - (times[saved + 1] ?? killedAt))
    number = saved
  }
  return { whileWriting, maxAge, maxSave }
}

test(`a kill -9 leaves a complete state without changes older than promised, ${kills} times`, async () => {
  const statistics = await Promise.all(
    Array.from({ length: writers }, (_, seed) =>
      killRepeatedly(seed + 1, Math.ceil(kills / writers)),
    ),
  )

  const whileWriting = statistics.reduce((all, run) => all + run.whileWriting, 0)
  const [maxAge, maxSave] = (['maxAge', 'maxSave'] as const).map((name) =>
    Math.round(Math.max(...statistics.map((run) => run[name]))),
  ) as [number, number]
  console.info(
    `${kills} kills with ${rows} rows, ${whileWriting} of them while the file was written: each file was one ` +
      `complete state, at most ${maxAge} ms behind; saves took up to ${maxSave} ms`,
  )
  expect(whileWriting).toBeGreaterThan(0)
  expect(maxAge).toBeLessThan(promisedWindow(maxSave))
})
