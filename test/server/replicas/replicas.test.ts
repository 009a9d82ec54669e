import { expect, test } from 'vitest'
import { connect, createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { replayAt } from '../../../src/remote/replay-at.ts'
import { startReplica, startReplicas } from '../../support/replicas.ts'

const replica = { number: 2, of: 4 }

test('keys and sandboxes name their replica, and follow from the seed', async () => {
  const [one, other] = [await startReplica(replica), await startReplica(replica)]

  const sandbox = await one.remote.sandboxes.create()
  const issued = await one.remote.keys.issue()

  expect(sandbox.id).toBe('r2-sandbox-1')
  expect(sandbox.url).toBe(`${one.url}/__sandbox/r2-sandbox-1`)
  expect(sandbox.keys.map(({ value }) => value.replace(/\w{40}$/, ''))).toEqual(
    sandbox.keys.map(() => 'phx_r2_'),
  )
  expect(issued).toMatch(/^phx_r2_\w{40}$/)
  expect((await other.remote.sandboxes.create()).key).toBe(sandbox.key)
  expect(await other.remote.keys.issue()).toBe(issued)
})

test('another run of a replica issues other keys and ids', async () => {
  const [before, after] = [
    await startReplica({ ...replica, run: 'm1' }),
    await startReplica({ ...replica, run: 'm2' }),
  ]

  const sandbox = await before.remote.sandboxes.create()
  const other = await after.remote.sandboxes.create()
  const { status } = await after.ask('GET', '/api/projects/', { key: sandbox.key })
  const [entry] = await after.remote.journal.find()

  expect([sandbox.id, other.id]).toEqual(['r2-m1-sandbox-1', 'r2-m2-sandbox-1'])
  expect(other.key).not.toBe(sandbox.key)
  expect([status, entry?.reason]).toEqual([
    401,
    '401: no key matches phx_r…; replica 2 issued it in an earlier run, or its sandbox has ended',
  ])
  expect((await after.control('GET', `/__admin/sandboxes/${sandbox.id}`)).body).toMatchObject({
    detail: expect.stringContaining('not found: it ended when replica 2 was restarted'),
  })
})

test('a key of another replica is refused with a reason', async () => {
  const { ask, remote, control } = await startReplica(replica)

  const { status } = await ask('GET', '/api/projects/', { key: 'phx_r3_abc' })
  const [entry] = await remote.journal.find()

  expect([status, entry?.reason]).toEqual([
    401,
    '401: no key matches phx_r…; replica 3 issued it, and this is replica 2',
  ])
  expect(await control('GET', '/__sandbox/r3-sandbox-1/api/projects/')).toMatchObject({
    status: 404,
    body: { detail: 'Sandbox r3-sandbox-1 not found: it is on replica 3, and this is replica 2.' },
  })
})

test('a client reads the health of the replica that it names', async () => {
  const { url } = await startReplica(replica)

  const { replica: found } = await connect(url, { replica: 2 }).health()

  expect(found).toMatchObject(replica)
  await expect(connect(url, { replica: 3 }).health()).rejects.toThrow(
    'This is replica 2 of 4, and the request is for replica 3.',
  )
})

/** What a proxy adds to a request that it routed by a key. */
const routedBy = (key: string) => ({ headers: { 'understudy-routed-by': key } })

test('a sandbox gets the chosen keys by which a proxy routed the request, and those that name the replica', async () => {
  const { control } = await startReplica(replica)
  const keys = { all: 'worker-1.all', annotations: 'worker-1', plugins: 'phx_r2_p' }

  const created = await control('POST', '/__admin/sandboxes', {
    body: { keys },
    ...routedBy('worker-1'),
  })
  const { url = '' } = created.body as { url?: string }
  const path = `${new URL(url).pathname}/__admin/keys`
  const sibling = await control('POST', path, { body: { value: 'worker-1.more' } })

  expect([created.status, sibling.status]).toEqual([201, 201])
})

const refusal = (key: string, reason: string) => ({
  status: 400,
  body: {
    type: 'validation_error',
    code: 'wrong_replica',
    detail: `Failed to choose the key "${key}" on replica 2 of 4: ${reason}. Choose a key that begins with phx_r2_. Or create a sandbox with the key in the header Understudy-Key, too. The keys of a sandbox share what precedes their first dot.`,
    attr: 'keys.all',
  },
})

test.each([
  ['worker-1', {}, 'its requests may be routed to another one'],
  ['phx_r3_mine', routedBy('worker-1'), 'it names replica 3'],
  [
    'worker-2',
    routedBy('worker-1'),
    'this request was routed by "worker-1", and the key may be routed elsewhere',
  ],
])('a sandbox with the key %s of another replica is refused: %j', async (key, options, reason) => {
  const { control, remote } = await startReplica(replica)

  const reply = await control('POST', '/__admin/sandboxes', {
    body: { keys: { all: key } },
    ...options,
  })

  expect(reply).toEqual(refusal(key, reason))
  expect(await remote.sandboxes.list()).toEqual([])
})

test('keys of another replica are refused wherever they are chosen', async () => {
  const { control, remote } = await startReplica(replica)
  const { id } = await remote.sandboxes.create()
  const world = await remote.world.read()
  const foreign = { ...world, keys: [{ value: 'worker-1', user: 1, scopes: ['*'] }] }
  const rows = { keys: [{ value: 'worker-1', user: 1 }] }
  const at = `/__sandbox/${id}/__admin`
  await control('PUT', `${at}/snapshots/foreign`, { body: foreign })

  const replies = await Promise.all([
    control('PUT', `${at}/world`, { body: foreign }),
    control('PUT', '/__admin/world', { body: foreign }),
    control('PATCH', `${at}/world`, { body: rows }),
    control('POST', `${at}/keys`, { body: { value: 'worker-1' } }),
    control('POST', `${at}/snapshots/foreign/restore`),
  ])

  expect(replies.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual(
    replies.map(() => [400, 'wrong_replica']),
  )
})

test('a world can be read and written, and copied to a sandbox of another replica', async () => {
  const [one, other] = [
    await startReplica({ number: 1, of: 2 }),
    await startReplica({ number: 2, of: 2 }),
  ]
  const source = (await one.remote.sandboxes.create()).remote
  const { remote: target, key } = await other.remote.sandboxes.create({ from: 'empty' })

  await one.remote.world.replace(await one.remote.world.read())
  await source.world.replace(await source.world.read())
  await target.world.replace(await source.world.read())
  const { body } = await other.ask('GET', '/api/projects/1/annotations/', {
    key: (await target.keys.list()).find(({ label }) => label === 'all')?.value ?? key,
  })

  expect(body).toMatchObject({ count: 6 })
})

test('a scenario whose world has keys of its own is replayed at a replica', async () => {
  const { url, remote } = await startReplica(replica)
  const { next_ids: _, ...world } = await remote.world.read()
  const keys = [{ value: 'story_key', label: 'story', user: 1, scopes: ['*'] }]
  const step = {
    as: 'story',
    method: 'GET',
    path: '/api/projects/',
    expect: { status: 200 },
  } as const

  const { passed } = await replayAt(url, {
    title: 'A story',
    world: { ...world, keys },
    steps: [step],
  })

  expect(passed).toBe(true)
})

test.each(['1', '5', 'a', ''])(
  'a request for replica %j is refused by replica 2',
  async (named) => {
    const { control } = await startReplica(replica)
    const headers = { 'understudy-replica': named }

    const byHeader = await control('GET', '/__admin/clock', { headers })
    const byQuery = await control('GET', `/__admin/journal?replica=${named}`)

    expect([byHeader.status, byQuery.status]).toEqual([400, 400])
    expect(byQuery.body).toMatchObject({ code: 'wrong_replica', attr: 'replica' })
  },
)

test('a request for this replica is answered', async () => {
  const { control, url } = await startReplica(replica)
  const health = await connect(url, { replica: 2 }).health()

  expect((await control('GET', '/__admin/journal?replica=2&limit=1')).status).toBe(200)
  expect(health.replica).toEqual({ number: 2, of: 4, instance: expect.stringMatching(/^\w{16}$/) })
})

test('a client of another machine needs a token, also with the host of this machine', async () => {
  const { control } = await startReplica(replica)
  const from = (client: string) =>
    control('GET', '/__admin/keys', { headers: { 'x-forwarded-for': client } })

  expect((await from('127.0.0.1')).status).toBe(200)
  expect((await from('203.0.113.7, ::1')).status).toBe(200)
  expect((await from('203.0.113.7,::FFFF:127.0.0.1')).status).toBe(200)
  expect(await from('127.0.0.1, 203.0.113.7')).toMatchObject({
    status: 403,
    body: {
      detail:
        'The control API requires a token, because the proxy passes on requests of other machines, such as 203.0.113.7. Start the server with --token.',
    },
  })
})

test.each([
  [{ number: 0, of: 4 }, 'expected the number of this replica'],
  [{ number: 5, of: 4 }, 'expected the number of this replica'],
  [{ number: 2, of: 4, run: 'A run' }, 'as run'],
  [{ number: 2, of: 4, url: 'http://understudy:4010' }, 'with {n} for their number'],
  [{ number: 2, of: 4, url: 'http://me:word@understudy-{n}:4010' }, 'the origin of the replicas'],
])('the option %j is an error', async (options, message) => {
  await expect(listen(createSimulator(), { replica: options })).rejects.toThrow(message)
})

test('a simulator with sandboxes cannot become a replica', async () => {
  const simulator = createSimulator()
  simulator.sandboxes.create()

  await expect(listen(simulator, { replica })).rejects.toThrow('whose keys name no replica')
})

test('replicas list the sandboxes of all, and merge their journals', async () => {
  const [one, two, three] = await startReplicas()
  const created = await Promise.all(
    [one, two, three].map(({ remote }) => remote.sandboxes.create()),
  )
  await two.ask('GET', '/api/projects/')
  // The clocks count milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 5))
  await one.ask('GET', '/api/projects/2/')

  const listed = await one.remote.sandboxes.list()
  const entries = await three.remote.journal.find({ replicas: 'all' })
  const paged = await one.remote.sandboxes.list({ offset: 1, limit: 1 })
  const last = await fetch(`${one.url}/__admin/sandboxes?offset=2`)
  const latest = await three.remote.journal.find({ replicas: 'all', limit: 1 })
  await two.close()
  const { headers } = await fetch(`${one.url}/__admin/sandboxes`)

  expect(listed.map(({ id }) => id)).toEqual(created.map(({ id }) => id))
  expect(paged).toEqual(listed.slice(1, 2))
  expect(await last.json()).toEqual(listed.slice(2))
  expect(last.headers.get('understudy-total-count')).toBe('3')
  expect(listed.map(({ url }) => new URL(url).origin)).toEqual(listed.map(() => one.url))
  expect(listed[1]?.curl).toContain(` ${one.url}/__sandbox/r2-sandbox-1/api`)
  expect(entries.map(({ replica, path }) => [replica, path])).toEqual([
    [2, '/api/projects/'],
    [1, '/api/projects/2/'],
  ])
  expect(latest).toEqual(entries.slice(1))
  expect(headers.get('understudy-missing-replicas')).toBe('2')
})

test.each(['', '/events'])(
  'the journals of unknown replicas are an error: journal%s',
  async (path) => {
    const { control, remote } = await startReplica(replica)
    const { id } = await remote.sandboxes.create()

    const replies = await Promise.all([
      control('GET', `/__admin/journal${path}?replicas=all`),
      control('GET', `/__sandbox/${id}/__admin/journal${path}?replicas=all`),
      control('GET', `/__admin/journal${path}?replicas=two`),
    ])

    expect(replies.map(({ status, body }) => [status, (body as { attr: string }).attr])).toEqual(
      replies.map(() => [400, 'replicas']),
    )
  },
)
