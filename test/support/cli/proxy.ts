import type { RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { startProxy } from '../../../src/cli/recording/proxy.ts'
import type { Exchange } from '../../../src/index.ts'
import { startHttpServer } from '../http-server.ts'

/** A recording proxy and its target, both until the test ends. */
export interface RecordingProxy {
  readonly url: string
  readonly target: string
  readonly exchanges: readonly Exchange[]
  /** The requests that were not recorded, each with the reason */
  readonly skipped: readonly string[]
  /** Closes the proxy before the test ends. */
  close(): Promise<void>
}

/** Starts a target and a proxy in front of it. */
export async function startProxyBefore(listener: RequestListener): Promise<RecordingProxy> {
  return startProxyTo(await startHttpServer(listener))
}

/** Starts a proxy in front of a target. */
export async function startProxyTo(target: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = []
  const skipped: string[] = []
  const proxy = await startProxy({
    target,
    port: 0,
    onExchange: (exchange) => exchanges.push(exchange),
    onOther() {},
    onSkipped: ({ method, url, reason }) =>
      skipped.push(`${method} ${url.slice(target.length)}: ${reason}`),
  })
  onTestFinished(() => proxy.close())
  return { url: proxy.url, target, exchanges, skipped, close: () => proxy.close() }
}
