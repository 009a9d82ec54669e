import { existsSync, readFileSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { test } from 'vitest'

/** Where Chromium is: as Debian installs it, or where `CHROMIUM` says. */
export const chromiumPath: string = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** What only a browser can show: skipped where there is none. */
export const withChromium: typeof test = test.skipIf(!existsSync(chromiumPath)) as typeof test

/** One that asks nobody for anything by itself. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser, and where its own tools can be reached: `http://127.0.0.1:PORT`. */
export interface Chromium {
  readonly browser: Browser
  readonly tools: string
}

/** Opens a Chromium without anything kept from before. */
export async function openChromium(): Promise<Chromium> {
  // Its tools are pages, too: they ask it from an origin of their own.
  const open = ['--enable-automation', '--remote-debugging-port=0', '--remote-allow-origins=*']
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [...chromiumFlags, ...open],
  })
  const session = await browser.newBrowserCDPSession()
  const { arguments: flags } = await session.send('Browser.getBrowserCommandLine')
  const folder = flags.find((flag) => flag.startsWith('--user-data-dir='))?.split('=')[1]
  const [port] = readFileSync(`${folder}/DevToolsActivePort`, 'utf8').split('\n')
  return { browser, tools: `http://127.0.0.1:${port}` }
}
