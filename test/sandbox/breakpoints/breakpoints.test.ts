import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const row = `${annotationsPath}1/`

test('the next matching request is held, looked at and let go; others pass', async () => {
  const { ask, simulator } = await start()
  const { breakpoints } = simulator
  const next = breakpoints.next({ operation: 'createAnnotation' })

  const created = ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const held = await next
  const others = await ask('GET', annotationsPath)
  const before = breakpoints.held()
  held.continue()
  const after = breakpoints.held()

  expect(held).toMatchObject({
    id: 1,
    breakpoint: 'breakpoint-1',
    at: '2024-06-15T12:00:00Z',
    operation: 'createAnnotation',
    method: 'POST',
    path: annotationsPath,
    query: {},
    key: { label: 'all', value: 'phx_…' },
    request: { body: { content: 'Launch' }, bytes: 20, omitted: false },
  })
  expect(others).toMatchObject({ status: 200, body: { count: 6 } })
  expect([before, after]).toEqual([[held], []])
  expect(await created).toMatchObject({ status: 201, body: { id: 9, content: 'Launch' } })
  expect([breakpoints.held(), breakpoints.list()]).toEqual([[], []])
  expect(simulator.journal.get(1)).toMatchObject({
    operation: 'createAnnotation',
    fault: null,
    breakpoint: { id: 'breakpoint-1', outcome: 'continued', held_ms: expect.any(Number) },
    changes: [{ list: 'annotations', id: 9, kind: 'created' }],
  })
})

test('a request is answered by hand: the service does not get it', async () => {
  const { send, simulator } = await startSending()
  const next = simulator.breakpoints.next({ method: 'POST' })

  const pending = send('POST', annotationsPath, { body: { content: 'Launch' } })
  const held = await next
  held.fulfill({ status: 409, headers: { 'retry-after': '5' }, body: { detail: 'Taken.' } })
  const response = await pending

  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    409,
    '5',
    { detail: 'Taken.' },
  ])
  expect(simulator.world.annotations.count).toBe(8)
  expect(simulator.journal.get(1)).toMatchObject({
    response: { status: 409, body: { detail: 'Taken.' } },
    fault: {
      id: 'breakpoint-1',
      phase: 'before',
      effect: { status: 409, headers: { 'retry-after': '5' }, body: { detail: 'Taken.' } },
    },
    breakpoint: { outcome: 'fulfilled' },
    reason: expect.stringMatching(
      /^409: held for \d\.\d s by breakpoint-1, then answered by hand: the response is a 409$/,
    ),
    changes: [],
  })
})

test('a request is dropped: the client gets a network error', async () => {
  const { ask, simulator } = await start()
  const next = simulator.breakpoints.next({ path: '/api/projects/1/annotations/:id' })

  const pending = ask('PATCH', row, { body: { content: 'Changed' } })
  const failure = expect(pending).rejects.toThrow(TypeError)
  ;(await next).drop()

  await failure
  expect(simulator.world.annotations.get(1)?.content).toBe('Release 1.0')
  expect(simulator.journal.get(1)).toMatchObject({
    response: { status: 0 },
    fault: { id: 'breakpoint-1', phase: 'before', effect: { drop: true } },
    breakpoint: { outcome: 'dropped' },
  })
})

test('a request continues by itself when its time is over, and the journal says so', async () => {
  const { ask, simulator } = await start()
  simulator.breakpoints.add({ operation: 'listAnnotations', timeout_ms: 20 })

  const response = await ask('GET', annotationsPath)

  expect(response).toMatchObject({ status: 200, body: { count: 6 } })
  expect(simulator.journal.get(1)).toMatchObject({
    breakpoint: { id: 'breakpoint-1', outcome: 'timeout' },
    reason: expect.stringMatching(
      /^200: held for 0\.\d s by breakpoint-1, then continued because its time was over$/,
    ),
  })
  expect(simulator.breakpoints.list()).toMatchObject([{ matched: 1, applied: 1 }])
})

test('two clicks are two requests, which are held one after the other', async () => {
  const { ask, simulator } = await start()
  const pattern = { operation: 'createAnnotation' }
  const [first, second] = [simulator.breakpoints.next(pattern), simulator.breakpoints.next(pattern)]

  const clicks = ['One', 'Two'].map(async (content) => {
    const { body } = await ask('POST', annotationsPath, { body: { content } })
    return (body as { id: number }).id
  })
  const held = [await first, await second]
  const contents = held.map(({ request }) => (request.body as { content: string }).content)
  held[1]?.continue()
  const winner = await Promise.race(clicks)
  held[0]?.continue()

  expect(contents.toSorted()).toEqual(['One', 'Two'])
  expect(winner).toBe(9)
  expect((await Promise.all(clicks)).toSorted()).toEqual([10, 9])
})

test('of several breakpoints the first one holds the request, and `when` selects requests', async () => {
  const { ask, simulator } = await start()
  const { breakpoints } = simulator
  breakpoints.add({ operation: 'listAnnotations', when: { skip: 1 } })
  breakpoints.add({ operation: 'listAnnotations' })

  const one = ask('GET', annotationsPath)
  await expect.poll(() => breakpoints.held().length).toBe(1)
  const two = ask('GET', annotationsPath)
  await expect.poll(() => breakpoints.held().length).toBe(2)
  const holders = breakpoints.held().map(({ breakpoint }) => breakpoint)
  breakpoints.clear()

  expect(holders).toEqual(['breakpoint-2', 'breakpoint-1'])
  expect([(await one).status, (await two).status]).toEqual([200, 200])
  expect(breakpoints.list()).toEqual([])
})

test('removing a breakpoint lets its requests continue', async () => {
  const { ask, simulator } = await start()
  const { breakpoints } = simulator
  const { id } = breakpoints.add({ key: 'all' })

  const pending = ask('GET', annotationsPath)
  await expect.poll(() => breakpoints.held().length).toBe(1)
  const removed = [breakpoints.remove(id), breakpoints.remove(id)]

  expect(removed).toEqual([true, false])
  expect(await pending).toMatchObject({ status: 200 })
  expect(simulator.journal.get(1)).toMatchObject({ breakpoint: { outcome: 'continued' } })
})

test('a reset drops the requests that are held, so that they do not change the new rows', async () => {
  const { ask, simulator } = await start()
  const unmet = simulator.breakpoints.next({ operation: 'listPlugins' })
  const next = simulator.breakpoints.next({ operation: 'createAnnotation' })

  const pending = ask('POST', annotationsPath, { body: { content: 'Former test' } })
  const failure = expect(pending).rejects.toThrow(TypeError)
  await next
  simulator.reset({ only: ['rows'] })
  const afterRows = simulator.breakpoints.held().length
  simulator.reset()

  await failure
  await expect(unmet).rejects.toThrow(
    'breakpoint-1 held no request: the sandbox was reset or ended.',
  )
  expect(afterRows).toBe(1)
  expect(simulator.breakpoints.list()).toEqual([])
  expect(simulator.world.annotations.count).toBe(8)
  expect(simulator.journal.get(1)).toMatchObject({ breakpoint: { outcome: 'reset' } })
})

test('a sandbox that is deleted drops its requests, and blocks no other sandbox', async () => {
  const { ask, simulator } = await start()
  const { id, remote } = createSandbox(simulator)
  const next = remote.breakpoints.next()

  const pending = ask('GET', annotationsPath, { key: 'phx_worker' })
  const failure = expect(pending).rejects.toThrow(TypeError)
  await next
  const elsewhere = await ask('GET', annotationsPath)
  simulator.sandboxes.delete(id)

  expect(elsewhere).toMatchObject({ status: 200 })
  await failure
  expect(simulator.breakpoints.held()).toEqual([])
})

test('a client that disconnects ends its hold', async () => {
  const { origin, simulator } = await start()
  const next = simulator.breakpoints.next({ operation: 'createAnnotation' })
  const abort = new AbortController()

  const pending = fetch(`${origin}${annotationsPath}`, {
    method: 'POST',
    headers: { authorization: 'Bearer phx_all', 'content-type': 'application/json' },
    body: '{"content": "Launch"}',
    signal: abort.signal,
  })
  const failure = expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  const held = await next
  abort.abort()

  await failure
  await expect.poll(() => simulator.journal.get(1)?.breakpoint?.outcome).toBe('disconnected')
  expect(() => held.continue()).toThrow(
    'Failed to continue the request: it has ended already (disconnected). A held request ends once.',
  )
  expect(simulator.world.annotations.count).toBe(8)
})

test('faults apply to a request after it was held', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'listPlugins', effect: { error: 'throttled' } })
  const next = simulator.breakpoints.next({ operation: 'listAnnotations' })

  const pending = ask('GET', annotationsPath)
  ;(await next).continue({ path: '/api/organizations/@current/plugins/' })

  expect(await pending).toMatchObject({ status: 429 })
  expect(simulator.journal.get(1)).toMatchObject({
    operation: 'listPlugins',
    fault: { id: 'fault-1' },
    breakpoint: { outcome: 'edited' },
  })
})

test('at most 100 requests are held: the next ones pass, and the journal says so', async () => {
  const { ask, simulator } = await start()
  const { breakpoints, journal } = simulator
  breakpoints.add({})

  const pending = Array.from({ length: 100 }, () => ask('GET', row))
  await expect.poll(() => breakpoints.held().length).toBe(100)
  const unmet = breakpoints.next()
  const passed = await ask('GET', row)
  breakpoints.clear()
  await Promise.all(pending)

  expect(passed).toMatchObject({ status: 200 })
  expect(journal.get(101)).toMatchObject({
    breakpoint: { id: 'breakpoint-1', outcome: 'limit', held_ms: 0 },
    reason: '200: not held by breakpoint-1 because too many requests were held',
  })
  await expect(unmet).rejects.toThrow('breakpoint-2 held no request: it was removed.')
})

test('a fault that is added while a request is held applies to it', async () => {
  const { ask, simulator } = await start()
  const next = simulator.breakpoints.next({ operation: 'createAnnotation' })

  const pending = ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const held = await next
  simulator.faults.add({ operation: 'createAnnotation', effect: { status: 503 } })
  held.continue()

  expect(await pending).toMatchObject({ status: 503 })
  expect(simulator.world.annotations.count).toBe(8)
})

test('a breakpoint that can never hold a request has a warning', async () => {
  const { simulator } = await start()
  const warnings: string[] = []
  simulator.sandbox.onWarning((warning) => warnings.push(warning))

  const { warning } = simulator.breakpoints.add({ operation: 'replaceAnnotation' })

  expect(warning).toBe(
    'It can never hold a request: the current policies disable replaceAnnotation.',
  )
  expect(warnings).toEqual([`breakpoint-1 (replaceAnnotation): ${warning}`])
})

async function startSending() {
  const started = await start()
  return { simulator: started.simulator, send: started.send.bind(started) }
}

function createSandbox(simulator: Awaited<ReturnType<typeof start>>['simulator']) {
  const { id } = simulator.sandboxes.create({ keys: { all: 'phx_worker' } })
  const remote = simulator.sandboxes.get(id)
  if (!remote) throw new Error(`${id} does not exist`)
  return { id, remote }
}
