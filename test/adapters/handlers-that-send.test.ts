import { type DefaultBodyType, HttpResponse, http, type StrictRequest } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { authorization } from '../support/api/headers.ts'
import { transports } from './transports.ts'

const path = '/api/projects/1/annotations/1/'
const init = { headers: authorization() }

type Sent = StrictRequest<DefaultBodyType>

/** A handler that adds a field to the response to a request, which it sends itself. */
function addField(name: string, send: (request: Sent) => Promise<Response>) {
  return http.get(`*${path}`, async ({ request }) => {
    const response = await send(request)
    return HttpResponse.json({ ...(await response.json()), [name]: true })
  })
}

// Before a handler ran in another test: what tells senders apart is made once.
test.each(transports)(
  'in a page, which does not know what sent a request, a handler does not run for its URL: %s',
  async (name, open) => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    const simulator = createSimulator()
    const send = await open(simulator)
    simulator.use(addField('more', (request) => simulator.fetch(new Request(request))))

    const responses =
      name === 'simulator.fetch'
        ? [await send(path, init), await send(path, init)]
        : await Promise.all([send(path, init), send(path, init)])

    expect(await Promise.all(responses.map((response) => response.json()))).toMatchObject([
      { id: 1, more: true },
      { id: 1, more: true },
    ])
  },
)

/** Ways of a handler to send the request that it got. */
const ways: readonly [string, (simulator: Simulator) => (request: Sent) => Promise<Response>][] = [
  ['the request', (simulator) => (request) => simulator.fetch(request)],
  ['a copy', (simulator) => (request) => simulator.fetch(request.clone())],
  ['a request like it', (simulator) => (request) => simulator.fetch(new Request(request))],
  [
    'its URL',
    (simulator) =>
      ({ url, headers }) =>
        simulator.fetch(url, { headers }),
  ],
  [
    'its path, late',
    (simulator) =>
      async ({ url, headers }) => {
        await new Promise((resolve) => setTimeout(resolve))
        return simulator.fetch(new URL(url).pathname, { headers })
      },
  ],
  [
    'the request to a copy of a copy',
    (simulator) => (request) => simulator.fork().fork().fetch(request),
  ],
]

for (const [transport, open] of transports) {
  test.each(ways)(`through ${transport}, a handler does not run for %s`, async (_, sendBy) => {
    const simulator = createSimulator()
    const send = await open(simulator)
    const [first, second] = [
      addField('first', sendBy(simulator)),
      addField('second', sendBy(simulator)),
    ]
    simulator.use(first, second)

    const row = await (await send(path, init)).json()

    expect(row).toMatchObject({ id: 1, first: true, second: true })
  })
}

test.each(transports)('through %s, equal requests at once run a handler each', async (_, open) => {
  const simulator = createSimulator()
  const send = await open(simulator)
  const seen: string[] = []
  simulator.use(
    addField('more', async (request) => {
      seen.push(request.method)
      return simulator.fetch(request)
    }),
  )

  const responses = await Promise.all([send(path, init), send(path, init), send(path, init)])
  const rows = await Promise.all(responses.map((response) => response.json()))

  expect(rows.map(({ more }) => more)).toEqual([true, true, true])
  expect(seen).toEqual(['GET', 'GET', 'GET'])
  expect(simulator.journal.find()).toHaveLength(3)
})

test('a handler does not run for its own URL, which setupServer intercepts', async () => {
  const simulator = createSimulator()
  const server = setupServer(...simulator.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  simulator.use(addField('more', ({ url, headers }) => fetch(url, { headers })))

  const row = await (await fetch(`http://localhost${path}`, init)).json()

  expect(row).toMatchObject({ id: 1, more: true })
})

test('two simulators whose handlers ask each other end', async () => {
  const [first, second] = [createSimulator(), createSimulator()]
  first.use(addField('first', (request) => second.fetch(request)))
  second.use(addField('second', (request) => first.fetch(request)))

  const row = await (await first.fetch(path, init)).json()

  expect(row).toMatchObject({ id: 1, first: true, second: true })
})

test('a handler does not run for what it sends to another simulator with the same handler', async () => {
  const again = addField('more', (request) => createSimulator({ handlers: [again] }).fetch(request))

  const response = await createSimulator({ handlers: [again] }).fetch(path, init)

  expect(await response.json()).toMatchObject({ id: 1, more: true })
})
