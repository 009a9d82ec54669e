import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type ListenOptions, listen } from '../../src/server/listen.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { noon } from '../support/api/paths.ts'
import { openBrowser } from '../support/browser/chromium.ts'
import { Client } from '../support/transports/client.ts'

/** The dashboard in a browser page, and a client of its server. */
interface DashboardPage extends Client {
  readonly page: Page
  readonly simulator: Simulator
  /** Exceptions, errors in the console, and the origins of requests to other servers. */
  readonly pageErrors: readonly string[]
}

interface OpenOptions extends SimulatorOptions {
  readonly listenOptions?: ListenOptions
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  /** Prepares the simulator before the page is opened. */
  readonly arrange?: (simulator: Simulator) => unknown
}

/** Serves a simulator and opens its dashboard in a new browser window. Both are closed after the test. */
export async function openDashboard(
  hash = '',
  { listenOptions, theme = 'light', width = 1280, arrange, ...options }: OpenOptions = {},
): Promise<DashboardPage> {
  const simulator = createSimulator({ clock: noon, ...options })
  await arrange?.(simulator)
  const server = await listen(simulator, listenOptions)
  onTestFinished(() => server.close())
  const page = await openPage({ theme, width })
  const pageErrors: string[] = []
  page.on('pageerror', ({ message }) => pageErrors.push(message))
  page.on('console', (entry) => entry.type() === 'error' && pageErrors.push(entry.text()))
  page.on('request', (request) => {
    const { origin } = new URL(request.url())
    if (origin !== server.url && !/^(data|blob):/.test(request.url())) pageErrors.push(origin)
  })
  await page.goto(`${server.url}/__admin/${hash}`)
  return Object.assign(new Client(server.url), { page, simulator, pageErrors })
}

/** Opens a page in a new window, without any storage of other windows. */
export async function openPage({
  theme = 'light',
  width = 1280,
}: Pick<OpenOptions, 'theme' | 'width'> = {}): Promise<Page> {
  const browser = await openBrowser()
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: theme,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(240_000)
  onTestFinished(() => context.close())
  return context.newPage()
}
