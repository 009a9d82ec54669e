import type { RequestStep } from '../scenarios/scenario.ts'

/** Where a request goes, as a scenario says it. */
export type StepAddress = Pick<RequestStep, 'path' | 'query'>

/**
 * Where the API begins, as far as an address tells: what stands before `/api`, else its origin.
 *
 * @example baseOf('https://example.com/mock/api/projects/') // 'https://example.com/mock'
 */
export function guessBaseUrl(url: string): string {
  const [path = ''] = url.split(/[?#]/)
  const [origin = ''] = /^[a-z][\w+.-]*:\/\/[^/]*/i.exec(path) ?? []
  const at = path.slice(origin.length).search(/\/api(?:\/|$)/)
  return at < 0 ? origin : path.slice(0, origin.length + at)
}

/**
 * The path and the query of an address below a base URL, where no sign stands for a saved value; null for one that
 * lies elsewhere.
 *
 * @example placeOf('http://a.test/api/projects/?limit=2', 'http://a.test') // { path: '/api/projects/', query: { limit: 2 } }
 */
export function toStepAddress(url: string, baseUrl: string): StepAddress | null {
  const [address = ''] = url.split('#')
  if (!isBelowBaseUrl(`${address.split('?')[0]}/`, baseUrl)) return null
  const [path = '', ...rest] = address.slice(baseUrl.length).split('?')
  const place = { path: escapeBraces(path === '' ? '/' : path) }
  if (rest.length === 0) return place
  const text = rest.join('?')
  const pairs = [...new URLSearchParams(text)]
  const isSame = isRepeatableQuery(text, pairs)
  if (!isSame) return { path: `${place.path}?${escapeBraces(text)}` }
  return {
    ...place,
    query: Object.fromEntries(pairs.map(([name, value]) => [name, parseQueryValue(value)])),
  }
}

/** Whether an address is one below a base URL. */
export function isBelowBaseUrl(address: string, baseUrl: string): boolean {
  return address.startsWith(baseUrl) && address[baseUrl.length] === '/'
}

/** A text in which no sign stands for a saved value. */
export function escapeBraces(text: string): string {
  return text.replace(/\{(\w+)\}/g, '{{$1}}')
}

/** Whether a query can be told by its names and values: each name once, and encoded as it will be again. */
function isRepeatableQuery(text: string, pairs: readonly [string, string][]): boolean {
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return false
  // `{` is not encoded by everyone, and a space in two ways; neither makes a difference.
  const encoded = String(new URLSearchParams([...pairs]))
  const meant = (query: string): string => decodeURIComponent(query.replaceAll('+', '%20'))
  try {
    return (
      text !== '' && meant(text) === meant(encoded) && !pairs.some(([name]) => /\{\w+\}/.test(name))
    )
  } catch {
    return false
  }
}

/** A number where it is written as one. */
function parseQueryValue(value: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : escapeBraces(value)
}
