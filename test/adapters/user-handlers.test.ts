import { HttpResponse, http, passthrough, ws } from 'msw'
import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { authorization } from '../support/api/headers.ts'
import { transports } from './transports.ts'

const url = 'http://localhost/api/projects/'
const init = { headers: authorization() }
const answer = (text: string) => http.get(url, () => HttpResponse.json(text))

test('handlers of the user come before those of the simulator, and the latest comes first', async () => {
  const simulator = createSimulator({ handlers: [answer('first'), answer('second')] })
  const texts = []

  texts.push(await (await simulator.fetch('/api/projects/', init)).json())
  simulator.use(answer('third'), answer('fourth'))
  texts.push(await (await simulator.fetch('/api/projects/', init)).json())

  expect(texts).toEqual(['first', 'third'])
  expect(simulator.journal.find()).toEqual([])
})

test('a handler that is aborted because its client gave up has not failed', async () => {
  const client = new AbortController()
  const waiting = http.get(url, async ({ request: { signal } }) => {
    client.abort()
    signal.throwIfAborted()
  })
  const simulator = createSimulator({ handlers: [waiting] })

  await expect(simulator.fetch(url, { signal: client.signal })).rejects.toThrow(/abort/)

  expect([...simulator.userHandlers.failures]).toEqual([])
})

test('reset() removes what use() added, and keeps the option', async () => {
  const simulator = createSimulator({ handlers: [answer('option')] })
  simulator.use(answer('used'))

  simulator.reset({ only: ['rows'] })
  expect(await (await simulator.fetch(url)).json()).toBe('used')

  simulator.reset()
  expect(await (await simulator.fetch(url)).json()).toBe('option')
})

test('a handler without a response, of another URL, or used up leaves the request to the simulator', async () => {
  const simulator = createSimulator()
  simulator.use(
    http.get('http://localhost/other', () => HttpResponse.json('other')),
    http.get(url, () => {}),
    http.get(url, () => passthrough()),
  )
  simulator.use(http.get(url, () => HttpResponse.json('once'), { once: true }))

  expect(await (await simulator.fetch(url, init)).json()).toBe('once')
  expect((await (await simulator.fetch(url, init)).json()).count).toBe(2)
})

test('handlers of the simulator itself can be added', async () => {
  const simulator = createSimulator({ handlers: [answer('option')] })

  simulator.use(...simulator.handlers)

  expect((await (await simulator.fetch(url, init)).json()).count).toBe(2)
  expect(simulator.journal.find()).toHaveLength(1)
})

test('a copy starts with them, and has its own from then on', async () => {
  const simulator = createSimulator()
  simulator.use(answer('before'))
  const copy = simulator.fork()
  simulator.use(answer('after'))

  expect(await (await copy.fetch(url)).json()).toBe('before')
  copy.use(answer('copy'))
  expect(await (await simulator.fetch(url)).json()).toBe('after')
})

test('sandboxes share them', async () => {
  const simulator = createSimulator()
  const { id } = simulator.sandboxes.create()
  simulator.sandboxes.get(id)?.use(answer('shared'))

  expect(await (await simulator.fetch(url)).json()).toBe('shared')
})

test('a value that is no handler is refused', () => {
  expect(() => createSimulator({ handlers: answer('no list') as never })).toThrow(
    'Failed to create a simulator: expected a list of MSW handlers, got HttpHandler {"kind":"request","options":{},"scheduledCleanups":{},"info":{"heade….',
  )
  const socket = ws.link('ws://a.test').addEventListener('connection', () => {})
  expect(() => createSimulator({ handlers: [socket] as never })).toThrow(/a list of MSW handlers/)
  expect(() => createSimulator().use([answer('nested')] as never)).toThrow(
    'Failed to use handlers: expected MSW handlers, as in use(...handlers), got [[{"kind":"request","options":{},"scheduledCleanups":{},"info":{"header":"GET ht….',
  )
})

const list = '/api/projects/1/annotations/'
const json = { 'content-type': 'application/json', ...authorization() }

test.each(transports)(
  'through %s, handlers that read the body and pass on leave it to the next ones',
  async (_, open) => {
    const bodies: string[] = []
    const spy = http.post('*', async ({ request }) => {
      bodies.push(await request.text())
    })
    const simulator = createSimulator({ handlers: [spy, spy] })
    const send = await open(simulator)

    const response = await send(list, { method: 'POST', headers: json, body: '{"content":"Read"}' })

    expect([response.status, (await response.json()).content]).toEqual([201, 'Read'])
    expect(bodies).toEqual(['{"content":"Read"}', '{"content":"Read"}'])
  },
)

test.each(transports)(
  'through %s, a body above the limit of the API reaches a handler whole, and is refused by the API',
  async (_, open) => {
    const simulator = createSimulator()
    const send = await open(simulator)
    const body = JSON.stringify({ content: 'x'.repeat(2_000_000) })
    const post = () => send(list, { method: 'POST', headers: json, body })

    simulator.use(
      http.post(
        `*${list}`,
        async ({ request }) => HttpResponse.json((await request.arrayBuffer()).byteLength),
        { once: true },
      ),
    )

    expect(await (await post()).json()).toBe(body.length)
    expect((await post()).status).toBe(413)
  },
)
