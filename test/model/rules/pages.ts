import type { ApiRequest } from '../request.ts'
import type { Json } from '../rows.ts'

/** A page of a list, with links to the pages beside it. */
export function page(request: ApiRequest, rows: readonly Json[], usualLimit: number): Json {
  const limit = readNumber(request, 'limit', 1) ?? usualLimit
  const offset = readNumber(request, 'offset', 0) ?? 0
  return {
    count: rows.length,
    next: offset + limit >= rows.length ? null : link(request, limit, offset + limit),
    previous: offset === 0 ? null : link(request, limit, offset - limit),
    results: rows.slice(offset, offset + limit),
  }
}

/** The last value counts. A value that Python's `int` refuses, or one that is too small, counts as missing. */
function readNumber({ query }: ApiRequest, name: string, least: number): number | null {
  const number = readInteger(query.findLast(([key]) => key === name)?.[1] ?? '')
  return number === null || number < least ? null : number
}

/** What Python's `int` reads. */
export function readInteger(text: string): number | null {
  const value = text.trim()
  return /^[+-]?\d+(_\d+)*$/.test(value) ? Number(value.replaceAll('_', '')) : null
}

/** The URL of the request with another limit and offset. Offset 0 is left out. */
function link(request: ApiRequest, limit: number, offset: number): string {
  return linkTo(request, { limit: String(limit), offset: offset > 0 ? String(offset) : null })
}

/** The URL of the request with other parameters, sorted by name. Null removes one. */
export function linkTo(
  { base, path, query }: ApiRequest,
  changes: Readonly<Record<string, string | null>>,
): string {
  const changed = Object.entries(changes).filter(
    (pair): pair is [string, string] => pair[1] !== null,
  )
  const pairs = [...query.filter(([name]) => !(name in changes)), ...changed]
  const names = [...new Set(pairs.map(([name]) => name))].sort()
  const sorted = names.flatMap((name) => pairs.filter(([other]) => other === name))
  return `${base}${path}?${sorted.map((pair) => pair.map(quote).join('=')).join('&')}`
}

/** Python's `quote_plus`. */
function quote(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte)
      if (/[A-Za-z0-9_.~-]/.test(sign)) return sign
      return sign === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
