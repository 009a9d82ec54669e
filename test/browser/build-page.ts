import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'
import { chromiumPath } from '../support/browser/chromium-path.ts'
import { root } from '../support/root.ts'
import type { PageFiles } from './served-page.ts'

/** The source of a page. */
interface Making {
  readonly folder: string
  /** The module that the page imports. */
  readonly entrance: string
}

/** The script of a page that starts the simulator like an application would. Its query string holds the options as JSON. */
const mainOf = (entrance: string): string => `
  import { startInBrowser } from '${entrance}'
  globalThis.startInBrowser = startInBrowser
  const options = JSON.parse(decodeURIComponent(location.search.slice(1)) || '{}')
  globalThis.started = startInBrowser({ clock: '2024-06-15T12:00:00Z', quiet: true, ...options })
  globalThis.said = started.then(() => null, (error) => error.message)
`

/** Provides the page that is built from the sources of this repository, once for all test files of a run. */
export default async function providePage(project: TestProject): Promise<void> {
  const here = { folder: root, entrance: './src/browser.ts' }
  project.provide('page', existsSync(chromiumPath) ? await buildPage(here) : [])
}

/** Builds a page with the worker file of MSW. */
export async function buildPage({ folder, entrance }: Making): Promise<PageFiles> {
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
  const worker = 'mockServiceWorker.js'
  const text = readFileSync(join(folder, 'node_modules', 'msw', 'lib', worker), 'utf8')
  const icon = '<link rel="icon" href="data:,">'
  return [
    ['/', `<!doctype html>${icon}<script type="module" src="/stdin.js"></script>`],
    ...outputFiles.map(({ path, text }) => [`/${basename(path)}`, text] as const),
    [`/${worker}`, text],
  ]
}
