import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../src/node.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'

const list = '/api/projects/1/annotations/'

/** Delays the next list. Resolves to the request when the delay has begun. */
async function sendSlow(
  simulator: Simulator,
  get: (path: string) => Promise<unknown>,
  milliseconds: number,
) {
  simulator.faults.add({ operation: 'listAnnotations', effect: { delay_ms: milliseconds } })
  const response = get(list).catch((error) => error)
  await expect.poll(() => simulator.faults.list()).toMatchObject([{ applied: 1 }])
  return { response }
}

/** A server, and clients that each keep one connection. */
async function start() {
  const simulator = createSimulator()
  const server = await listen(simulator)
  onTestFinished(() => server.close())
  const openClient = (key = simulator.defaults.key) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    return async (path: string) => {
      const headers = { authorization: `Bearer ${key}` }
      const sent = request(server.url + path, { agent, headers }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const { statusCode, headers: received } = response
      const body: unknown = JSON.parse(String(Buffer.concat(chunks)))
      return { status: statusCode, connection: received.connection, body }
    }
  }
  return { simulator, server, openClient }
}

test('close answers requests in flight, with `Connection: close`, and takes no new connection', async () => {
  const { simulator, server, openClient } = await start()
  const inFlight = await sendSlow(simulator, openClient(), 500)

  const closed = server.close({ drain: 10_000 })
  await expect(openClient()(list)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  const response = await inFlight.response
  await closed

  expect(response).toMatchObject({ status: 200, connection: 'close', body: { count: 6 } })
})

test('a server that stops answers requests on open connections, and is not ready', async () => {
  const { simulator, server, openClient } = await start()
  const [get, getOther] = [openClient(), openClient()]
  await getOther('/api/projects/')
  const inFlight = await sendSlow(simulator, get, 500)

  const closed = server.close({ drain: 10_000 })
  const readiness = await getOther('/__admin/health/ready')
  await inFlight.response
  await closed

  expect(readiness).toEqual({
    status: 503,
    connection: 'close',
    body: { name: 'understudy-api', status: 'stopping' },
  })
})

test('a server that stops without a request waits for one that a proxy is sending on an open connection', async () => {
  const { server, openClient } = await start()
  const get = openClient()
  await get('/api/projects/')

  const closed = server.close({ drain: 10_000 })
  await pause(50)
  const response = await get(list)
  await closed

  expect(response).toMatchObject({ status: 200, connection: 'close', body: { count: 6 } })
})

test('streams of events end when the server stops, and do not delay it', async () => {
  const { server } = await start()
  const response = await fetch(`${server.url}/__admin/journal/events`)

  const closed = server.close({ drain: 10_000 }).then(() => 'closed')
  const events = await response.text()
  const first = await Promise.race([closed, pause(5_000, 'still open')])

  expect(events).toBe(': the journal, an event for each entry\nid: 0\n\n')
  expect(first).toBe('closed')
})

test('a replay in flight is finished when the server stops', async () => {
  const { server } = await start()
  const response = await fetch(`${server.url}/__admin/replays`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scenario: 'missing-or-wrong-key' }),
  })

  const closed = server.close({ drain: 10_000 })
  const events = await response.text()
  await closed

  expect(events.match(/^event: .*/gm)).toEqual([...Array(5).fill('event: step'), 'event: result'])
})

test('requests that faults hold go on when the server stops, also in sandboxes', async () => {
  const { simulator, server, openClient } = await start()
  const sandbox = simulator.sandboxes.get(simulator.sandboxes.create().id) as Simulator
  const worlds = [simulator, sandbox]
  for (const { faults } of worlds) faults.add({ effect: { hold: true } })
  const inFlight = [openClient()(list), openClient(sandbox.defaults.key)(list)]
  const waiting = () => worlds.map(({ faults }) => faults.list()[0]?.waiting)
  await expect.poll(waiting).toEqual([1, 1])

  const closed = server.close({ drain: 20_000 }).then(() => 'closed')
  const first = await Promise.race([closed, pause(10_000, 'still open')])
  const responses = await Promise.all(inFlight)

  expect(first).toBe('closed')
  expect(responses).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(waiting()).toEqual([0, 0])
})

test('a request that is not answered in time is cut off', async () => {
  const { simulator, server, openClient } = await start()
  const inFlight = await sendSlow(simulator, openClient(), 60_000)

  await server.close({ drain: 50 })

  expect(await inFlight.response).toMatchObject({ code: 'ECONNRESET' })
})

test('a server is live and ready, with its idle connections open for 75 seconds', async () => {
  const { server, openClient } = await start()
  const get = openClient()

  const live = await get('/__admin/health/live')
  const ready = await get('/__admin/health/ready')
  const { headers } = await fetch(`${server.url}/__admin/health/ready`)

  expect([live, ready]).toEqual([
    { status: 200, connection: 'keep-alive', body: { name: 'understudy-api', status: 'live' } },
    { status: 200, connection: 'keep-alive', body: { name: 'understudy-api', status: 'ready' } },
  ])
  expect(headers.get('keep-alive')).toBe('timeout=75')
})
