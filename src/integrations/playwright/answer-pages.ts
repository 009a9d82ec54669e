import { Buffer } from 'node:buffer'
import { getResponse, type RequestHandler } from 'msw'

/** What of Playwright's `Page` and `BrowserContext` is used. */
export interface RoutedPages {
  route(url: RegExp, handler: (route: Route) => Promise<void>): Promise<unknown>
  unroute(url: RegExp, handler: (route: Route) => Promise<void>): Promise<void>
}

/** What of Playwright's `Route` is used. */
interface Route {
  request(): {
    url(): string
    method(): string
    allHeaders(): Promise<Record<string, string>>
    postDataBuffer(): Buffer | null
  }
  fulfill(answer: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>
  abort(code: 'connectionreset'): Promise<void>
  fallback(): Promise<void>
}

const anyHttpUrl = /^https?:/

/**
 * Answers what the pages of a Playwright test ask, before it reaches the network: without a server, and without a
 * service worker. What none of the handlers answers goes on to routes that were added before, then to the network.
 *
 * An answer comes whole: Playwright has no way to send one piece by piece, so one that a fault breaks off in the
 * middle is a broken connection from its beginning.
 *
 * @param pages a page, or a browser context with all of its pages
 * @returns what ends it
 * @example await answerPages(page, createSimulator().handlers)
 */
export async function answerPages(
  pages: RoutedPages,
  handlers: readonly RequestHandler[],
): Promise<() => Promise<void>> {
  const answer = async (route: Route): Promise<void> => {
    const request = await toRequest(route)
    const response = await getResponse([...handlers], request)
    if (!response || isPassthrough(response)) return route.fallback()
    const body = response.type === 'error' ? null : await readResponseBody(response)
    if (body === null) return route.abort('connectionreset')
    const headers = Object.fromEntries(response.headers)
    return route.fulfill({ status: response.status, headers, body })
  }
  await pages.route(anyHttpUrl, answer)
  return () => pages.unroute(anyHttpUrl, answer)
}

async function toRequest(route: Route): Promise<Request> {
  const asked = route.request()
  const body = asked.postDataBuffer()
  // Of HTTP/2, such as `:authority`.
  const headers = Object.entries(await asked.allHeaders()).filter(([name]) => !name.startsWith(':'))
  return new Request(asked.url(), {
    method: asked.method(),
    headers,
    ...(body !== null && { body: new Uint8Array(body) }),
  })
}

/** The bytes of a body; null where it breaks off. */
async function readResponseBody(response: Response): Promise<Buffer | null> {
  try {
    return Buffer.from(await response.arrayBuffer())
  } catch {
    return null
  }
}

/** As MSW says it. */
function isPassthrough({ headers }: Response): boolean {
  return headers.get('x-msw-intention') === 'passthrough'
}
