import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../../src/index.ts'
import { type Cluster, isInstalled, proxies, startCluster } from '../../support/proxies.ts'

const path = '/api/projects/1/annotations/'

/** The number of the replica that got a request, from the journals of all. */
async function replicaOf(cluster: Cluster, query: string): Promise<number | undefined> {
  const entries = await connect(cluster.url).journal.find({ replicas: 'all' })
  return entries.find((entry) => entry.query.marker === query)?.replica
}

describe.each(proxies)('%s', (proxy) => {
  const behindProxy = test.skipIf(!isInstalled(proxy))

  behindProxy(`keys, ids and headers select a replica (needs ${proxy})`, async () => {
    const cluster = await startCluster(proxy)
    const { url, ask, control } = cluster
    const remote = connect(url)

    // Sandboxes are created by each replica, and reached by key, URL and id.
    const created = await Promise.all(Array.from({ length: 8 }, () => remote.sandboxes.create()))
    expect(new Set(created.map(({ id }) => id.slice(0, 2))).size).toBeGreaterThan(1)
    for (const { id, key, url: sandboxUrl, curl, remote: sandbox } of created) {
      expect(sandboxUrl).toBe(`${url}/__sandbox/${id}`)
      expect(curl).toContain(` ${sandboxUrl}/api/projects/1/annotations/`)
      await sandbox.world.add({ annotations: [{ content: id }] })
      const { body } = await ask('GET', `${path}?search=${id}`, { key })
      expect(body).toMatchObject({ count: 1, results: [{ content: id }] })
      expect((await remote.sandboxes.info(id))?.id).toBe(id)
      expect((await control('GET', `/__sandbox/${id}/__admin/journal`)).body).toHaveLength(1)
    }
    expect((await remote.sandboxes.list()).map(({ id }) => id).sort()).toEqual(
      created.map(({ id }) => id).sort(),
    )
    expect(await remote.sandboxes.delete(created[0]?.id ?? '')).toBe(true)

    // The keys of a sandbox share what precedes their first dot.
    for (const name of ['worker-1', 'worker-2', 'worker-3', 'worker-4', 'worker-5']) {
      const keys = { all: `${name}.all`, plugins: `${name}.plugins` }
      const sandbox = await remote.sandboxes.create({ keys })
      const [all, plugins] = await Promise.all(
        Object.values(keys).map((key) => ask('GET', `${path}?limit=1`, { key })),
      )
      expect([all?.status, plugins?.status]).toEqual([200, 403])
      await sandbox.remote.keys.issue({ value: `${name}.late` })
      expect((await ask('GET', path, { key: `${name}.late` })).status).toBe(200)
    }

    // Without the header the proxy cannot know, and other keys may go elsewhere.
    const body = { keys: { all: 'worker-9' } }
    const refused = await control('POST', '/__admin/sandboxes', { body })
    const named = { 'understudy-key': 'worker-8', 'understudy-routed-by': 'worker-9' }
    const spoofed = await control('POST', '/__admin/sandboxes', { body, headers: named })
    expect([refused, spoofed].map((reply) => [reply.status, Object(reply.body).code])).toEqual([
      [400, 'wrong_replica'],
      [400, 'wrong_replica'],
    ])

    // A key in the query, and a replica that does not exist.
    await ask('GET', '/api/projects/?personal_api_key=phx_r2_x&marker=by-query', { key: null })
    await ask('GET', '/api/projects/?marker=none', { key: null })
    expect(await replicaOf(cluster, 'by-query')).toBe(2)
    expect(await replicaOf(cluster, 'none')).toBe(1)
    const unknown = await ask('GET', '/api/projects/', { key: 'phx_r9_x' })
    expect(unknown).toMatchObject({ status: 503, body: { code: 'replica_unavailable' } })
    expect((await control('GET', '/__admin/clock?replica=9')).status).toBe(503)

    // The world of a replica, by its number or by a key.
    await connect(url, { replica: 3 }).clock.set('2031-01-01T00:00:00Z')
    await connect(url, { key: 'phx_all' }).world.add({ annotations: [{ content: 'By key' }] })
    expect(await connect(url, { replica: 3 }).clock.read()).toMatchObject({ mode: 'frozen' })
    expect(await connect(url, { replica: 2 }).clock.read()).toMatchObject({ mode: 'real' })
    expect((await ask('GET', `${path}?search=By%20key`)).body).toMatchObject({ count: 1 })

    // Any replica answers preflights, and reports health.
    await cluster.kill(1)
    const origin = { origin: 'https://app.test', 'access-control-request-method': 'GET' }
    for (let attempt = 0; attempt < 8; attempt++) {
      const options = { key: null, headers: origin }
      expect((await ask('OPTIONS', path, options)).status).toBe(200)
      expect((await control('GET', '/__admin/health')).status).toBe(200)
    }
    expect(await control('GET', '/__admin/world')).toMatchObject({
      status: 503,
      body: { type: 'server_error', code: 'replica_unavailable', attr: null },
    })
  })

  behindProxy(`keys in queries stay out of the log of a proxy (needs ${proxy})`, async () => {
    const { ask, control, kill, proxyLog } = await startCluster(proxy)
    const secret = 'personal_api_key=phx_r2_secret'
    const options = { key: null }

    await Promise.all([1, 2, 3, 4].map((number) => kill(number)))
    const replies = await Promise.all([
      ask('GET', `${path}?${secret}`, options),
      ask('GET', `${path}?personal_api_key=worker-7.secret`, options),
      control('GET', `/__admin/health?${secret}`),
      control('GET', `/__admin/clock?replica=9&${secret}`),
      ask('GET', `/__sandbox/r3-1/__admin/clock?${secret}`, options),
    ])
    // The log is written after the response.
    await setTimeout(200)

    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    expect(proxyLog()).not.toContain('secret')
  })

  behindProxy(`links have the host of the proxy (needs ${proxy})`, async () => {
    const { url, ask } = await startCluster(proxy, ['--trust-proxy', 'loopback'])
    const headers = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' }

    const { body } = await ask('GET', `${path}?limit=2`, { headers })

    expect(body).toMatchObject({ next: `${url}${path}?limit=2&offset=2` })
  })

  behindProxy(`worlds of any size and events pass at once (needs ${proxy})`, async () => {
    const { url, ask } = await startCluster(proxy)
    const { remote, key } = await connect(url).sandboxes.create()
    const { next_ids: _, ...world } = await remote.world.read()
    const [row] = world.annotations ?? []
    if (!row) throw new Error('The world has no annotations.')
    const annotations = Array.from({ length: 30_000 }, (_, index) => ({
      ...row,
      id: index + 1,
      content: `Row ${index} ${'x'.repeat(200)}`,
    }))
    const seen: string[] = []
    const stop = await remote.journal.follow(({ path }) => seen.push(path))
    onTestFinished(stop)

    await remote.world.replace({ ...world, annotations })
    const read = await remote.world.read()
    const own = (await remote.keys.list()).find(({ scopes }) => scopes?.includes('*'))?.value
    const large = await ask('POST', path, { key: own ?? key, raw: 'x'.repeat(3_000_000) })

    expect(read.annotations).toHaveLength(30_000)
    expect(large.status).toBe(413)
    await expect.poll(() => seen).toEqual([path])
  })

  behindProxy(`the journals of all replicas are one (needs ${proxy})`, async () => {
    const cluster = await startCluster(proxy)
    const { url, ask } = cluster
    const seen: number[] = []
    const unavailable: number[] = []
    const stop = await connect(url).journal.follow(({ replica = 0 }) => seen.push(replica), {
      replicas: 'all',
      onUnavailable: (replica) => unavailable.push(replica),
    })
    onTestFinished(stop)
    const visitAll = async () => {
      for (const number of [1, 2, 3, 4]) await ask('GET', path, { key: `phx_r${number}_unknown` })
    }
    // The streams of the others open after the response began.
    await expect
      .poll(async () => {
        await visitAll()
        return new Set(seen).size
      })
      .toBe(4)

    const entries = await connect(url).journal.find({ replicas: 'all', limit: 4 })
    await cluster.kill(4)
    await expect.poll(() => unavailable).toEqual([4])
    await cluster.start(4)
    seen.length = 0
    await visitAll()

    expect(entries.map(({ replica }) => replica)).toEqual([1, 2, 3, 4])
    await expect.poll(() => [...seen].sort()).toEqual([1, 2, 3, 4])
  })
})
