import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import { tooLarge } from '../support/api/errors.ts'
import { annotationsPath, pluginsPath } from '../support/api/paths.ts'
import { collectErrors } from '../support/errors.ts'
import { formatRequest, RawConnection } from '../support/transports/raw-connection.ts'
import { serve, start } from '../support/transports/start.ts'

const json = { 'content-type': 'application/json' }

test.each([
  ['over HTTP', serve],
  ['in this process', start],
])('%s a body of the limit is accepted, and one more byte is too large', async (_, open) => {
  const { ask, simulator } = await open({ settings: { 'limits.body': 300 } })
  const bodyOf = (size: number) => `{"content":"${'x'.repeat(size - 14)}"}`.padEnd(size)

  const fits = await ask('POST', annotationsPath, { raw: bodyOf(300), headers: json })
  const over = await ask('POST', annotationsPath, { raw: bodyOf(301), headers: json })

  expect(fits).toMatchObject({ status: 201, body: { content: 'x'.repeat(286) } })
  expect(over).toEqual(tooLarge())
  expect(simulator.world.annotations.count).toBe(9)
})

test('a chunked body is measured while it arrives', async () => {
  const { origin, simulator } = await serve({ settings: { 'limits.body': 100 } })
  const connection = await RawConnection.to(origin)
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

  connection.send(formatRequest('POST', annotationsPath, { headers }))
  for (let count = 0; count < 5; count++) connection.send(chunk(' '.repeat(40)))
  connection.send(chunk('{}'), chunk(''))
  const over = await connection.readResponse()
  connection.send(
    formatRequest('POST', annotationsPath, { headers }),
    chunk('{"content":'),
    chunk('"In parts"}'),
  )
  connection.send(chunk(''))
  const fits = await connection.readResponse()

  expect(over?.status).toBe(413)
  expect(fits?.status).toBe(201)
  expect(JSON.parse(fits?.text ?? '')).toMatchObject({ content: 'In parts' })
  expect(simulator.world.annotations.count).toBe(9)
})

test('the body of a GET is not read as the next request', async () => {
  const connection = await RawConnection.to((await serve()).origin)

  connection.send(
    formatRequest('GET', `${annotationsPath}1/`, { body: 'GET /api/nothing HTTP/1.1\r\n\r\n' }),
  )
  connection.send(formatRequest('GET', `${annotationsPath}2/`))
  const responses = [await connection.readResponse(), await connection.readResponse()]

  expect(responses.map((response) => response?.status)).toEqual([400, 200])
  expect(JSON.parse(responses[1]?.text ?? '')).toMatchObject({ id: 2 })
})

test('bodies for custom handlers and for unknown paths are limited, too', async () => {
  const handler = http.post('/mine', async ({ request }) => HttpResponse.text(await request.text()))
  const { ask } = await serve({}, { handlers: [handler], bodyLimit: 10 })

  const accepted = await ask('POST', '/mine', { raw: '0123456789' })
  const mineTooLarge = await ask('POST', '/mine', { raw: '0123456789a' })
  const unmatched = await ask('POST', '/unknown', { raw: '0123456789a' })

  expect(accepted).toEqual({ status: 200, body: '0123456789' })
  expect(mineTooLarge).toEqual(tooLarge())
  expect(unmatched).toEqual(tooLarge())
})

test.each([
  ['without an end', 300],
  ['of requests that a fault holds', 101],
])('bodies %s leave no room for others, until their connections close', async (_, length) => {
  let unanswered = { bytes: 0 }
  const see = ({ socket }: { socket: object }, _: unknown, next: () => void) => {
    unanswered = (socket as { unanswered: typeof unanswered }).unanswered
    next()
  }
  const { origin, ask, simulator } = await serve({}, { use: [see] })
  const connection = await RawConnection.to(origin)
  const headers = { 'content-length': String(length) }
  const create = () => ask('POST', annotationsPath, { body: {} })
  simulator.faults.add({ operation: 'createPlugin', effect: { hold: true } })
  await create()
  unanswered.bytes = 2 ** 28 - 100

  connection.send(formatRequest('POST', pluginsPath, { headers }), Buffer.alloc(100))
  const full = await create()
  connection.send('', Buffer.alloc(1))
  const detail =
    'Bodies of other requests take all the memory that they may have. Send it again when these have ended.'
  await expect.poll(create).toMatchObject({ status: 507, body: { detail } })
  const read = await ask('GET', annotationsPath)
  simulator.faults.add({ operation: 'listAnnotations', effect: { bytes_per_s: 1 } })
  await expect(ask('GET', annotationsPath)).rejects.toThrow('fetch failed')
  await expect(ask('GET', '/__admin/journal')).rejects.toThrow('fetch failed')
  connection.socket.destroy()

  expect([full.status, read.status]).toEqual([201, 200])
  await expect.poll(create).toMatchObject({ status: 201 })
})

test('a client gets its response even if onError throws', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
  const thrown = new Error('thrown by onError')
  const onError = () => {
    throw thrown
  }
  const { ask, simulator } = await serve({ onError }, { onError })
  Object.defineProperty(simulator.clock, 'iso', {
    value: () => {
      throw new Error('broken inside')
    },
  })

  const response = await ask('POST', '/api/projects/1/annotations/', { body: {} })

  expect(response).toMatchObject({ status: 500, body: { code: 'error' } })
  expect(spy.mock.calls).toEqual([[thrown]])
})

const badHeader = { 'x-a': 'a\u0001' }
/** Responses that Node refuses to write, of a custom handler and of an endpoint. */
const unwritable = [
  {
    of: 'a custom handler',
    handler: http.all('*/any', () => new Response('', { headers: badHeader })),
  },
  {
    of: 'an endpoint',
    handler: Object.assign(
      http.all('*/any', () => {}),
      {
        [Symbol.for('understudy-api/handler')]: {
          base: { origin: '*', prefix: '' },
          path: '/any',
          open: () => ({
            bodyLimit: 10,
            handle: () => ({ status: 200, headers: badHeader, body: null }),
          }),
        },
      },
    ),
  },
].flatMap((row) => ['GET', 'POST'].map((method) => ({ ...row, method })))

test.for(unwritable)(
  'an unwritable response of $of to $method becomes a 500, and the server goes on',
  async ({ handler, method }) => {
    const { errors, onError } = collectErrors()
    const { ask } = await serve({}, { handlers: [handler], onError })
    const raw = method === 'POST' ? { raw: '{}' } : {}

    const response = await ask(method, '/any', raw)

    expect(response).toMatchObject({ status: 500, body: { type: 'server_error' } })
    expect(errors).toHaveLength(1)
    expect(await ask('GET', '/api/projects/')).toMatchObject({ status: 200 })
  },
)
