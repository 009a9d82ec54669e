/** Headers as Node has them: a name, its value, the next name. */
type Raw = readonly string[]

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
const readable = ['gzip', 'deflate', 'br', 'identity', '*']

/** Headers in pairs. */
export function pairsOf(raw: Raw): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [
    raw[index * 2] as string,
    raw[index * 2 + 1] as string,
  ])
}

/** What is handed on to the target: nothing of the connection, and its own host. */
export function handedOn(raw: Raw, host: string): string[] {
  const pairs = withoutConnection(pairsOf(raw)).map(([name, value]): [string, string] => {
    const lower = name.toLowerCase()
    if (lower === 'host') return [name, host]
    return lower === 'accept-encoding' ? [name, readableOf(value)] : [name, value]
  })
  const hasHost = pairs.some(([name]) => name.toLowerCase() === 'host')
  return [...(hasHost ? [] : ['Host', host]), ...pairs.flat()]
}

/** What is handed back to the client: nothing of the connection, and addresses that lead here. */
export function handedBack(raw: Raw, toHere: (text: string) => string): [string, string][] {
  return withoutConnection(pairsOf(raw)).map(([name, value]) =>
    /^(?:content-location|link|location)$/i.test(name) ? [name, toHere(value)] : [name, value],
  )
}

/** Whether a request has a body. */
export function hasBody(headers: Readonly<Record<string, unknown>>): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function withoutConnection(pairs: readonly [string, string][]): [string, string][] {
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()))
  return pairs.filter(([name]) => {
    const lower = name.toLowerCase()
    return !hopByHop.includes(lower) && !named.includes(lower)
  })
}

/** An answer that cannot be read cannot be recorded. */
function readableOf(accepted: string): string {
  const kept = accepted
    .split(',')
    .map((one) => one.trim())
    .filter((one) => readable.includes((one.split(';')[0] as string).trim().toLowerCase()))
  return kept.length === 0 ? 'identity' : kept.join(', ')
}
