import { UsageError } from '../usage-error.ts'

/** Where a scenario should be replayed nothing answers, or nothing that can be trusted. */
export class UnreachableError extends UsageError {}

/** Codes of connections that a server took, and then broke. */
const broken = /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|HPE_.*)$/

const address = 'Check the address.'

/** What a code says, and what to do. */
const reasons: readonly (readonly [RegExp, string, string?])[] = [
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/, 'nothing that listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'a host name that leads nowhere'],
  [
    /SELF_SIGNED|UNABLE_TO_/,
    'a certificate that nobody vouches for',
    'Check the address, or name the certificate in NODE_EXTRA_CA_CERTS.',
  ],
  [/CERT|ALTNAME|ERR_TLS|ERR_SSL|EPROTO/, 'a TLS connection that fails'],
]

interface Cause {
  readonly code?: string
  readonly message?: string
  readonly errors?: readonly { readonly code?: string }[]
}

/**
 * The error for a request that found no server, or none that answers in time; null where one was there, and broke
 * the connection.
 *
 * @param error what fetch threw
 */
export function unreachable(url: string, error: unknown): UnreachableError | null {
  const { cause, name } = error as { cause?: Cause; name?: string }
  if (name === 'TimeoutError') return unreachableAt(url, 'none in a minute')
  // A simulator in this process says no more.
  if (!cause) return null
  const code = cause.code ?? cause.errors?.[0]?.code ?? cause.message ?? ''
  if (broken.test(code)) return null
  const [, reason = 'none', cure] = reasons.find(([pattern]) => pattern.test(code)) ?? []
  return unreachableAt(url, `${reason} (${code})`, cure)
}

function unreachableAt(url: string, got: string, cure = address): UnreachableError {
  return new UnreachableError(
    `Failed to reach ${new URL(url).origin}: expected a server that answers, got ${got}. ${cure}`,
  )
}
