/** The error of `fetch` for a request without a response. */
export function fetchFailed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause })
}

const statuses = [301, 302, 303, 307, 308]
const headersOfBody = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]
const headersOfOrigin = ['authorization', 'cookie', 'host', 'proxy-authorization']
const limit = 20

/** Whether `fetch` follows a response, or fails because of it. */
export function isFollowed({ redirect }: Request, { status, headers }: Response): boolean {
  return statuses.includes(status) && headers.has('location') && redirect !== 'manual'
}

/**
 * The request that a redirect leads to, by the rules of `fetch`.
 *
 * @param request the request that was redirected. Its body must not have been read
 * @param count how many redirects were followed before
 */
export async function toNextRequest(
  request: Request,
  response: Response,
  count: number,
): Promise<Request> {
  const { method, redirect, signal, credentials } = request
  const { status } = response
  if (redirect === 'error') throw fetchFailed(new Error('unexpected redirect'))
  if (count >= limit) throw fetchFailed(new Error('redirect count exceeded'))
  const location = response.headers.get('location') ?? ''
  if (!URL.canParse(location, request.url)) throw fetchFailed(new Error('Invalid URL'))
  const url = new URL(location, request.url)
  if (!url.protocol.startsWith('http')) {
    throw fetchFailed(new Error('URL scheme must be a HTTP(S) scheme'))
  }
  const isGet =
    status === 303
      ? !['GET', 'HEAD'].includes(method)
      : method === 'POST' && [301, 302].includes(status)
  const isSameOrigin = url.origin === new URL(request.url).origin
  const left = [...(isGet ? headersOfBody : []), ...(isSameOrigin ? [] : headersOfOrigin)]
  const headers = [...request.headers].filter(([name]) => !left.includes(name))
  const body = isGet || request.body === null ? null : await request.arrayBuffer()
  const init = { headers, body, redirect, signal, credentials }
  return new Request(url, { ...init, method: isGet ? 'GET' : method })
}
