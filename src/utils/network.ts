/** Why a request had no answer, as fetch and sockets tell it. */
export interface ConnectionFailure {
  readonly code?: string
  readonly message?: string
  readonly errors?: readonly { readonly code?: string }[]
}

/** Codes of connections that a server took, and then broke. */
const brokenConnection = /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|HPE_.*)$/

/** What a code says, and what to do besides checking the address. */
const reasons: readonly (readonly [RegExp, string, string?])[] = [
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/, 'nothing that listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'a host name that leads nowhere'],
  [
    /SELF_SIGNED|UNABLE_TO_/,
    'a certificate that nobody vouches for',
    'Check the address, or name the certificate in NODE_EXTRA_CA_CERTS.',
  ],
  [/CERT|ALTNAME|ERR_TLS|ERR_SSL|EPROTO/, 'a TLS connection that fails'],
  [/bad port/, 'a port that is for something else'],
]

/**
 * What was found in place of a server, and what to do; null where one was there, and broke the connection.
 *
 * @example reasonOf({ code: 'ECONNREFUSED' }) // { got: 'nothing that listens there (ECONNREFUSED)', cure: undefined }
 */
export function describeConnectionError({
  code: own,
  message = '',
  errors,
}: ConnectionFailure): { readonly got: string; readonly cure: string | undefined } | null {
  const code = own ?? errors?.[0]?.code ?? message
  if (brokenConnection.test(code)) return null
  const [, words = 'none', cure] = reasons.find(([pattern]) => pattern.test(code)) ?? []
  return { got: `${words} (${code})`, cure }
}

/**
 * Whether an address leads to this machine alone.
 *
 * @param host with or without a port; an IPv6 address with or without brackets
 * @example isLoopback('127.0.0.1:4010') // true
 */
export function isLoopback(host: string): boolean {
  return /^(?:::1|(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)$/i.test(host)
}

/** An address at which this machine reaches what listens at one; a server may listen at all that there are. */
export function reachableAddress(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}
