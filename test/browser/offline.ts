import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { BrowserOptions } from '../../src/integrations/browser/page-simulator.ts'
import { launchBrowser, openBrowser } from '../support/browser/chromium.ts'
import { temporaryFolder } from '../support/files.ts'
import { type Served, servePage } from './served-page.ts'

/** A browser context that reaches no host but this machine. */
interface Offline {
  readonly context: BrowserContext
  /** Opens a page in a new tab, and waits until the simulator has started or failed to start. */
  open(url: string, options?: BrowserOptions): Promise<Tab>
}

/** A browser that logs its requests. */
interface LoggedOffline extends Offline {
  /** Closes the browser. @returns the URLs that pages and workers requested over the network, from the browser's log */
  end(): Promise<string[]>
}

/** Opens a context for one test, and serves a page for it. */
export async function serveOffline(): Promise<Offline & Served> {
  return { ...(await openOffline()), ...(await servePage()) }
}

/** A page in a tab. */
export interface Tab {
  readonly page: Page
  /** The error if the simulator failed to start, else null. */
  said(): Promise<string | null>
  /** Sends a request from the page. @returns the status and the body of the response */
  ask(method: string, path: string, body?: object): Promise<[number, Record<string, unknown>]>
  /** The contents of the annotations that the API lists. */
  contents(): Promise<string[]>
  /** The errors that the page logged to the console. */
  readonly errors: string[]
  /** The lines of the simulator in the console, each with its level. */
  readonly lines: string[]
}

/** The host `understudy.test` is this machine, too. */
const hosts = 'MAP understudy.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
const offlineFlags = [`--host-resolver-rules=${hosts}`]

/** Opens a context for one test, in a browser that the tests of a file share. */
export async function openOffline(): Promise<Offline> {
  return contextOf(await openBrowser(offlineFlags))
}

/** Opens a browser for one test, which logs its requests. */
export async function openLoggedOffline(): Promise<LoggedOffline> {
  const log = join(temporaryFolder(), 'net-log.json')
  const browser = await launchBrowser([...offlineFlags, `--log-net-log=${log}`])
  onTestFinished(() => browser.close())
  return { ...(await contextOf(browser)), end: () => closeAndReadLog(browser, log) }
}

async function contextOf(browser: Browser): Promise<Offline> {
  const context = await browser.newContext()
  context.setDefaultTimeout(240_000)
  onTestFinished(() => context.close())
  return { context, open: async (url, options) => openTab(await context.newPage(), url, options) }
}

async function openTab(page: Page, url: string, options: BrowserOptions = {}): Promise<Tab> {
  const errors: string[] = []
  const lines: string[] = []
  page.on('console', (entry) => {
    if (entry.type() === 'error') errors.push(entry.text())
    if (/Understudy|Handler/.test(entry.text())) lines.push(`${entry.type()}: ${entry.text()}`)
  })
  await page.goto(`${url}?${encodeURIComponent(JSON.stringify(options))}`)
  // MSW reloads a page that started while another tab was registering the worker. The reload would abort requests
  // that the page sends before a worker controls it.
  const waitForStart = () =>
    page.waitForFunction(async () => {
      const error: string | null = await Reflect.get(globalThis, 'said')
      return error !== null || navigator.serviceWorker?.controller !== null
    })
  const ask: Tab['ask'] = async (method, path, body) => {
    await waitForStart()
    return page.evaluate(
      async ([method, url, text]) => {
        const response = await fetch(url, {
          method,
          headers: { authorization: 'Bearer phx_all', 'content-type': 'application/json' },
          ...(text !== null && { body: text }),
        })
        return [response.status, await response.json()] as [number, Record<string, unknown>]
      },
      [method, `https://app.example.com${path}`, body ? JSON.stringify(body) : null] as const,
    )
  }
  await waitForStart()
  return {
    page,
    ask,
    errors,
    lines,
    async said() {
      await waitForStart()
      return page.evaluate(() => Reflect.get(globalThis, 'said') as Promise<string | null>)
    },
    async contents() {
      const [, { results }] = await ask('GET', '/api/projects/1/annotations/?limit=100')
      return (results as { content: string }[]).map(({ content }) => content)
    },
  }
}

async function closeAndReadLog(browser: Browser, log: string): Promise<string[]> {
  await browser.close()
  const { constants, events } = JSON.parse(readFileSync(log, 'utf8')) as {
    constants: { logEventTypes: Record<string, number> }
    events: { type: number; params?: { url?: string; initiator?: string } }[]
  }
  const type = constants.logEventTypes.URL_REQUEST_START_JOB
  // The browser's own requests have no page as their initiator.
  const isPage = (initiator = ''): boolean => /^https?:/.test(initiator)
  return events.flatMap(
    (event) => (event.type === type && isPage(event.params?.initiator) && event.params?.url) || [],
  )
}
