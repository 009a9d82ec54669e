import { keyFieldName } from './places.ts'

/** A key that a request was sent with. */
export interface SentApiKey {
  readonly value: string
  readonly location: 'Authorization header' | 'body' | 'query string'
}

/** Exactly `Bearer`, white space, and a key of two characters or more; anything else counts as no key. */
export function keyInHeader(authorization: string | null | undefined): SentApiKey | null {
  const value = /^Bearer\s+(\S.+)$/.exec(authorization?.trim() ?? '')?.[1]
  return value === undefined ? null : { value, location: 'Authorization header' }
}

/** The key in a body that was parsed: of JSON, or of a form. */
export function keyInBody(body: unknown): SentApiKey | null {
  const value = (body as { [keyFieldName]?: unknown } | null | undefined)?.[keyFieldName]
  return typeof value === 'string' && value !== '' ? { value, location: 'body' } : null
}

/** The key in what follows `?` in an address. */
export function keyInQuery(query: string): SentApiKey | null {
  // As a rule there is none: nothing is parsed then.
  if (query === '') return null
  const value = new URLSearchParams(query).getAll(keyFieldName).at(-1)
  return value ? { value, location: 'query string' } : null
}
