import { compareText } from './text.ts'

/**
 * Parses a query or a form. Its `+` are made spaces first, since `URLSearchParams` takes more than linear time for them, and
 * invalid encodings are made valid ones, for each of which it would throw inside.
 */
export function parseQuery(text: string): URLSearchParams {
  const spaced = text.includes('+') ? text.split('+').join(' ') : text
  return new URLSearchParams(spaced.replace(doubtful, makeValid))
}

const doubtful = /%(?![\da-f]{2})|(?:%[89a-f][\da-f])+/gi
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function makeValid(written: string): string {
  if (written.length <= 3) return written === '%' ? '%25' : '%EF%BF%BD'
  const bytes = Uint8Array.from(written.split('%').slice(1), (digits) => Number(`0x${digits}`))
  return encodeURIComponent(decoder.decode(bytes))
}

export type QueryPair = readonly [name: string, value: string]

/** The parameters of a query, in order. Most have nothing to decode, and are split: that is faster than to parse them. */
export function splitQuery(text: string): readonly QueryPair[] {
  if (!/^[\w.,:;=&-]*$/.test(text)) return [...parseQuery(text)]
  const pairs: QueryPair[] = []
  for (const pair of text.split('&')) {
    const end = pair.indexOf('=')
    if (end >= 0) pairs.push([pair.slice(0, end), pair.slice(end + 1)])
    else if (pair !== '') pairs.push([pair, ''])
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

/** Percent-encodes a text as in a form. */
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

/** Decodes a text of a query or a form, in which `+` is a space. Invalid encodings stay. */
export function decodeFormText(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text.includes('+') ? text.split('+').join(' ') : text
  return parseQuery(`=${text.split('&').join('%26')}`).get('') as string
}

/** Decodes a percent-encoded text, in which `+` is itself. Invalid encodings stay. */
export function decodePercent(text: string): string {
  return text.includes('%') ? decodeFormText(text.split('+').join('%2B')) : text
}

/**
 * Writes the URL of a request with other numbers in its query, or without those that are null. It keeps all other parameters,
 * sorted by name and encoded as Python's `urlencode` does.
 *
 * @param names those of the numbers, in order
 */
export function linkFrom<Name extends string>(
  url: string,
  names: readonly Name[],
): (numbers: Readonly<Record<Name, number | bigint | null>>) => string {
  const start = `${url.replace(/[?#].*/s, '')}?`
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? []
  const others = splitQuery(query)
    .filter(([name]) => !names.includes(name as Name))
    .map(([name, value]): QueryPair => [name, writePair(name, value)])
  return (numbers) => {
    const pairs = [...others]
    for (const name of names)
      if (numbers[name] !== null) pairs.push([name, `${name}=${numbers[name]}`])
    if (others.length > 0) pairs.sort(([a], [b]) => compareText(a, b))
    return start + pairs.map(([, written]) => written).join('&')
  }
}

function writePair(name: string, value: string): string {
  return writeQuery([[name, value]])
    .replaceAll('*', '%2A')
    .replaceAll('%7E', '~')
}
