import { UsageError, unexpectedValue } from './errors.ts'
import { ByteParts } from './json.ts'

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

/** Codes of certificates that Node does not trust. */
const untrusted = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/

/**
 * Describes why no server was reached. Returns null if a server was reached and broke the connection.
 *
 * @param advice the end of the message
 */
export function describeConnectionError(
  url: string,
  failure: ConnectionFailure,
  advice: string,
): string | null {
  const code = failure.code ?? failure.errors?.[0]?.code ?? failure.message ?? ''
  if (brokenConnection.test(code)) return null
  if (untrusted.test(code)) {
    const cure = ' The environment variable NODE_EXTRA_CA_CERTS=FILE adds one to trust.'
    const isUnknown = /SELF|UNABLE/.test(code)
    return `Failed to reach ${url}: Node does not trust its certificate (${code}).${isUnknown ? cure : ''}`
  }
  const reason = code === '' ? 'no response' : `no response (${code})`
  return unreachableMessage(url, reason, advice)
}

export function unreachableMessage(url: string, reason: string, advice: string): string {
  return `Failed to reach ${url}: expected a running server, got ${reason}. ${advice}`
}

/** @throws UsageError if the text is no HTTP URL, or one with a user, which `fetch` refuses */
export function checkServerUrl(url: string, task: string, field?: string): void {
  if (/^https?:(?!\/*[^/?#]*@)/.test(url) && URL.canParse(url)) return
  throw unexpectedValue(task, 'a URL such as http://127.0.0.1:4010', url, undefined, field)
}

/** Whether a host, with or without a port and brackets, can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:::1|(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)$/i.test(host)
}

/**
 * Reads the body of a response, whose server decides how much it sends.
 *
 * @returns null for a body of more than `limit` bytes, whose rest is not read
 * @throws Error if the connection breaks
 */
export async function readAtMost({ body }: Response, limit: number): Promise<Uint8Array | null> {
  const parts = new ByteParts()
  const reader = body?.getReader()
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    parts.add(read.value)
    if (parts.length > limit) {
      await reader?.cancel()
      return null
    }
  }
  return parts.take()
}

/** Creates a request that `fetch` can send. @throws UsageError for parts that no request can have */
export function createRequest(url: string, init: RequestInit): Request {
  try {
    return new Request(url, init)
  } catch (error) {
    throw new UsageError(`This request cannot be sent: ${(error as Error).message}`)
  }
}

/** The address that a link of a server leads to instead of the server's own: another host, or another scheme. Null for none */
export function foreignOrigin(link: string, base: string): string | null {
  if (!URL.canParse(link)) return null
  const { origin } = new URL(link)
  return origin === new URL(base).origin ? null : origin
}
