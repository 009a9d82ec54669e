import { describe, expect, test } from 'vitest'
import { connect } from '../../../src/index.ts'
import type { Reply } from '../../support/lanes/client.ts'
import { type Cluster, isInstalled, proxies, startCluster } from '../../support/proxies.ts'

const sandboxCount = 1_000
// The proxies keep each request to the killed replica for some seconds, so that many clients wait at once.
const clientCount = 400
const path = '/api/projects/1/annotations/'

interface Tenant {
  readonly name: string
  readonly replica: number
  readonly key: string
  readonly id: string
  readonly written: string[]
  /** Whether a response came from the proxy, because the replica was gone */
  isLost: boolean
}

async function openTenant(cluster: Cluster, number: number): Promise<Tenant> {
  const name = `tenant-${number}`
  // Every other one chooses its key.
  const keys = number % 2 === 0 ? { keys: { all: `${name}.all` } } : {}
  const { id, key } = await connect(cluster.url).sandboxes.create(keys)
  const replica = Number(/^r(\d)-/.exec(id)?.[1])
  return { name, replica, key: String(key), id, written: [], isLost: false }
}

/** Status 0: the connection broke. */
function ask(cluster: Cluster, ...request: Parameters<Cluster['ask']>): Promise<Reply> {
  return cluster.ask(...request).catch((error) => ({ status: 0, body: String(error.cause) }))
}

/** Writes a row and reads the list. Returns what is wrong, or nothing. */
async function visit(
  cluster: Cluster,
  tenant: Tenant,
  dead: ReadonlySet<number>,
): Promise<string[]> {
  const { key, name, written, replica } = tenant
  const content = `${name} wrote ${written.length + 1}`
  const wasDead = dead.has(replica)
  const created = await ask(cluster, 'POST', path, { key, body: { content } })
  if (created.status === 201) written.push(content)
  const list = await ask(cluster, 'GET', `${path}?limit=100`, { key })
  const problems = [created, list].flatMap(({ status, body }) => {
    if (status === 201 || status === 200)
      return wasDead ? [`${name} of a dead replica got ${status}`] : []
    const isEnvelope = (body as { code?: string })?.code === 'replica_unavailable'
    const isExpected = status === 503 && isEnvelope && dead.has(replica)
    tenant.isLost ||= isExpected
    return isExpected ? [] : [`${name} of replica ${replica} got ${status} ${JSON.stringify(body)}`]
  })
  if (list.status !== 200) return problems
  const { results } = list.body as { results: { content: string }[] }
  const own = results.map((row) => row.content).filter((text) => text?.startsWith('tenant-'))
  const isExact = JSON.stringify(own.sort()) === JSON.stringify([...written].sort())
  return isExact
    ? problems
    : [...problems, `${name} has ${own.join()} instead of ${written.join()}`]
}

/** Runs a task for each item, as many at once as there are clients. */
async function inCrowd<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = [...items.entries()]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await run(next[1])
  }
  await Promise.all(Array.from({ length: clientCount }, work))
  return results
}

/** Requests that were in flight: the replica may have answered. HAProxy closes the connection of the others. */
const inFlight = { nginx: /of a dead replica/, haproxy: /of a dead replica|replica 3 got 0 / }

describe.each(proxies)('%s', (proxy) => {
  test.skipIf(!isInstalled(proxy))(
    `four replicas, ${sandboxCount} sandboxes, ${clientCount} clients, one kill: no foreign answer (needs ${proxy})`,
    async () => {
      const cluster = await startCluster(proxy)
      const numbers = Array.from({ length: sandboxCount }, (_, index) => index)
      const dead = new Set<number>()

      const tenants = await inCrowd(numbers, (number) => openTenant(cluster, number))
      const before = await inCrowd(tenants, (tenant) => visit(cluster, tenant, dead))
      const during = inCrowd([...tenants, ...tenants], (tenant) => visit(cluster, tenant, dead))
      dead.add(3)
      const killed = cluster.kill(3)
      const problems = (await during).flat().filter((text) => !inFlight[proxy].test(text))
      await killed
      const after = await inCrowd(tenants, (tenant) => visit(cluster, tenant, dead))
      const created = await inCrowd(numbers.slice(0, 40), () =>
        connect(cluster.url).sandboxes.create(),
      )

      expect(new Set(tenants.map(({ replica }) => replica))).toEqual(new Set([1, 2, 3, 4]))
      expect([...before.flat(), ...problems, ...after.flat()]).toEqual([])
      expect(tenants.every(({ isLost, replica }) => isLost === (replica === 3))).toBe(true)
      expect(created.filter(({ id }) => id.startsWith('r3-'))).toEqual([])
      expect(
        (await fetch(`${cluster.url}/__admin/sandboxes`)).headers.get(
          'understudy-missing-replicas',
        ),
      ).toBe('3')

      await cluster.start(3)
      const lost = tenants.filter(({ replica }) => replica === 3)
      const replies = await inCrowd(lost, ({ key }) => cluster.ask('GET', path, { key }))
      const controlled = await inCrowd(lost, ({ id }) =>
        cluster.control('DELETE', `/__admin/sandboxes/${id}`),
      )
      const [entry] = await connect(cluster.url, { replica: 3 }).journal.find({ limit: 1 })

      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
      expect(new Set(controlled.map(({ status }) => status))).toEqual(new Set([404]))
      expect(entry?.reason).toMatch(/no key matches/)
      const { key } = await connect(cluster.url, { replica: 3 }).sandboxes.create()
      expect((await cluster.ask('GET', path, { key })).status).toBe(200)
    },
  )
})
