import { UsageError } from '../usage-error.ts'

/** Where a scenario should be replayed nothing answers, or nothing that can be trusted. */
export class UnreachableError extends UsageError {}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/, 'nothing that listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'a host name that leads nowhere'],
  [/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|ERR_TLS|ERR_SSL|EPROTO/, 'a TLS connection that fails'],
]

/**
 * The error for a request that found no server; null where one was there, and broke the connection.
 *
 * @param error what fetch threw
 */
export function unreachable(url: string, error: unknown): UnreachableError | null {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } }
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? ''
  const reason = reasons.find(([pattern]) => pattern.test(code))
  if (!reason) return null
  const { origin } = new URL(url)
  return new UnreachableError(
    `Failed to reach ${origin}: expected a server that answers, got ${reason[1]} (${code}). Check the address.`,
  )
}
