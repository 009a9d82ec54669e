// A client may leave the body of a response unread, as generated SDKs do before a retry.
import { syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import { withSimulator } from '../../../src/node.ts'
import { startHttpServer } from '../../support/http-server.ts'

// A server of MSW that ends leaves what others imported by name as it replaced it.
afterAll(syncBuiltinESMExports)
const url = 'https://app.example.com/api/projects/1/annotations/'
type Leave = (response: Response) => unknown
const ways: readonly (readonly [string, Leave])[] = [
  ['cancels the body', (response) => response.body?.cancel()],
  [
    'leaves a loop over the body',
    async ({ body }) => {
      for await (const chunk of body ?? []) if (chunk) break
    },
  ],
  [
    'cancels a reader after a chunk',
    async ({ body }) => {
      const reader = body?.getReader()
      await reader?.read()
      await reader?.cancel()
    },
  ],
  [
    'destroys a stream',
    ({ body }) =>
      new Promise((resolve) => {
        const stream = Readable.fromWeb(body as never)
        stream.once('close', resolve).destroy()
      }),
  ],
]

test.for(ways)('a client that %s goes on', async ([, leave]) => {
  await withSimulator(async ({ simulator, as }) => {
    simulator.faults.add({ when: { times: 1 }, effect: { status: 503, body: 'busy' } })
    await leave(await fetch(url, as('all')))
    await leave(await fetch(url, as('all')))

    expect((await fetch(url, as('all'))).status).toBe(200)
  })
})

test.for(ways)(
  'beside a server of MSW, and with one of its own, a client that %s goes on',
  async ([, leave]) => {
    // It never ends its response by itself.
    const local = await startHttpServer((_, response) => void response.write('event'))
    const others = 'https://other.example.com/'
    const read: string[] = []
    const server = setupServer(http.get(others, () => HttpResponse.text('other')))
    server.events.on(
      'response:mocked',
      async ({ response }) => void read.push(await response.text()),
    )
    server.listen({ onUnhandledRequest: 'bypass' })
    onTestFinished(() => server.close())

    await withSimulator(async ({ simulator, as }) => {
      await leave(await fetch(others))
      await leave(await fetch(url, as('all')))
      await leave(await fetch(local))

      expect(simulator.journal.find()).toHaveLength(1)
    })
    // Other listeners read whole bodies.
    expect(read).toEqual(['other', expect.stringMatching(/^\{"count":6,/)])
  },
)

test.for(ways)(
  'with the lines of the documents beside a plain setupServer, a client that %s goes on',
  async ([, leave]) => {
    const simulator = createSimulator()
    const server = setupServer(...simulator.handlers)
    server.listen()
    onTestFinished(() => server.close())
    const end = ({ response }: { readonly response: Response }) =>
      setTimeout(() => response.bodyUsed || response.body?.locked || response.body?.cancel())
    server.events.on('response:mocked', end)

    await leave(await fetch(url))

    expect(simulator.journal.find()).toHaveLength(1)
  },
)
