import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject, onTestFinished } from 'vitest'

/** The files of a page, by their paths. */
export type PageFiles = readonly (readonly [path: string, text: string])[]

/** A page on a static file server. */
export interface Served {
  readonly url: string
  readonly port: number
  /** The served files, by path. */
  readonly files: Map<string, string>
  /** The requested URLs. */
  readonly requested: readonly string[]
  stop(): Promise<void>
  start(): Promise<void>
}

/** Serves a page until the test ends. By default it is the one that was built from the sources of this repository. */
export async function servePage(page: PageFiles = inject('page')): Promise<Served> {
  const files = new Map(page)
  const requested: string[] = []
  const server = createServer(({ url = '/' }, response) => {
    requested.push(url)
    const path = url.split('?')[0] as string
    const text = files.get(path)
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text)
  })
  const start = (port = 0): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await start()
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    files,
    requested,
    stop,
    start: () => start(port),
  }
}
