import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, onTestFinished, type test } from 'vitest'
import type { SimulatorOptions } from '../../../src/sandbox/simulator-options.ts'
import { type ListenOptions, listen } from '../../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { noon } from '../api/paths.ts'
import { Client } from '../lanes/client.ts'
import { chromiumFlags, chromiumPath, withChromium } from './chromium.ts'

/** What only a browser can show: skipped where there is none. */
export const inBrowser: typeof test = withChromium

let launched: Promise<Browser> | null = null

/** Ends the browser of a test file with its last test; each file calls it once. */
export function endBrowserAfterAll(): void {
  afterAll(async () => {
    await (await launched)?.close()
    launched = null
  })
}

/** A page of the browser, with what it complained of. */
export interface DashboardPage extends Client {
  readonly page: Page
  readonly simulator: Simulator
  /** Errors of the page and its console, and requests to other origins: there shall be none. */
  readonly complaints: readonly string[]
}

interface Opening extends SimulatorOptions {
  readonly serving?: ListenOptions
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  /** What is there before the page is opened. */
  readonly arrange?: (simulator: Simulator) => unknown
}

/** A simulator that is served, and its dashboard in a new browser window; both end with the test. */
export async function openDashboard(hash = '', opening: Opening = {}): Promise<DashboardPage> {
  const { serving, theme = 'light', width = 1280, arrange, ...options } = opening
  const simulator = createSimulator({ clock: noon, ...options })
  await arrange?.(simulator)
  const server = await listen(simulator, serving)
  onTestFinished(() => server.close())
  const page = await openPage({ theme, width })
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (said) => said.type() === 'error' && complaints.push(said.text()))
  page.on('request', (request) => {
    const { origin } = new URL(request.url())
    if (origin !== server.url && !/^(data|blob):/.test(request.url())) complaints.push(origin)
  })
  await page.goto(`${server.url}/__admin/${hash}`)
  return Object.assign(new Client(server.url), { page, simulator, complaints })
}

/** A window of its own, without anything kept from others. */
export async function openPage({
  theme = 'light',
  width = 1280,
}: Pick<Opening, 'theme' | 'width'> = {}): Promise<Page> {
  launched ??= chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags] })
  const browser = await launched
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: theme,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(60_000)
  onTestFinished(() => context.close())
  return context.newPage()
}
