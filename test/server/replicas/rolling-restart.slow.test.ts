import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connect } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/files.ts'
import { type Cluster, isInstalled, proxies, startCluster } from '../../support/proxies.ts'
import { createRandom, type Random } from '../../support/random.ts'

// SANDBOXES=500 CLIENTS=60 npm run slow -- test/server/replicas/rolling-restart
const sandboxCount = Number(process.env.SANDBOXES ?? 40)
const clientCount = Number(process.env.CLIENTS ?? 8)
const path = '/api/projects/1/annotations/'

/** A sandbox, and the contents of the rows that were written to it. */
interface Tenant {
  readonly id: string
  readonly key: string
  readonly written: string[]
}

async function openTenant(cluster: Cluster, number: number): Promise<Tenant> {
  // Every other one chooses its key.
  const keys = number % 2 === 0 ? { keys: { all: `tenant-${number}.all` } } : {}
  const { id, key } = await connect(cluster.url).sandboxes.create(keys)
  return { id, key: String(key), written: [] }
}

/** Writes a row and reads the list. Returns the problems. */
async function visit(cluster: Cluster, { id, key, written }: Tenant): Promise<string[]> {
  const content = `${id} wrote ${written.length + 1}`
  const started = performance.now()
  const failed = (error: Error) => ({ status: 0, body: String(error.cause) })
  const created = await cluster.ask('POST', path, { key, body: { content } }).catch(failed)
  if (created.status === 201) written.push(content)
  const list = await cluster.ask('GET', `${path}?limit=10000`, { key }).catch(failed)
  const waited = Math.round(performance.now() - started)
  if (created.status !== 201 || list.status !== 200) {
    const bodies = JSON.stringify([created.body, list.status === 200 ? null : list.body])
    return [`${id} got ${created.status} and ${list.status} after ${waited} ms: ${bodies}`]
  }
  return differences({ id, key, written }, list.body)
}

function differences({ id, written }: Tenant, body: unknown): string[] {
  const { results } = body as { results: readonly { content: string | null }[] }
  const rows = results.flatMap(({ content }) => (content?.includes(' wrote ') ? [content] : []))
  const isExact = JSON.stringify(rows.sort()) === JSON.stringify([...written].sort())
  return isExact ? [] : [`${id} has ${rows.length} rows, of ${written.length} written`]
}

/** Clients that visit their own sandboxes in any order, until they are stopped. */
function startClients(cluster: Cluster, tenants: readonly Tenant[], random: Random) {
  const state = { isRunning: true, visits: 0, longest: 0 }
  const run = async (client: number): Promise<string[]> => {
    const own = tenants.filter((_, index) => index % clientCount === client)
    const problems: string[] = []
    while (state.isRunning) {
      const start = performance.now()
      problems.push(...(await visit(cluster, random.pick(own))))
      state.longest = Math.max(state.longest, performance.now() - start)
      state.visits += 1
      await pause(random.below(20))
    }
    return problems
  }
  const clients = Promise.all(Array.from({ length: clientCount }, (_, client) => run(client)))
  return Object.assign(state, {
    async stop(): Promise<string[]> {
      state.isRunning = false
      return (await clients).flat()
    },
  })
}

describe.each(proxies)('%s', (proxy) => {
  test.skipIf(!isInstalled(proxy))(
    `a rolling restart of four replicas with ${sandboxCount} sandboxes and ${clientCount} clients fails no request (needs ${proxy})`,
    { timeout: 100_000 + sandboxCount * 500 },
    async () => {
      const folder = temporaryFolder()
      const cluster = await startCluster(proxy, (number) => [
        '--state',
        join(folder, `state-${number}.json`),
      ])
      const tenants: Tenant[] = []
      for (let number = 0; number < sandboxCount; number++) {
        tenants.push(await openTenant(cluster, number))
      }
      const clients = startClients(cluster, tenants, createRandom(3))

      const codes: unknown[] = []
      for (const number of [1, 2, 3, 4]) {
        await pause(500)
        codes.push(await cluster.stop(number))
        await cluster.start(number)
      }
      await pause(500)
      const problems = await clients.stop()
      const listed = await connect(cluster.url).sandboxes.list()
      const ends = await Promise.all(
        tenants.map(async (tenant) => {
          const { body } = await cluster.ask('GET', `${path}?limit=10000`, { key: tenant.key })
          return differences(tenant, body)
        }),
      )

      const writes = tenants.reduce((sum, { written }) => sum + written.length, 0)
      console.info(
        `${proxy}: ${clients.visits} visits, ${writes} writes, ${problems.length} problems, ` +
          `at most ${Math.round(clients.longest)} ms for a visit`,
      )
      expect(problems).toEqual([])
      expect(ends.flat()).toEqual([])
      expect(codes).toEqual([0, 0, 0, 0])
      expect(listed.map(({ id }) => id).sort()).toEqual(tenants.map(({ id }) => id).sort())
    },
  )
})
