import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'
import { bin, root } from '../root.ts'
import { chromiumPath } from './chromium-path.ts'
import type { PageFiles } from './served-page.ts'

/** The source of a page. */
export interface Making {
  readonly folder: string
  /** The module that the page imports. */
  readonly entrance: string
  readonly bin: string
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
  const here = { folder: root, entrance: './src/browser.ts', bin }
  project.provide('page', existsSync(chromiumPath) ? await buildPage(here) : [])
}

/** Builds a page with the worker file that `init` copies. */
export async function buildPage({ folder, entrance, bin }: Making): Promise<PageFiles> {
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
  const copied = mkdtempSync(join(tmpdir(), 'understudy-worker-'))
  execFileSync(process.execPath, [bin, 'init', copied], { cwd: folder })
  const worker = 'mockServiceWorker.js'
  const text = readFileSync(join(copied, worker), 'utf8')
  rmSync(copied, { recursive: true })
  const icon = '<link rel="icon" href="data:,">'
  return [
    ['/', `<!doctype html>${icon}<script type="module" src="/stdin.js"></script>`],
    ...outputFiles.map(({ path, text }) => [`/${basename(path)}`, text] as const),
    [`/${worker}`, text],
  ]
}
