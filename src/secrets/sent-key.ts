import { keyName } from './places.ts'

/** A key that a request was sent with. */
export interface SentKey {
  readonly value: string
  readonly place: 'Authorization header' | 'body' | 'query string'
}

/** Exactly `Bearer`, white space, and a key of two characters or more; anything else counts as no key. */
export function keyInHeader(authorization: string | null | undefined): SentKey | null {
  const value = /^Bearer\s+(\S.+)$/.exec(authorization?.trim() ?? '')?.[1]
  return value === undefined ? null : { value, place: 'Authorization header' }
}

/** The key in a body that was parsed: of JSON, or of a form. */
export function keyInBody(body: unknown): SentKey | null {
  const value = (body as { [keyName]?: unknown } | null | undefined)?.[keyName]
  return typeof value === 'string' && value !== '' ? { value, place: 'body' } : null
}

/** The key in what follows `?` in an address. */
export function keyInQuery(query: string): SentKey | null {
  // As a rule there is none: nothing is parsed then.
  if (query === '') return null
  const value = new URLSearchParams(query).getAll(keyName).at(-1)
  return value ? { value, place: 'query string' } : null
}
