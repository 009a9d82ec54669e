import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { invalidKey, notFound, unauthenticated } from '../../support/api/errors.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'
import { start } from '../../support/transports/start.ts'

const keyOf = ({ keys }: { keys: readonly { value: string; label: string | null }[] }) =>
  keys.find(({ label }) => label === 'all')?.value as string

test('create returns the URL, the keys, the projects and the expiry of a sandbox', async () => {
  const { simulator } = await start({ baseUrl: 'https://app.example.com/service' })

  const sandbox = simulator.sandboxes.create({ ttl_s: 90 })

  expect(sandbox).toEqual({
    id: 'sandbox-1',
    name: null,
    url: 'https://app.example.com/service/__sandbox/sandbox-1',
    key: sandbox.keys[0]?.value,
    keys: simulator.keys.list().map(({ label, scopes }) => ({
      value: expect.stringMatching(/^phx_[A-Za-z0-9]{40}$/),
      label,
      scopes,
    })),
    projects: [
      { id: 1, name: 'Web shop', organization: '018f2b6e-0000-7000-8000-00000000000a' },
      { id: 2, name: 'Mobile app', organization: '018f2b6e-0000-7000-8000-00000000000a' },
    ],
    organizations: [{ id: '018f2b6e-0000-7000-8000-00000000000a', name: 'Acme' }],
    expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(simulator.sandboxes.list()).toEqual([sandbox])
  expect(simulator.sandboxes.info('sandbox-1')).toEqual(sandbox)
})

test('the URL of a sandbox selects it, and links contain this URL', async () => {
  const { ask, simulator, origin } = await start()
  const sandbox = simulator.sandboxes.create()
  const url = `/__sandbox/${sandbox.id}`

  const missing = await ask('GET', `${url}/api/projects/`, { key: null })
  const foreign = await ask('GET', `${url}/api/projects/`)
  const page = await ask('GET', `${url}${annotationsPath}?limit=1`, { key: keyOf(sandbox) })

  expect(missing).toEqual(unauthenticated())
  expect(foreign).toEqual(invalidKey())
  expect(page).toMatchObject({
    status: 200,
    body: { next: `${origin}${url}${annotationsPath}?limit=1&offset=1` },
  })
})

test('a sandbox has its own rows, ids, clock, settings, faults and journal', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'listProjects', effect: { status: 418 } })
  const sandbox = simulator.sandboxes.create()
  const inner = simulator.sandboxes.get(sandbox.id)
  const key = keyOf(sandbox)

  inner?.clock.set('2030-01-01T00:00:00Z')
  inner?.settings.set({ 'annotations.delete.status': 404 })
  inner?.faults.add({ operation: 'listAnnotations', effect: { error: 'server_error' } } as never)
  const created = await ask('POST', annotationsPath, { key, body: {} })
  const rejected = await ask('DELETE', `${annotationsPath}1/`, { key })
  const faulty = await ask('GET', annotationsPath, { key })
  const untouched = await ask('GET', '/api/projects/', { key })

  expect(created).toMatchObject({ body: { id: 9, created_at: '2030-01-01T00:00:00Z' } })
  expect([rejected.status, faulty.status, untouched.status]).toEqual([404, 500, 200])
  expect(inner?.journal.find().map(({ operation }) => operation)).toEqual([
    'createAnnotation',
    'deleteAnnotation',
    'listAnnotations',
    'listProjects',
  ])
  expect(simulator.journal.find()).toEqual([])
  expect(simulator.clock.iso()).toBe('2024-06-15T12:00:00Z')
  expect(await ask('POST', annotationsPath, { body: {} })).toMatchObject({ body: { id: 9 } })
  expect((await ask('DELETE', `${annotationsPath}1/`)).status).toBe(405)
  expect((await ask('GET', annotationsPath)).status).toBe(200)
})

test('a sandbox starts with a fixture, the present rows or another sandbox', async () => {
  const { simulator } = await start()
  const count = (id: string) => simulator.sandboxes.get(id)?.world.annotations.count
  simulator.world.annotations.add()

  const initial = simulator.sandboxes.create()
  const empty = simulator.sandboxes.create({ from: 'empty' })
  const nine = simulator.sandboxes.create({ from: 'current' })
  simulator.sandboxes.get(nine.id)?.world.annotations.add()
  const ten = simulator.sandboxes.create({ from: nine.id })
  simulator.sandboxes.get(ten.id)?.world.annotations.add()

  expect([initial, empty, nine, ten].map(({ id }) => count(id))).toEqual([8, 0, 10, 11])
  simulator.sandboxes.get(nine.id)?.reset()
  simulator.sandboxes.get(ten.id)?.reset()
  expect([count(nine.id), count(ten.id)]).toEqual([9, 10])
})

test('settings, clock and seed default to those of the world that a sandbox starts with', async () => {
  const { simulator } = await start({ settings: { 'limits.body': 4096 } })
  const settingsOf = (id: string) => {
    const { clock, settings } = simulator.sandboxes.get(id) ?? {}
    return [clock?.read(), settings?.get('limits.body'), settings?.get('methods.put')]
  }

  const same = simulator.sandboxes.create()
  const live = simulator.sandboxes.create({
    profile: 'live',
    settings: { 'limits.body': 100 },
    clock: { mode: 'frozen', now: '2020-02-02' },
  })
  const likeLive = simulator.sandboxes.create({ from: live.id })
  const seeded = [7, 7, 8].map((seed) => simulator.sandboxes.create({ seed }).id)

  const noon = { mode: 'frozen', now: '2024-06-15T12:00:00Z' }
  const then = { mode: 'frozen', now: '2020-02-02T00:00:00Z' }
  expect(settingsOf(same.id)).toEqual([noon, 4096, 'off'])
  expect(settingsOf(live.id)).toEqual([then, 100, 'on'])
  expect(settingsOf(likeLive.id)).toEqual([then, 100, 'on'])
  expect(seeded.map((id) => simulator.sandboxes.get(id)?.world.toJSON().seed)).toEqual([7, 7, 8])
})

test('a sandbox is like the start of the simulator, or like its present state', async () => {
  const { simulator } = await start({ clock: { mode: 'ticking', now: '2024-06-01' } })
  simulator.world.annotations.add()
  simulator.settings.set({ 'annotations.delete.status': 403 })
  simulator.clock.set('2030-01-01')
  simulator.restore({ ...simulator.world.toJSON(), seed: 7 })
  const stateOf = (from?: string) => {
    const { id } = simulator.sandboxes.create(from === undefined ? {} : { from })
    const { world, settings, clock } = simulator.sandboxes.get(id) as Simulator
    const { mode, now } = clock.read()
    const status = settings.get('annotations.delete.status')
    return [world.annotations.count, status, mode, now.slice(0, 10), world.toJSON().seed]
  }

  const [initial, present] = [stateOf(), stateOf('current')]

  expect(initial).toEqual([8, '405', 'ticking', '2024-06-01', 1])
  expect(present).toEqual([9, '403', 'frozen', '2030-01-01', 7])
  expect(() => stateOf('curent')).toThrow(
    /^Failed to create a sandbox: expected current, or the name of .*, got "curent"\. Did you mean current\?$/,
  )
})

test.each<[world: string, open: (host: Simulator) => Simulator]>([
  ['sandbox', ({ sandboxes }) => sandboxes.get(sandboxes.create().id) as Simulator],
  ['fork', (host) => host.fork()],
])('the journal of a %s has the options of that of its simulator', async (_, open) => {
  const inner = open(createSimulator({ journal: { entries: 2, body: 5, redact: ['x-pin'] } }))

  for (const pin of ['1', '2', '3'])
    await inner.fetch(annotationsPath, initOf('POST', { headers: { 'x-pin': pin }, body: {} }))

  expect(inner.journal.find()).toMatchObject(
    [2, 3].map((id) => ({
      id,
      request: { headers: { 'x-pin': '…' } },
      response: { omitted: true },
    })),
  )
})

test('a deleted sandbox is not found, and its keys are unknown', async () => {
  const { ask, simulator } = await start()
  const sandbox = simulator.sandboxes.create()
  const url = `/__sandbox/${sandbox.id}/api/projects/`

  expect((await ask('GET', url, { key: keyOf(sandbox) })).status).toBe(200)
  expect(simulator.sandboxes.delete(sandbox.id)).toBe(true)

  expect(simulator.sandboxes.delete(sandbox.id)).toBe(false)
  expect(simulator.sandboxes.get(sandbox.id)).toBeUndefined()
  expect(await ask('GET', url, { key: keyOf(sandbox) })).toEqual(
    notFound('Sandbox sandbox-1 not found: it was never created, or has ended.'),
  )
  expect(await ask('GET', '/api/projects/', { key: keyOf(sandbox) })).toEqual(invalidKey())
})

test('a fork is an independent simulator with the same rows and keys', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'Before' } })
  simulator.faults.add({ method: 'PATCH', effect: { drop: true } })

  const fork = simulator.fork({ clock: '2030-01-01' })
  fork.world.annotations.add()
  await ask('POST', annotationsPath, { body: {} })
  await ask('POST', annotationsPath, { body: {} })

  expect([fork.world.annotations.count, simulator.world.annotations.count]).toEqual([10, 11])
  expect(fork.sandboxes.create().id).toBe('sandbox-1')
  expect(fork.clock.iso()).toBe('2030-01-01T00:00:00Z')
  const headers = authorization()
  expect((await fork.fetch(annotationsPath, { headers })).status).toBe(200)
  fork.reset()
  expect([fork.world.annotations.count, fork.faults.list()]).toEqual([9, []])
})
