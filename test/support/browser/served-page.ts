import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../files.ts'
import { bin, root } from '../root.ts'

const here: Making = { folder: root, entrance: './src/browser.ts', bin }

/** A page that starts the simulator like an application would. Its query string holds the options as JSON. */
const mainOf = (entrance: string): string => `
  import { startInBrowser } from '${entrance}'
  globalThis.startInBrowser = startInBrowser
  const options = JSON.parse(decodeURIComponent(location.search.slice(1)) || '{}')
  globalThis.started = startInBrowser({ clock: '2024-06-15T12:00:00Z', quiet: true, ...options })
  globalThis.said = started.then(() => null, (error) => error.message)
`

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

/** The source of a page. */
export interface Making {
  readonly folder: string
  /** The module that the page imports. */
  readonly entrance: string
  readonly bin: string
}

/** Serves the page until the test ends. By default it is built from the sources of this repository. */
export async function servePage(making: Making = here): Promise<Served> {
  const files = new Map([
    [
      '/',
      '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/stdin.js"></script>',
    ],
    ...(await bundled(making)),
  ])
  const folder = temporaryFolder()
  execFileSync(process.execPath, [making.bin, 'init', folder], { cwd: making.folder })
  const worker = 'mockServiceWorker.js'
  files.set(`/${worker}`, readFileSync(join(folder, worker), 'utf8'))
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

async function bundled({ folder, entrance }: Making): Promise<[path: string, text: string][]> {
  const { outputFiles } = await build({
    stdin: { contents: mainOf(entrance), resolveDir: folder },
    outdir: 'out',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  return (outputFiles ?? []).map(({ path, text }) => [`/${basename(path)}`, text])
}
