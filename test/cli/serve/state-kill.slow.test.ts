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

// KILLS=500 npx vitest run --config test/vitest.config.ts test/tools/state-kill.test.ts
const kills = Number(process.env.KILLS ?? 8)
const clock = '2024-06-15T12:00:00Z'

/** Large enough that a kill can fall into the writing of it. */
const annotations = Array.from({ length: 5_000 }, (_, index) => ({
  ...defaultWorld.annotations[1],
  id: index + 1,
  content: `Row ${index + 1} ${'x'.repeat(100)}`,
}))

/** The request of a number: every state between two of them is another one, and tells its number. */
function request(number: number): [path: string, method: string, body: object] {
  const content = `#${number}`
  const list = '/api/projects/1/annotations/'
  return number % 3 === 0 ? [list, 'POST', { content }] : [`${list}2/`, 'PATCH', { content }]
}

async function send(
  ask: (path: string, init: RequestInit) => Promise<Response>,
  number: number,
): Promise<void> {
  const [path, method, body] = request(number)
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const { status } = await ask(path, { method, headers, body: JSON.stringify(body) })
  expect([200, 201]).toContain(status)
}

/** The number of the last request that a kept world knows of. */
function numberIn(text: string): number {
  return Math.max(0, ...[...text.matchAll(/"#(\d+)"/g)].map(([, number]) => Number(number)))
}

const textOf = ({ world }: Simulator) => [...world.toTexts()].join('')

/** What was seen of one server after the other, each going on with what the one before it left. */
interface Seen {
  readonly whileWriting: number
  readonly writes: number
  readonly furthest: number
}

async function lives(seed: number, times: number): Promise<Seen> {
  const random = createRandom(seed)
  const world = { ...defaultWorld, annotations } as unknown as WorldJson
  const data = temporaryFile(world)
  const state = join(temporaryFolder(), 'state.json')
  // Lives the same life without being killed.
  const twin = createSimulator({ world, clock })
  const isWriting = () => readdirSync(dirname(state)).some((name) => name.endsWith('.tmp'))
  let [number, whileWriting, writes, furthest] = [0, 0, 0, 0]

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
    const kept = Math.max(numberIn(text), number)
    for (let next = number + 1; next <= kept; next++) {
      await send((path, init) => twin.fetch(path, init), next)
    }
    // One more than acknowledged: the answer to the last request may be what the kill took.
    expect(kept).toBeLessThanOrEqual(acknowledged + 1)
    expect(text === textOf(twin), `the file is the world after request ${kept}`).toBe(true)
    if (isWriting()) whileWriting += 1
    writes += acknowledged - number
    furthest = Math.max(furthest, acknowledged - kept)
    number = kept
  }
  return { whileWriting, writes, furthest }
}

test(`a kill -9 leaves a complete state that was acknowledged, ${kills} times`, {
  timeout: 60_000 + kills * 5_000,
}, async () => {
  const seen = await Promise.all([1, 2, 3, 4].map((seed) => lives(seed, Math.ceil(kills / 4))))

  const sum = (name: 'whileWriting' | 'writes') => seen.reduce((all, one) => all + one[name], 0)
  console.info(
    `${kills} kills, ${sum('whileWriting')} of them while the file was written, and ${sum('writes')} writes ` +
      'acknowledged: each file was one complete state, ' +
      `at most ${Math.max(...seen.map(({ furthest }) => furthest))} writes behind`,
  )
  expect(sum('whileWriting')).toBeGreaterThan(0)
})
