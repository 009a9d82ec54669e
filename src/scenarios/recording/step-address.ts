import type { RequestStep } from '../format/scenario.ts'

/** The path and the query of a request step. */
export type StepAddress = Pick<RequestStep, 'path' | 'query'>

/**
 * Guesses the base URL of an address: the part before `/api`, or the origin.
 *
 * @example guessBaseUrl('https://example.com/mock/api/projects/') // 'https://example.com/mock'
 */
export function guessBaseUrl(url: string): string {
  const [path = ''] = url.split(/[?#]/)
  const [origin = ''] = /^[a-z][\w+.-]*:\/\/[^/]*/i.exec(path) ?? []
  const at = path.slice(origin.length).search(/\/api(?:\/|$)/)
  return at < 0 ? origin : path.slice(0, origin.length + at)
}

/**
 * Splits an address into the path and the query of a step. Braces are escaped.
 *
 * @returns null if the address is not below the base URL
 * @example toStepAddress('http://a.test/api/projects/?limit=2', 'http://a.test') // { path: '/api/projects/', query: { limit: 2 } }
 */
export function toStepAddress(url: string, baseUrl: string): StepAddress | null {
  const [address = ''] = url.split('#')
  if (!isBelowBaseUrl(`${address.split('?')[0]}/`, baseUrl)) return null
  const [path = '', ...rest] = address.slice(baseUrl.length).split('?')
  const escapedPath = escapeBraces(path === '' ? '/' : path)
  if (rest.length === 0) return { path: escapedPath }
  const queryText = rest.join('?')
  const pairs = [...new URLSearchParams(queryText)]
  if (!isRepeatableQuery(queryText, pairs)) {
    return { path: `${escapedPath}?${escapeBraces(queryText)}` }
  }
  return {
    path: escapedPath,
    query: Object.fromEntries(pairs.map(([name, value]) => [name, parseQueryValue(value)])),
  }
}

/**
 * The path of a step that sends exactly this path and query.
 *
 * @returns null if fetch would normalize the address
 */
export function toExactAddress(target: string): StepAddress | null {
  if (!/^\/[^\s#]*$/.test(target)) return null
  const url = `http://localhost${target}`
  const isUnchanged = URL.canParse(url) && new URL(url).href === url
  return isUnchanged ? { path: escapeBraces(target) } : null
}

export function isBelowBaseUrl(address: string, baseUrl: string): boolean {
  return address.startsWith(baseUrl) && address[baseUrl.length] === '/'
}

/** Doubles braces around names, so that a step does not read them as saved values. */
export function escapeBraces(text: string): string {
  return text.replace(/\{(\w+)\}/g, '{{$1}}')
}

/** Whether a query can be written as an object: no name repeats, and encoding it again gives the same text. */
function isRepeatableQuery(text: string, pairs: readonly [string, string][]): boolean {
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return false
  // Clients differ in whether they encode `{`, and in how they encode a space.
  const encoded = String(new URLSearchParams([...pairs]))
  const normalize = (query: string): string => decodeURIComponent(query.replaceAll('+', '%20'))
  try {
    return (
      text !== '' &&
      normalize(text) === normalize(encoded) &&
      !pairs.some(([name]) => /\{\w+\}/.test(name))
    )
  } catch {
    return false
  }
}

function parseQueryValue(value: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : escapeBraces(value)
}
