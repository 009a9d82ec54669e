import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { connect } from '../../src/remote/connect.ts'
import { startServeProcess } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { isLong } from '../support/long.ts'
import { createRandom } from '../support/random.ts'

// LONG=1 npm run slow -- test/soak/sandbox-kills
// KILLS=20 ROWS=100000 LONG=1 npm run slow -- test/soak/sandbox-kills
const kills = Number(process.env.KILLS ?? (isLong ? 200 : 6))
/** Rows beside those of the default world, which all sandboxes share */
const rows = Number(process.env.ROWS ?? 0)
const sandboxCount = 25
const list = '/api/projects/1/annotations/'

/** A sandbox, and the times of the writes that it acknowledged. */
interface Tenant {
  readonly id: string
  readonly key: string
  readonly acknowledged: number[]
}

/** Everything of a sandbox but its rows. */
async function readSetup(url: string, { id }: Tenant): Promise<unknown> {
  const parts = ['clock', 'policies', 'faults', 'keys', 'actors'].map(async (part) => {
    const response = await fetch(`${url}/__sandbox/${id}/__admin/${part}`)
    return [response.status, await response.json()]
  })
  return Promise.all(parts)
}

function headersOf({ key }: Tenant): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}

/** The numbers of the rows that a sandbox has. */
async function readNumbers(url: string, tenant: Tenant): Promise<number[]> {
  const query = `search=${tenant.id}&limit=100000`
  const response = await fetch(`${url}${list}?${query}`, { headers: headersOf(tenant) })
  const { results } = (await response.json()) as { results: { content: string | null }[] }
  const own = results.filter(({ content }) => content?.startsWith(`${tenant.id} #`))
  return own.map(({ content }) => Number(content?.split('#')[1])).sort((a, b) => a - b)
}

test(`a kill -9 leaves every sandbox, without writes older than promised, ${kills} times`, {
  timeout: 60_000 + kills * (15_000 + rows / 5),
}, async () => {
  const random = createRandom(7)
  const state = join(temporaryFolder(), 'state.json')
  const [first] = defaultWorld.annotations
  const further = Array.from({ length: rows }, (_, index) => ({ ...first, id: 1_000 + index }))
  const data = temporaryFile({
    ...defaultWorld,
    annotations: [...defaultWorld.annotations, ...further],
  })
  const start = () => startServeProcess(['--data', data, '--state', state, '--port', '0', '--json'])
  let serving = await start()
  const tenants: Tenant[] = []
  for (let number = 0; number < sandboxCount; number++) {
    const { id, key } = await connect(serving.url).sandboxes.create({
      clock: '2024-06-15T12:00:00Z',
      policies: { 'annotations.delete.status': 403 },
    })
    tenants.push({ id, key: String(key), acknowledged: [] })
    const fault = {
      operation: 'deleteAnnotation',
      when: { times: number },
      effect: { error: 'throttled' },
    }
    await fetch(`${serving.url}/__sandbox/${id}/__admin/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    })
  }
  const setups = await Promise.all(tenants.map((tenant) => readSetup(serving.url, tenant)))
  await pause(2_500)
  let [writes, maxLost, maxAge] = [0, 0, 0]

  for (let kill = 0; kill < kills; kill++) {
    const { url } = serving
    let isAlive = true
    const clients = Array.from({ length: 4 }, async (_, client) => {
      while (isAlive) {
        // Each sandbox has one client, so that its writes have an order.
        const turn = random.below(Math.floor(sandboxCount / 4)) * 4 + client
        const tenant = tenants[turn] as Tenant
        const content = `${tenant.id} #${tenant.acknowledged.length + 1}`
        const body = JSON.stringify({ content })
        const init = { method: 'POST', headers: headersOf(tenant), body }
        const response = await fetch(url + list, init)
        expect(response.status).toBe(201)
        tenant.acknowledged.push(performance.now())
        if (random.below(20) === 0) await pause(random.below(300))
      }
    })
    const ended = Promise.all(clients).catch((error) => expect(error).toBeInstanceOf(TypeError))
    // The first kill comes later than a change may wait: a server that saves nothing would pass an early one.
    await pause(kill === 0 ? 2_700 : 200 + random.below(2_500))
    const killedAt = performance.now()
    await serving.stop('SIGKILL')
    isAlive = false
    await ended
    await Promise.allSettled(clients)
    serving = await start()

    expect(serving.printed().stderr).toBe('')
    for (const [index, tenant] of tenants.entries()) {
      const { acknowledged } = tenant
      const numbers = await readNumbers(serving.url, tenant)
      expect(numbers).toEqual(numbers.map((_, position) => position + 1))
      // One more than acknowledged, if the kill came before the response.
      expect(numbers.length).toBeLessThanOrEqual(acknowledged.length + 1)
      const lost = acknowledged.slice(numbers.length)
      maxLost = Math.max(maxLost, lost.length)
      maxAge = Math.max(maxAge, killedAt - (lost[0] ?? killedAt))
      writes += numbers.length
      acknowledged.length = 0
      acknowledged.push(...numbers)
      expect(await readSetup(serving.url, tenant)).toEqual(setups[index])
    }
  }
  const { size } = statSync(`${state}.sandboxes`)
  console.info(
    `${kills} kills, ${sandboxCount} sandboxes, ${writes} writes checked: at most ${maxLost} of a sandbox or ` +
      `${Math.round(maxAge)} ms lost, ${size} bytes`,
  )
  expect(existsSync(state)).toBe(true)
  // A change waits for a second. The rest is for late timers, and for the save.
  expect(maxAge).toBeLessThan(1_750)
  await serving.stop('SIGKILL')
})
