import { UsageError } from './errors.ts'

/** A server does not respond, its certificate is not trusted, or its response is too large. */
export class UnreachableError extends UsageError {}

/** Why a request got no response, as reported by fetch and by sockets. */
export interface ConnectionFailure {
  readonly code?: string
  readonly message?: string
  readonly errors?: readonly { readonly code?: string }[]
}

/** Codes of connections that a server accepted and then broke. */
const brokenConnection = /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|HPE_.*)$/

/** What a code means, and what to do unless it is to check the address. */
const reasons: readonly (readonly [code: RegExp, reason: string, advice?: string])[] = [
  [/REFUSED|UNREACH|TIMEDOUT|CONNECT_TIMEOUT/, 'no listening server'],
  [/ENOTFOUND|EAI_AGAIN/, 'an unknown host name'],
  [
    /SELF_SIGNED|UNABLE_TO_/,
    'an untrusted certificate',
    'Check the address, or name the certificate in NODE_EXTRA_CA_CERTS.',
  ],
  [/WRONG_VERSION/, 'no TLS', 'Use http://.'],
  [/CERT|ALTNAME|TLS|SSL|EPROTO/, 'a failed TLS connection'],
  // Of `fetch`, which refuses such a response. A 407 has no code.
  [
    /^$|^Z_|^ERR_|HEADERS_OVERFLOW|UND_ERR_RES|content-encodings/,
    'a response that is not valid',
    'Check the server.',
  ],
]

/**
 * Describes why no server was reached. Returns null if a server was reached and broke the connection.
 *
 * @param usualAdvice the end of the message, unless the failure has advice of its own
 */
export function describeConnectionError(
  url: string,
  failure: ConnectionFailure,
  usualAdvice: string,
): string | null {
  const code = failure.code ?? failure.errors?.[0]?.code ?? failure.message ?? ''
  if (brokenConnection.test(code)) return null
  if (code === 'bad port')
    return `Browsers and fetch refuse the port of ${url}. Start the server on another port.`
  const [, reason = 'no response', advice = usualAdvice] =
    reasons.find(([pattern]) => pattern.test(code)) ?? []
  return unreachableMessage(url, code === '' ? reason : `${reason} (${code})`, advice)
}

export function unreachableMessage(url: string, reason: string, advice: string): string {
  return `Failed to reach ${url}: expected a running server, got ${reason}. ${advice}`
}

/** Whether a host, with or without a port and brackets, can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:::1|(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)$/i.test(host)
}

/** Returns an address at which this machine reaches a server that listens on the given one, which may be a wildcard. */
export function reachableAddress(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}

interface PageHeaders {
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | string[] | undefined
}

/**
 * Explains why a request may come from a page of another site. Returns null for clients, and for pages of this machine.
 *
 * @param server what the page would use: "the proxy"
 * @param ownHost the host whose pages are not foreign, besides this machine
 */
export function describeForeignPage(
  { origin, 'sec-fetch-site': site }: PageHeaders,
  server: string,
  ownHost?: string,
): string | null {
  if (origin === undefined) {
    return site === 'cross-site'
      ? `${server} cannot be accessed from another site, got a cross-site request.`
      : null
  }
  const [, host = ''] = /^https?:\/\/(.*)$/.exec(origin) ?? []
  if (isLoopback(host) || host === ownHost) return null
  return `${server} cannot be accessed from another site, got the origin ${origin}.`
}

/**
 * Reads the body of a response, whose server decides how much it sends.
 *
 * @returns null for a body of more than `limit` bytes, whose rest is not read
 * @throws Error if the connection breaks
 */
export async function readAtMost({ body }: Response, limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = body?.getReader()
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    chunks.push(read.value)
    length += read.value.length
    if (length > limit) {
      await reader?.cancel()
      return null
    }
  }
  // Not by Blob: the one of jsdom cannot be read.
  const bytes = new Uint8Array(length)
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.length
  }
  return bytes
}
