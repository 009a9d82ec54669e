import { compareText } from './text.ts'

export type QueryPair = [name: string, value: string]

/** Parses a query or a form. `URLSearchParams` itself takes more than linear time for their signs `+`. */
export function parseQuery(text: string): URLSearchParams {
  return new URLSearchParams(splitQuery(text))
}

/** The parameters of a query, in order, decoded. */
export function splitQuery(text: string): QueryPair[] {
  const pairs: QueryPair[] = []
  for (const pair of text.replace(/^\?/, '').split('&')) {
    if (pair === '') continue
    const sign = pair.indexOf('=')
    const end = sign < 0 ? pair.length : sign
    pairs.push([decodeFormText(pair.slice(0, end)), decodeFormText(pair.slice(end + 1))])
  }
  return pairs
}

/** Writes a query or a form as `URLSearchParams` does, in linear time. */
export function writeQuery(pairs: Iterable<readonly [name: string, value: string]>): string {
  return Array.from(
    pairs,
    ([name, value]) => `${writeFormText(name)}=${writeFormText(value)}`,
  ).join('&')
}

export function writeFormText(text: string): string {
  // Names and numbers, in nearly every query, are written as they are.
  if (/^[\w.*-]*$/.test(text)) return text
  return writtenInForms.reduce(
    (encoded, [mark, written]) => encoded.split(mark).join(written),
    percentEncode(text),
  )
}

/** What forms write in another way than `encodeURIComponent`. */
const writtenInForms = [
  ['%20', '+'],
  ['!', '%21'],
  ["'", '%27'],
  ['(', '%28'],
  [')', '%29'],
  ['~', '%7E'],
] as const

/** Percent-encodes a text. A lone surrogate, which has no encoding, becomes U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** Decodes a text of a query or a form, in which `+` is a space. */
export function decodeFormText(text: string): string {
  return decodePercent(text.includes('+') ? text.split('+').join(' ') : text)
}

/** Decodes a percent-encoded text, in which `+` is itself. Bytes that are no UTF-8 become U+FFFD, and other signs `%` stay. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    // A tenth of the time. To throw takes as long as to decode some hundred characters.
    if (text.length > 1_000) return decodeURIComponent(text)
  } catch {}
  return text.replace(encodedBytes, decodeBytes)
}

const encodedBytes = /(?:%[0-7][\da-f])+|(?:%[89a-f][\da-f])+/gi
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** `decodeURIComponent` would throw for bytes that are no UTF-8, which takes long. */
function decodeBytes(written: string) {
  if (written < '%8') return decodeURIComponent(written)
  if (written.length === 3) return '\ufffd'
  const bytes = new Uint8Array(written.length / 3)
  for (const at of bytes.keys())
    bytes[at] = Number.parseInt(written.slice(3 * at + 1, 3 * at + 3), 16)
  return decoder.decode(bytes)
}

type Numbers = Readonly<Record<string, number | bigint | null>>

/**
 * Creates what writes the URL of a request with other numbers in its query, or without those that are null. It keeps all
 * other parameters, sorted by name and encoded as Python's `urlencode` does.
 */
export function linksFrom(url: string): (numbers: Numbers) => string {
  const [, start, query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? []
  const sent = splitQuery(query)
  return (numbers) => {
    const others = sent.filter(([name]) => !Object.hasOwn(numbers, name))
    const pairs = others.map(([name, value]): QueryPair => [name, writePair(name, value)])
    for (const name in numbers)
      if (numbers[name] !== null) pairs.push([name, `${name}=${numbers[name]}`])
    if (others.length > 0) pairs.sort(([a], [b]) => compareText(a, b))
    return `${start}?${pairs.map(([, written]) => written).join('&')}`
  }
}

function writePair(name: string, value: string) {
  return writeQuery([[name, value]])
    .replaceAll('*', '%2A')
    .replaceAll('%7E', '~')
}
