import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts an HTTP server that closes with the test. Returns its URL, without a slash at its end. */
export async function startHttpServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a server that sends the same bytes to each request, whether they are HTTP or not. Returns its URL. */
export async function startRawServer(response: string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {}).on('data', () => socket.end(response, 'latin1'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
