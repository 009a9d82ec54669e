import { expect, onTestFinished } from 'vitest'
import { connect } from '../../src/remote/connect.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { socketTest, start } from '../support/lanes/start.ts'

socketTest('a client of the server holds the next request, and edits it', async () => {
  const { ask, origin, simulator } = await start()
  const { breakpoints } = connect(origin)
  const next = breakpoints.next({ operation: 'createAnnotation' })
  await expect.poll(() => simulator.breakpoints.list().length).toBe(1)

  const created = ask('POST', annotationsPath, { body: { content: 'Sent' } })
  const held = await next
  await held.continue({ body: { content: 'Edited' } })

  expect(held).toMatchObject({
    id: 1,
    breakpoint: 'breakpoint-1',
    operation: 'createAnnotation',
    method: 'POST',
    path: annotationsPath,
    key: { label: 'all', value: 'phx_…' },
    request: { body: { content: 'Sent' } },
  })
  expect(held.remaining_ms).toBeGreaterThan(0)
  expect(held.remaining_ms).toBeLessThanOrEqual(30_000)
  expect(await created).toMatchObject({ status: 201, body: { content: 'Edited' } })
  expect(await breakpoints.read()).toEqual({
    version: expect.any(Number),
    breakpoints: [],
    held: [],
  })
  await expect(held.drop()).rejects.toMatchObject({
    message: 'Held request 1 not found: it was never held, or has ended.',
    status: 404,
    field: 'id',
  })
})

socketTest('requests of a server are answered by hand and dropped', async () => {
  const { ask, origin, simulator } = await start()
  const { breakpoints } = connect(origin)
  const added = await breakpoints.add({ method: ['GET', 'PATCH'], timeout_ms: 5_000 })

  const answered = ask('GET', annotationsPath)
  const dropped = ask('PATCH', `${annotationsPath}1/`, { body: {} }).catch(() => 'no response')
  await expect.poll(() => simulator.breakpoints.held().length).toBe(2)
  for (const held of await breakpoints.held()) {
    if (held.method === 'GET') await held.fulfill({ status: 503, body: 'Down.' })
    else await held.drop()
  }

  expect(await answered).toEqual({ status: 503, body: 'Down.' })
  expect(await dropped).toBe('no response')
  expect(await breakpoints.list()).toEqual([{ ...added, matched: 2, applied: 2 }])
  expect([await breakpoints.remove(added.id), await breakpoints.remove(added.id)]).toEqual([
    true,
    false,
  ])
})

socketTest('a wrong change is refused, and the request is still held', async () => {
  const { ask, origin, simulator } = await start()
  const { breakpoints } = connect(origin)
  await breakpoints.add({})

  const pending = ask('GET', annotationsPath)
  await expect.poll(() => simulator.breakpoints.held().length).toBe(1)

  await expect(breakpoints.continue(1, { path: '/health' })).rejects.toMatchObject({
    message:
      'Failed to continue the request.\n  path: expected a path such as /api/projects/, got "/health"',
    field: 'path',
    status: 400,
  })
  await expect(breakpoints.fulfill(1, { status: 1_000 })).rejects.toMatchObject({
    field: 'status',
    status: 400,
  })
  expect((await breakpoints.held()).length).toBe(1)
  await breakpoints.clear()
  expect(await pending).toMatchObject({ status: 200 })
})

socketTest('a wait that is aborted removes its breakpoint', async () => {
  const { origin, simulator } = await start()
  const abort = new AbortController()

  const next = connect(origin).breakpoints.next({}, { signal: abort.signal })
  const failure = expect(next).rejects.toMatchObject({ name: 'AbortError' })
  await expect.poll(() => simulator.breakpoints.list().length).toBe(1)
  abort.abort()

  await failure
  expect(simulator.breakpoints.list()).toEqual([])
})

socketTest('a breakpoint that is removed while a client waits for it is an error', async () => {
  const { origin, simulator } = await start()

  const next = connect(origin).breakpoints.next()
  const failure = expect(next).rejects.toThrow(
    'breakpoint-1 is gone: it was removed, or its request has ended already.',
  )
  await expect.poll(() => simulator.breakpoints.list().length).toBe(1)
  simulator.breakpoints.clear()

  await failure
})

socketTest('a list waits until a request is held, or until anything changes', async () => {
  const { ask, origin, simulator } = await start()
  const { breakpoints } = connect(origin)
  const { version } = await breakpoints.read()

  const [changed, held] = [
    breakpoints.read({ after: version, wait_ms: 10_000 }),
    breakpoints.read({ wait_ms: 10_000 }),
  ]
  simulator.breakpoints.add({})
  const first = await changed
  const pending = ask('GET', annotationsPath)
  const second = await held
  simulator.breakpoints.clear()

  expect([first.breakpoints.length, first.held.length]).toEqual([1, 0])
  expect(second.held).toMatchObject([{ method: 'GET', path: annotationsPath }])
  expect(await breakpoints.read({ wait_ms: 1 })).toMatchObject({ breakpoints: [], held: [] })
  expect(await pending).toMatchObject({ status: 200 })
})

socketTest('a server that closes ends its held requests and its waits', async () => {
  const { ask, close, origin, simulator } = await start()
  simulator.breakpoints.add({})

  const pending = ask('GET', annotationsPath).catch(() => 'no response')
  const waiting = connect(origin)
    .breakpoints.read({ after: 1_000, wait_ms: 0 })
    .then(({ version }) => connect(origin).breakpoints.read({ after: version, wait_ms: 50_000 }))
    .catch(() => 'no response')
  await expect.poll(() => simulator.breakpoints.held().length).toBe(1)
  await close()

  expect(await pending).toBe('no response')
  await waiting
  await expect.poll(() => simulator.breakpoints.held().length).toBe(0)
  expect(simulator.journal.get(1)?.breakpoint?.outcome).toBe('disconnected')
})

socketTest('many clients can wait at once, without a warning of Node', async () => {
  const { origin, simulator } = await start()
  const { breakpoints } = connect(origin)
  const warnings: Error[] = []
  const onWarning = (warning: Error) => void warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const { version } = await breakpoints.read()

  const waiting = Array.from({ length: 20 }, () =>
    breakpoints.read({ after: version, wait_ms: 50_000 }),
  )
  await expect.poll(() => simulator.sandbox.events.count('hold')).toBe(20)
  const { id } = await breakpoints.add({ operation: 'listPlugins' })
  const states = await Promise.all(waiting)

  expect(states.map((state) => state.breakpoints.map((each) => each.id))).toEqual(
    states.map(() => [id]),
  )
  expect(warnings).toEqual([])
})
