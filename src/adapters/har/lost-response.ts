import type { LossKind } from '../../http/exchange.ts'

/** A loss as an archive describes it. `unsent`: the browser refused to send the request. */
type RecordedLoss = LossKind | 'unsent'

/**
 * The texts of clients, most specific first: errors of Chromium (`net::ERR_…`) and Firefox (`NS_…`), and the sentences
 * of Safari, mitmproxy, Charles and Node.
 */
const texts: readonly (readonly [RecordedLoss, RegExp])[] = [
  [
    'unsent',
    /^(?:inspector|csp|mixed-content|origin|subresource-filter)$|BLOCKED_BY_(?:CLIENT|ADMINISTRATOR|CSP|FINGERPRINTING)|ERR_(?:UNSAFE_PORT|DISALLOWED_URL_SCHEME|CLEARTEXT_NOT_PERMITTED|INSECURE_RESPONSE)|CONTENT_BLOCKED|NS_ERROR_CONTENT|content security policy|mixed.?content|content blocker/i,
  ],
  ['blocked', /BLOCKED_BY|ERR_FAILED|NS_ERROR_DOM|\bCORS\b|cross-origin|access control checks/i],
  [
    'unreachable',
    /ERR_(?:INTERNET_DISCONNECTED|NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|CONNECTION_(?:REFUSED|FAILED|TIMED_OUT)|ADDRESS_\w+|PROXY_\w+|TUNNEL_\w+|SSL_\w+|CERT_\w+|ICANN_\w+|DNS_\w+|NETWORK_ACCESS_DENIED)|NS_ERROR_(?:UNKNOWN_HOST|UNKNOWN_PROXY_HOST|CONNECTION_REFUSED|PROXY_CONNECTION_REFUSED|OFFLINE)|SEC_ERROR|MOZILLA_PKIX|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|connect call failed|connection refused|could not (?:connect|be found)|unknown ?host|appears to be offline|name or service not known|certificate/i,
  ],
  [
    'cut',
    /CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED|NS_ERROR_NET_PARTIAL_TRANSFER|CONTENT_DECODING|incomplete (?:body|read)/i,
  ],
  ['timeout', /TIMED_?OUT|TIMEOUT|timed out/i],
  ['cancelled', /ERR_ABORTED|NS_BINDING_ABORTED|\bcancell?ed\b|Target (?:page|closed)/i],
  ['aborted', /client (?:disconnected|closed)|connection killed|\babort/i],
  [
    'reset',
    /ERR_(?:EMPTY_RESPONSE|CONNECTION_\w+|HTTP2_\w+|QUIC_\w+|SOCKET_\w+|NETWORK_\w+|SPDY_\w+)|NS_ERROR_NET_(?:RESET|INTERRUPT|EMPTY_RESPONSE)|ECONNRESET|EPIPE|socket hang up|connection (?:reset|closed|lost|was lost)|closed connection|unexpected end/i,
  ],
]

/** What the error text of a client says about a response. @param error an empty text if the client noted none */
export function classifyLoss(error: string): RecordedLoss {
  return texts.find(([, pattern]) => pattern.test(error))?.[0] ?? 'unknown'
}
