import { existsSync, readFileSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { test, vi } from 'vitest'
import { chromiumPath } from './chromium-path.ts'

/** A test that needs Chromium. It is skipped if Chromium is not installed. */
export const withChromium: typeof test = test.skipIf(!existsSync(chromiumPath)) as typeof test

/** Chromium sends no requests of its own with these. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser, and the URL of its developer tools: `http://127.0.0.1:PORT`. */
export interface Chromium {
  readonly browser: Browser
  readonly tools: string
}

/** Opens Chromium with a fresh profile. */
export async function openChromium(): Promise<Chromium> {
  // The developer tools are pages of another origin.
  const toolFlags = ['--enable-automation', '--remote-debugging-port=0', '--remote-allow-origins=*']
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [...chromiumFlags, ...toolFlags],
  })
  const session = await browser.newBrowserCDPSession()
  const { arguments: flags } = await session.send('Browser.getBrowserCommandLine')
  const folder = flags.find((flag) => flag.startsWith('--user-data-dir='))?.split('=')[1]
  const file = `${folder}/DevToolsActivePort`
  // A busy machine writes it some time after the browser has started.
  const port = await vi.waitUntil(
    () => existsSync(file) && /^\d+(?=\n)/.exec(readFileSync(file, 'utf8'))?.[0],
    120_000,
  )
  return { browser, tools: `http://127.0.0.1:${port}` }
}

const launched = new Map<string, Promise<Browser>>()

/** Opens Chromium once for the tests of a file, which each have a context of their own: a start takes a second. */
export function openBrowser(args: readonly string[] = []): Promise<Browser> {
  const name = args.join(' ')
  const browser = launched.get(name) ?? launchBrowser(args)
  launched.set(name, browser)
  return browser
}

/** Opens Chromium for one test. The caller closes it. */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [...chromiumFlags, ...args],
    // Playwright turns the cache off that a browser has.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
}

/** Closes the browsers that tests of a file share. */
export async function closeBrowsers(): Promise<void> {
  const browsers = [...launched.values()]
  launched.clear()
  for (const browser of browsers) await (await browser).close()
}
