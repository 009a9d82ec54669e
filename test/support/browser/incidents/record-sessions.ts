import { HttpResponse, http } from 'msw'
import type { Page } from 'playwright-core'
import { listen } from '../../../../src/server/listen.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { openChromium } from '../chromium.ts'
import { exportHar, forgetRequests, openTools, preserveLog } from '../tools-har.ts'
import { startFailingService } from './failing-service.ts'
import { readPage } from './pages.ts'
import type { Hand, Session } from './sessions.ts'

/** A session as two programs wrote it. Both saw the same requests. */
export interface RecordedSession extends Session {
  /** The base URL of its service */
  readonly base: string
  /** The text of the archive that the button "Export HAR" of Chromium's developer tools writes */
  readonly har: string
}

/**
 * Runs sessions in Chromium, one after another in one page.
 *
 * @param path the file for one archive of all sessions, written by Playwright
 */
export async function recordSessions(
  sessions: readonly Session[],
  path: string,
): Promise<RecordedSession[]> {
  const chromium = await openChromium()
  try {
    const context = await chromium.browser.newContext({ recordHar: { path } })
    const page = await context.newPage()
    const tools = await openTools(chromium, page)
    await preserveLog(tools)
    const recorded: RecordedSession[] = []
    for (const session of sessions) recorded.push(await recordSession(session, page, tools))
    await context.close()
    return recorded
  } finally {
    await chromium.browser.close()
  }
}

async function recordSession(session: Session, page: Page, tools: Page): Promise<RecordedSession> {
  const target = await startTarget(session)
  const cdp = await page.context().newCDPSession(page)
  try {
    await cdp.send('Network.enable')
    await forgetRequests(tools)
    await page.goto(`${target.url}/page`)
    await target.work({ page, cdp, run: (script) => page.evaluate(script) })
    const har = await exportHar(tools, { sanitize: false })
    return { ...session, base: target.url, har }
  } finally {
    // Its conditions of the network end with it.
    await cdp.detach()
    await target.close()
  }
}

/** A service with the page of a session, and the session with its hands on both. */
interface Target {
  readonly url: string
  work(hand: Hand): Promise<void>
  close(): unknown
}

async function startTarget({ page, live, failing }: Session): Promise<Target> {
  const html = await readPage(page)
  if (failing) {
    const service = await startFailingService()
    service.application.get('/page', (_, response) => void response.send(html))
    service.application.get('/login', (_, response) => void response.send('<title>Log in</title>'))
    return { ...service, work: (hand) => failing({ ...hand, service }) }
  }
  const simulator = createSimulator({ profile: 'live' })
  const handlers = [http.get('*/page', () => HttpResponse.html(html))]
  const server = await listen(simulator, { handlers })
  const work = async (hand: Hand): Promise<void> => live?.({ ...hand, simulator })
  return { url: server.url, work, close: () => server.close() }
}
