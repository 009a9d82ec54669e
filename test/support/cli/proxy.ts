import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { startProxy } from '../../../src/cli/recording/proxy.ts'
import type { Exchange } from '../../../src/index.ts'

/** A proxy before a target, both until the test ends. */
export interface RecordingProxy {
  readonly url: string
  readonly target: string
  readonly exchanges: readonly Exchange[]
  readonly lost: readonly string[]
  /** Ends the proxy before the test does. */
  close(): Promise<void>
}

/** Records what a server of a test is asked. */
export async function startProxyBefore(listener: RequestListener): Promise<RecordingProxy> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return startProxyTo(target)
}

/** Records what a target is asked. */
export async function startProxyTo(target: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = []
  const lost: string[] = []
  const proxy = await startProxy({
    target,
    port: 0,
    onExchange(exchange) {
      exchanges.push(exchange)
      return () => undefined
    },
    onSkipped: ({ method, url, reason }) =>
      lost.push(`${method} ${url.slice(target.length)} is left out: ${reason}`),
  })
  onTestFinished(() => proxy.close())
  return { url: proxy.url, target, exchanges, lost, close: () => proxy.close() }
}

/** Waits until something holds, for two seconds at most. */
export async function waitUntil(holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200 && !holds(); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
