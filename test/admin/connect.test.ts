import { expect, onTestFinished, test, vi } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { connect } from '../../src/admin/connect.ts'
import * as ofNode from '../../src/node.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { startHttpServer } from '../support/http-server.ts'
import { serve } from '../support/transports/start.ts'

test('sandboxes are listed and deleted, and an unknown one is undefined or false', async () => {
  const { sandboxes } = connect(`${(await serve({ baseUrl: '/service' })).origin}/service`)
  const { remote, ...info } = await sandboxes.create()

  expect([await sandboxes.list(), await sandboxes.info(info.id)]).toEqual([[info], info])
  expect((await remote.clock.read()).mode).toBe('frozen')
  expect([await sandboxes.delete(info.id), await sandboxes.delete(info.id)]).toEqual([true, false])
  expect(await sandboxes.list()).toEqual([])
  expect(await sandboxes.get(info.id)).toBeUndefined()
  expect(await sandboxes.info(info.id)).toBeUndefined()
})

test('the world is read, extended, reset and replaced', async () => {
  const { origin, simulator } = await serve()
  const { world, faults, reset } = connect(origin)

  const before = await world.read()
  const matches = await Promise.all(
    ['null', 'true', 'organizations', 'ada@'].map((search) => world.find('users', { search })),
  )
  const added = await world.add({ annotations: [{ content: 'One' }, { content: 'Two' }] })
  const grown = (await world.read()).annotations?.length
  await reset()
  const after = await world.read()
  await world.add({ annotations: [{ content: 'Three' }] })
  await faults.add({ preset: 'outage' })
  await reset({ only: ['faults'] })
  const [three, rules] = [await world.get('annotations', 9), await faults.list()]
  const counts = await world.replace({ ...before, annotations: [] })

  expect(after).toEqual(before)
  // Only values are searched.
  expect(matches.map(({ count }) => count)).toEqual([0, 0, 0, 1])
  expect([added, grown]).toEqual([{ annotations: [9, 10] }, 10])
  expect([three?.content, rules]).toEqual(['Three', []])
  expect(counts).toEqual(simulator.world.counts)
  expect(counts).toMatchObject({ projects: 2, annotations: 0 })
})

test('the clock is set, advanced, started, frozen and released', async () => {
  const { clock } = connect((await serve()).origin)

  await clock.set(new Date('2024-02-28T23:00:00Z'))
  await clock.advance({ hours: 2 })
  const frozen = await clock.read()
  await clock.tick('2030-01-01')
  const ticking = await clock.read()
  await clock.freeze()
  const again = (await clock.read()).mode
  await clock.release()

  expect(frozen).toEqual({ mode: 'frozen', now: '2024-02-29T01:00:00Z' })
  expect(ticking).toEqual({ mode: 'ticking', now: expect.stringMatching(/^2030-01-01T00:00/) })
  expect([again, (await clock.read()).mode]).toEqual(['frozen', 'real'])
})

test('keys are issued, listed and revoked', async () => {
  const { origin, ask } = await serve()
  const { keys, fetch } = connect(origin)

  const key = await keys.issue({ scopes: ['annotation:read'], label: 'Reader' })
  const odd = await keys.issue({ value: 'phx reader/1.x' })
  const read = await fetch(annotationsPath, { headers: { authorization: `Bearer ${key}` } })
  const revoked = [await keys.revoke(key), await keys.revoke(key), await keys.revoke(odd)]

  expect([read.status, revoked]).toEqual([200, [true, false, true]])
  expect((await ask('GET', annotationsPath, { key })).status).toBe(401)
  expect((await keys.list()).map(({ value }) => value)).toEqual(
    defaultWorld.keys.map(({ value }) => value),
  )
})

test('settings are listed, read and set', async () => {
  const { origin, ask, simulator } = await serve()
  const { settings } = connect(origin)

  const before = await settings.get('annotations.delete.status')
  await settings.set({ 'annotations.delete.status': 403 })
  const none = settings.set({ 'methods.put': 'off', 'annotations.delete.status': 200 as never })

  await expect(none).rejects.toMatchObject({ field: 'annotations.delete.status' })
  expect([before, await settings.get('annotations.delete.status')]).toEqual(['405', '403'])
  expect((await ask('DELETE', `${annotationsPath}1/`)).status).toBe(403)
  expect(await settings.list()).toEqual(simulator.settings.list())
})

test('faults are added, listed and removed', async () => {
  const { origin, ask } = await serve()
  const { faults } = connect(origin)

  const [rule] = await faults.add({
    operation: 'listAnnotations',
    when: { times: 1 },
    effect: { error: 'throttled' },
  })
  const [first, second] = [await ask('GET', annotationsPath), await ask('GET', annotationsPath)]
  const listed = await faults.list()

  expect([first.status, second.status]).toEqual([429, 200])
  expect(listed).toMatchObject([{ id: rule?.id, matched: 2, applied: 1 }])
  expect([await faults.remove(rule?.id ?? ''), await faults.remove('fault-9')]).toEqual([
    true,
    false,
  ])
  await faults.add({ preset: 'outage' })
  await faults.clear()
  expect(await faults.list()).toEqual([])
})

test('the journal is searched, verified, exported and cleared', async () => {
  const { origin, ask, simulator } = await serve()
  const { explain, journal } = connect(origin)
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('GET', `${annotationsPath}99/`)
  for (const path of ['/api/nothing/', '/api/nowhere/', '/api/projects/']) await ask('GET', path)

  const entries = await journal.find({ status: '4xx', operation: 'retrieveAnnotation' })
  const created = { operation: 'createAnnotation', query: { search: null }, count: 1 } as const
  const result = await journal.verify(created)

  const unmatched = await journal.find({ unmatched: true, key: 'all', limit: 1 })

  expect(entries).toMatchObject([{ operation: 'retrieveAnnotation' }])
  expect(unmatched).toMatchObject([{ path: '/api/nowhere/' }])
  expect(await journal.get(entries[0]?.id ?? 0)).toEqual(entries[0])
  expect(await explain({ id: 2 })).toMatchObject({ status: 404 })
  expect(result).toEqual(simulator.journal.verify(created))
  expect((await journal.toHar({ operation: 'createAnnotation' })).log.entries).toHaveLength(1)
  expect(await journal.get(99)).toBeUndefined()
  await journal.clear()
  expect(await journal.find()).toEqual([])
})

test('the journal is followed until the test stops it', async () => {
  const { origin, ask } = await serve()
  const { journal } = connect(origin)
  await ask('GET', `${annotationsPath}1/`)
  const seen: (string | null)[] = []

  const stop = await journal.follow(({ operation, response }) => {
    seen.push(`${operation} ${response.status}`)
  })
  await ask('POST', annotationsPath, { body: { content: 'Über alles 🦔' } })
  await ask('GET', `${annotationsPath}999/`)
  await expect.poll(() => seen.length).toBe(2)
  stop()
  const later = vi.fn()
  const stopLater = await journal.follow(later)
  await ask('GET', annotationsPath)
  await expect.poll(() => later.mock.calls.length).toBe(1)
  stopLater()
  const misspelt = journal.follow(later, { onEror: later } as never)

  await expect(misspelt).rejects.toThrow(/Did you mean "onError"\?$/)
  expect(seen).toEqual(['createAnnotation 201', 'retrieveAnnotation 404'])
})

test('entries are listed and followed without their bodies', async () => {
  const { origin, ask } = await serve()
  const { journal } = connect(origin)
  const bodies: unknown[] = []

  const stop = await journal.follow(({ request }) => bodies.push(request.body), { bodies: false })
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await expect.poll(() => bodies.length).toBe(1)
  stop()
  const [listed] = await journal.find({ bodies: false })
  bodies.push(listed?.request.body, (await journal.get(1))?.request.body)

  expect(bodies).toEqual([null, null, { content: 'Launch' }])
})

test.each([
  [0, [1, 2, 3]],
  [1, [2, 3]],
])('following continues after entry %i, and after an error of the listener', async (after, ids) => {
  const { origin, ask } = await serve()
  const { journal } = connect(origin)
  for (let id = 1; id <= 3; id++) await ask('GET', `${annotationsPath}${id}/`)
  const seen: number[] = []
  const onError = vi.fn()

  const stop = await journal.follow(
    ({ id }) => {
      seen.push(id)
      if (id === 2) throw new Error('not this one')
    },
    { after, onError },
  )
  await expect.poll(() => seen.length).toBe(ids.length)
  stop()

  expect(seen).toEqual(ids)
  expect(onError.mock.calls).toEqual([[new Error('not this one')]])
})

test('a follower whose server closes prints one sentence', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => print.mockRestore())
  const url = await startHttpServer(({ url: path }, response) => {
    if (path === '/__admin/health')
      return response.end(JSON.stringify({ name: 'understudy-api', version: '1.0.0' }))
    response.write('\n\n', () => response.destroy())
  })

  await connect(url).journal.follow(() => {})

  await expect
    .poll(() => print.mock.calls)
    .toEqual([[expect.stringMatching(/^journal\.follow\(\)/)]])
})

test('a response is explained by its entry', async () => {
  const { explain } = connect('http://127.0.0.1:1')

  await expect(explain(new Response() as never)).rejects.toThrow(
    'Failed to explain a response: expected an entry of the journal, or its id. The latest entry is the first of journal.find({ limit: 1 }).',
  )
})

test('a follower counts the entries that it missed, and knows the end', async () => {
  const health = JSON.stringify({ name: 'understudy-api', version: '1.0.0' })
  const events = 'event: missed\ndata: {"entries":3}\n\nid: 9\nevent: entry\ndata: {"id":9}\n\n'
  const url = await startHttpServer(({ url: path }, response) => {
    response.end(path === '/__admin/health' ? health : events)
  })
  const [listener, onMissed, onEnd] = [vi.fn(), vi.fn(), vi.fn()]

  await connect(url).journal.follow(listener, { onMissed, onEnd })
  await expect.poll(() => onEnd.mock.calls.length).toBe(1)

  expect([listener.mock.calls, onMissed.mock.calls]).toEqual([[[{ id: 9 }]], [[3]]])
})

test('connect is an export of understudy-api/node, too, where people look for it', () => {
  expect(ofNode.connect).toBe(connect)
})
