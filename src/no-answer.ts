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
