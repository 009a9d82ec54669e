import type { HeaderPair } from '../../http/exchange.ts'

/** Headers that hold for one connection only (RFC 9110, 7.6.1), and one that Node answers itself. */
const hopByHop = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Encodings that Node reads. */
const supportedEncodings = ['gzip', 'deflate', 'br', 'identity', '*']

/** Headers as Node has them (a name, its value, the next name) in pairs. */
export function toHeaderPairs(raw: readonly string[]): HeaderPair[] {
  const pairs: HeaderPair[] = []
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string])
  return pairs
}

/** What is handed on to the target: nothing of the connection, and its own host. */
export function toTargetHeaders(pairs: readonly HeaderPair[], host: string): HeaderPair[] {
  let hasHost = false
  const kept = withoutHopByHop(pairs).map((pair): HeaderPair => {
    const [name, value] = pair
    const lower = name.toLowerCase()
    if (lower === 'accept-encoding') return [name, limitEncodings(value)]
    if (lower !== 'host') return pair
    hasHost = true
    return [name, host]
  })
  return hasHost ? kept : [['Host', host], ...kept]
}

/** What is handed back to the client: nothing of the connection, and addresses that lead here. */
export function toClientHeaders(
  pairs: readonly HeaderPair[],
  toHere: (text: string) => string,
): HeaderPair[] {
  return withoutHopByHop(pairs).map((pair) => {
    const [name, value] = pair
    return /^(?:content-location|link|location)$/i.test(name) ? [name, toHere(value)] : pair
  })
}

/** Whether a request has a body. */
export function hasRequestBody(headers: Readonly<Record<string, unknown>>): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function withoutHopByHop(pairs: readonly HeaderPair[]): HeaderPair[] {
  const named = new Set<string>()
  for (const [name, value] of pairs) {
    if (name.toLowerCase() !== 'connection') continue
    for (const one of value.split(',')) named.add(one.trim().toLowerCase())
  }
  return pairs.filter(([name]) => {
    const lower = name.toLowerCase()
    return !hopByHop.includes(lower) && !named.has(lower)
  })
}

/** An answer that cannot be read cannot be recorded. */
function limitEncodings(accepted: string): string {
  const kept = accepted
    .split(',')
    .map((one) => one.trim())
    .filter((one) =>
      supportedEncodings.includes((one.split(';')[0] as string).trim().toLowerCase()),
    )
  return kept.length === 0 ? 'identity' : kept.join(', ')
}
