import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { respondToClientErrors } from '../../../../src/adapters/express/client-errors.ts'
import { formatRequest, RawConnection } from '../../../support/lanes/raw-connection.ts'

const halfAPost = formatRequest('POST', '/', { headers: { 'content-length': '500' } })
const malformed = 'GET /\0 HTTP/1.1\r\n\r\n'

test('the error comes after the responses to earlier requests of the connection', async () => {
  const { origin } = await serve((request, response) => {
    setTimeout(() => response.end(request.url), 20)
  })
  const connection = await RawConnection.to(origin)

  connection.send(formatRequest('GET', '/1'), formatRequest('GET', '/2'), malformed, malformed)
  const responses = [
    await connection.readResponse(),
    await connection.readResponse(),
    await connection.readResponse(),
  ]

  expect(responses.map((response) => response?.status)).toEqual([200, 200, 400])
  expect(responses.map((response) => response?.text)).toEqual([
    '/1',
    '/2',
    expect.stringContaining('Malformed HTTP request.'),
  ])
})

test('a response that has begun is cut off, and no error follows it', async () => {
  const { origin } = await serve((_request, response) => void response.write('begun'))
  const connection = await RawConnection.to(origin)

  const response = await connection.send(halfAPost, 'half').end().readResponse()
  await connection.closed()

  expect(response?.status).toBe(200)
  expect(response?.text).toBe('begun')
})

test('a client that goes on sending reads the error, and the connection closes in spite of it', async () => {
  const { origin, connections } = await serve(() => {})
  const connection = await RawConnection.to(origin)
  const chunk = 'a'.repeat(65_536)

  connection.send(`GET /${chunk}`)
  const sending = setInterval(() => connection.send(chunk), 5)
  onTestFinished(() => clearInterval(sending))
  const response = await connection.readResponse()

  expect(response?.status).toBe(431)
  await expect.poll(connections).toBe(0)
})

/** Starts a server whose own errors have the format of the API. */
async function serve(listener: RequestListener, options: ServerOptions = {}) {
  const server = createServer(options, listener)
  respondToClientErrors(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () =>
      new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      }),
  }
}
