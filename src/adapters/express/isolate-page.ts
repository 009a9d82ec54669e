import type { HeaderPair } from '../../http/exchange.ts'
import type { ApiResponse } from '../../http/messages.ts'

const header = 'content-security-policy'

/** A browser gives a page with this setting an origin of its own. Its scripts run, without cookies and storage. */
const setting = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts'

/**
 * Whether a browser can take a response for a document with scripts. It guesses from the body if the type is missing,
 * unknown or no type at all.
 */
function isPage(contentType: string | null | undefined): boolean {
  if (!contentType) return true
  return (
    /html|xml|xsl|multipart|unknown|\*/i.test(contentType) ||
    !/^\s*[^\s/,;]+\/[^\s/,;]/.test(contentType)
  )
}

/**
 * Adds the setting to a page that a file of the user or a fault brings along, so that it cannot use the control API. A
 * setting that it has stays: a browser enforces both.
 */
export function isolatePage(response: ApiResponse): ApiResponse {
  const { headers, body } = response
  const type = headers['content-type']
  if (type === 'application/json' || (type === undefined && body === null) || !isPage(type)) {
    return response
  }
  return { ...response, headers: { ...headers, [header]: join(headers[header]) } }
}

/** Does the same for the response of an MSW handler. */
export function isolateFetchedPage(response: Response): Response {
  const type = response.headers.get('content-type')
  if ((type === null && response.body === null) || !isPage(type)) return response
  const isolated = new Response(response.body, response)
  isolated.headers.set(header, join(response.headers.get(header)))
  return isolated
}

/** Does the same for the headers that another server sent. */
export function isolateForwardedPage(headers: readonly HeaderPair[]): HeaderPair[] {
  const types = headers.filter(([name]) => /^content-type$/i.test(name))
  const hasPage = types.length === 0 || types.some(([, type]) => isPage(type))
  return hasPage ? [...headers, [header, setting]] : [...headers]
}

function join(own: string | null | undefined): string {
  return own ? `${own}, ${setting}` : setting
}
