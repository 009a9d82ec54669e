import { Buffer } from 'node:buffer'
import { relative } from 'node:path'
import process from 'node:process'
import { getResponse, type RequestHandler } from 'msw'
import { isPassthrough } from '../../adapters/fetch.ts'
import { checkHandlers } from '../../adapters/user-handlers.ts'
import { exposedHeaders, isSimulatedNetworkError } from '../../http/messages.ts'
import { describeLatestRequests } from '../../report/failed-requests.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { mergeFindings } from '../../utils/reports/merge-findings.ts'
import type { RequestFinding } from '../../utils/reports/report.ts'
import { inTime } from '../../utils/wait.ts'
import {
  type As,
  createAs,
  printMistakes,
  TestedClient,
  type TestOptions,
} from '../testing/fixtures.ts'
import { forbidRequests } from '../testing/other-requests.ts'
import { usageAttachment, usageVariable } from './reporter.ts'

type UseFixture<T> = (value: T) => Promise<void>

/** The part of Playwright's `TestInfo` that is used. */
export interface FinishedTest {
  readonly titlePath: readonly string[]
  readonly file: string
  readonly line: number
  readonly status?: string | undefined
  readonly expectedStatus: string
  attach(name: string, file: { body: string; contentType: string }): Promise<void>
}

/** Fixtures in the format of Playwright's `test.extend`. */
export interface SimulatorFixtureDefinitions {
  simulatorOptions: [TestOptions, { option: true }]
  /** The mistakes in tests of a worker that passed, which are printed when it ends. */
  mistakesOfWorker: [
    (fixtures: object, use: UseFixture<RequestFinding[]>) => Promise<void>,
    { scope: 'worker' },
  ]
  simulator: [
    (
      fixtures: {
        context: TestedContext
        simulatorOptions: TestOptions
        // Optional, since the types of a user's fixtures do not have it.
        mistakesOfWorker?: RequestFinding[]
      },
      use: UseFixture<Simulator>,
      testInfo: FinishedTest,
    ) => Promise<void>,
    { auto: true },
  ]
  as: (fixtures: { simulator: Simulator }, use: UseFixture<As>) => Promise<void>
}

/**
 * Fixtures for Playwright's `test`: a new simulator for each test, which answers the requests of all pages of its
 * browser context, without a service worker. Other requests go on to earlier routes, then to the network. A failed test prints
 * its latest requests, and has them attached as `understudy.txt`, and the journal as `understudy.har`.
 *
 * @note Extend the `test` of your own project, since Playwright cannot be loaded twice.
 * @example
 * import { test as base } from '@playwright/test'
 * const test = base.extend<SimulatorFixtures>(simulatorFixtures)
 * test.use({ simulatorOptions: { world: 'empty' } })
 * test('lists no rows', async ({ page, simulator, as }) => {})
 */
export const simulatorFixtures: SimulatorFixtureDefinitions = {
  simulatorOptions: [{}, { option: true }],
  mistakesOfWorker: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from it.
    async ({}, use) => {
      const mistakes: RequestFinding[] = []
      await use(mistakes)
      printMistakes(mistakes, "test.use({ simulatorOptions: { mistakes: 'fail' } })")
    },
    { scope: 'worker' },
  ],
  simulator: [
    // Playwright reads the names of fixtures from it, so it has no default values.
    async ({ context, simulatorOptions, mistakesOfWorker }, use, testInfo) => {
      const client = new TestedClient(simulatorOptions)
      const { simulator } = client
      simulator.name = nameTest(testInfo)
      await answerPages(context, simulator.handlers)
      await use(simulator)
      await endRequests(context)
      const isReported = process.env[usageVariable] !== undefined
      if (isReported) {
        const body = JSON.stringify(client.usage)
        await testInfo.attach(usageAttachment, { body, contentType: 'application/json' })
      }
      // Playwright tears down after all hooks.
      const hasPassed = testInfo.status === testInfo.expectedStatus
      const failure = hasPassed ? client.failure : null
      if (hasPassed && !failure) {
        if (!isReported) mergeFindings(mistakesOfWorker ?? [], client.usage.mistakes)
        return
      }
      const requests = describeLatestRequests(simulator, failure ? [] : undefined)
      console.error(requests)
      await testInfo.attach('understudy.txt', { body: requests, contentType: 'text/plain' })
      const body = JSON.stringify(simulator.journal.toHar())
      await testInfo.attach('understudy.har', { body, contentType: 'application/json' })
      if (failure) throw failure
    },
    { auto: true },
  ],
  as: ({ simulator }, use) => use(createAs(simulator)),
}

/** Such as `tests/list.spec.ts:12 > the list > shows rows`. */
function nameTest({ titlePath: [, ...titles], file, line }: FinishedTest) {
  return [`${relative(process.cwd(), file)}:${line}`, ...titles].join(' > ')
}

/** The part of Playwright's `Page` and `BrowserContext` that is used. */
export interface RoutedPages {
  route(url: RegExp, handler: (route: Route) => Promise<void>): Promise<unknown>
  unroute(url: RegExp, handler: (route: Route) => Promise<void>): Promise<void>
  on(event: 'requestfailed', listener: (request: object) => void): unknown
  off(event: 'requestfailed', listener: (request: object) => void): unknown
}

/** The part of Playwright's `BrowserContext` that the fixtures use. */
export interface TestedContext extends RoutedPages {
  pages(): Record<'frames' | 'workers', () => { evaluate(script: () => void): Promise<void> }[]>[]
}

/** The part of Playwright's `Route` that is used. */
export interface Route {
  request(): {
    url(): string
    method(): string
    allHeaders(): Promise<Record<string, string>>
    postDataBuffer(): Buffer | null
    isNavigationRequest(): boolean
    serviceWorker(): { url(): string } | null
    frame(): { url(): string }
  }
  fulfill(response: {
    status: number
    headers: Record<string, string>
    body: Buffer
  }): Promise<void>
  abort(code: 'connectionreset'): Promise<void>
  fallback(): Promise<void>
}

const anyHttpUrl = /^https?:/

/**
 * Answers the requests of Playwright's pages with MSW handlers, without a server and without a service worker. Requests
 * that no handler matches fall through to your earlier routes, then to the network.
 *
 * A handler that throws is a 500. Playwright cannot send a response in parts. If a fault cuts a body, the page sees a broken connection.
 *
 * @param pages a page, or a browser context with all of its pages
 * @returns a function that removes the route. What open pages send after it reaches the network: close those of a context before
 * @throws UsageError for a value that is no list of MSW handlers
 * @example await answerPages(page, createSimulator().handlers)
 */
export async function answerPages(
  pages: RoutedPages,
  handlers: readonly RequestHandler[],
): Promise<() => Promise<void>> {
  checkHandlers(handlers, 'answer pages')
  const waiting = new Map<object, AbortController>()
  let isRemoved = false
  /** A request that its page gives up while a fault delays it. */
  const giveUp = (request: object) => waiting.get(request)?.abort()
  const answer = async (route: Route) => {
    const began = performance.now()
    const end = new AbortController()
    const sent: (() => void)[] = []
    waiting.set(route.request(), end)
    try {
      const request = await toRequest(route, end.signal)
      const onSent = (listener: () => void) => void sent.push(listener)
      await answerRequest(route, Object.assign(request, { began, onSent }))
    } catch (error) {
      // Playwright refuses a response that comes after the end of its request, or of the route.
      if (!end.signal.aborted && !isRemoved) throw error
    } finally {
      waiting.delete(route.request())
      for (const listener of sent) listener()
    }
  }
  const answerRequest = async (route: Route, request: Request) => {
    const context = { baseUrl: findBaseUrl(route) }
    const response = await getResponse([...handlers], request, context).catch((error) => {
      if (request.signal.aborted) throw error
      if (!isSimulatedNetworkError(error)) console.error(error)
      const { name, message, stack } = error
      return Response.json({ name, message, stack }, { status: 500 })
    })
    if (!response || isPassthrough(response)) return route.fallback()
    // It rejects if the connection breaks inside the body.
    const body = response.type === 'error' ? null : await response.arrayBuffer().catch(() => null)
    if (body === null) return route.abort('connectionreset')
    const { status, headers } = response
    // Playwright allows other origins to read the body, but no header.
    const sent = { 'access-control-expose-headers': exposedHeaders, ...Object.fromEntries(headers) }
    return route.fulfill({ status, headers: sent, body: Buffer.from(body) })
  }
  pages.on('requestfailed', giveUp)
  await pages.route(anyHttpUrl, answer)
  return async () => {
    isRemoved = true
    pages.off('requestfailed', giveUp)
    await pages.unroute(anyHttpUrl, answer)
  }
}

/**
 * Ends the requests of pages that a test leaves open. What they send while they close, the browser lets through to the network:
 * it no longer asks the route, which stays.
 */
async function endRequests(context: TestedContext) {
  const senders = context.pages().flatMap((page) => [...page.frames(), ...page.workers()])
  const ended = Promise.allSettled(senders.map((sender) => sender.evaluate(forbidRequests)))
  // A script that never ends
  await inTime(ended, 5_000, () => [])
}

/** The URL against which handlers with relative paths match, as in a page: that of the document or worker that sends. */
function findBaseUrl(route: Route) {
  const request = route.request()
  // The frame of a navigation has no document yet, or that of before.
  if (request.isNavigationRequest()) return request.url()
  const sender = (request.serviceWorker() ?? request.frame()).url()
  return anyHttpUrl.test(sender) ? sender : request.url()
}

async function toRequest(route: Route, signal: AbortSignal) {
  const request = route.request()
  const body = request.postDataBuffer()
  // HTTP/2 pseudo-headers such as `:authority` are not allowed in a Request.
  const headers = Object.entries(await request.allHeaders()).filter(
    ([name]) => !name.startsWith(':'),
  )
  return new Request(request.url(), {
    method: request.method(),
    headers,
    signal,
    ...(body !== null && { body: new Uint8Array(body) }),
  })
}
