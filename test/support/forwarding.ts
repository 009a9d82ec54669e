import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { createSimulator, type Simulator } from '../../src/index.ts'
import { type ListenOptions, listen } from '../../src/node.ts'
import { startHttpServer } from './http-server.ts'

/** A request as a service received it. */
interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A service that responds with what it received. */
export async function startService(): Promise<{ origin: string; received: Received[] }> {
  const received: Received[] = []
  const origin = await startHttpServer(async (request, response) => {
    const body = await text(request)
    received.push({ method: request.method, url: request.url, headers: request.headers, body })
    response.writeHead(201, { 'content-type': 'text/plain', 'x-service': 'yes' })
    response.end('from the service')
  })
  return { origin, received }
}

/** Serves a simulator until the test ends. */
export async function serve(
  options: ListenOptions,
  simulator: Simulator = createSimulator(),
): Promise<{ url: string; simulator: Simulator }> {
  const server = await listen(simulator, options)
  onTestFinished(() => server.close())
  return { url: server.url, simulator }
}

/** Serves a simulator that forwards to a service of the test. */
export async function serveBefore(
  listener: RequestListener,
  options: ListenOptions = {},
): Promise<{ url: string; simulator: Simulator }> {
  return serve({ ...options, forward: await startHttpServer(listener) })
}
