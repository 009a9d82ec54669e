import type { PolicySettings } from '../policies/policies.ts'
import { keyFieldName } from '../utils/redaction/secrets.ts'
import type { KeyRow, UserRow } from '../world/rows.ts'
import type { AccountDirectory } from '../world/table/row-lookup.ts'
import { Failure } from './failures.ts'
import type { ApiRequest } from './messages.ts'

/** The sender of a request: an API key and its user. */
export interface ApiCaller {
  readonly key: KeyRow
  readonly user: UserRow
}

/**
 * The scope that an endpoint requires. `any_key` requires none, and `refused` rejects every key with scopes. Endpoints of
 * the control API are for the `operator`, who needs no API key, or for `anyone`.
 */
export type ScopeRule =
  | `${string}:${'read' | 'write'}`
  | 'any_key'
  | 'refused'
  | 'operator'
  | 'anyone'

/**
 * Authenticates a request by its API key. If it has several keys, only the first one is tried.
 *
 * @param getBody returns the parsed body; called only if a body may hold a key and the header has none
 * @throws Failure `not_authenticated` without a key, `authentication_failed` for an unknown key or an inactive user
 */
export function authenticate(
  request: ApiRequest,
  settings: PolicySettings,
  directory: AccountDirectory,
  getBody: () => unknown,
): ApiCaller {
  const sentKey = findApiKey(request, settings, getBody)
  if (!sentKey) throw new Failure('not_authenticated')
  const key = directory.key(sentKey.value)
  const user = key && directory.user(key.user)
  if (key && user?.is_active) return { key, user }
  throw new Failure(
    'authentication_failed',
    `Personal API key found in request ${sentKey.location} is invalid.`,
  )
}

/**
 * Finds the API key of a request: in the header, and if the policy `keys.places` allows it, in the body, then in the
 * query.
 *
 * @param getBody returns the parsed body; called only if a body may hold a key and the header has none
 */
export function findApiKey(
  { headers, query }: Pick<ApiRequest, 'headers' | 'query'>,
  settings: PolicySettings,
  getBody: () => unknown,
): SentApiKey | null {
  const headerKey = keyInHeader(headers.get('authorization'))
  if (headerKey || settings['keys.places'] === 'header') return headerKey
  return keyInBody(getBody()) ?? keyInQuery(query)
}

/** @throws Failure `permission_denied` unless the key has the scope */
export function requireScope(key: KeyRow, rule: ScopeRule, settings: PolicySettings): void {
  if (isUnscopedKey(key, settings) || rule === 'any_key') return
  const scopes = key.scopes ?? []
  if (rule === 'refused') {
    throw insufficientKey('This action does not support Personal API Key access')
  }
  if (scopes.includes('*') || scopes.includes(rule)) return
  const writeScope = rule.replace(/:read$/, ':write')
  if (settings['keys.write_implies_read'] === 'yes' && scopes.includes(writeScope)) return
  throw insufficientKey(`API key missing required scope '${rule}'`)
}

/** Creates the failure for a key that lacks a permission. */
export function insufficientKey(detail?: string): Failure {
  return new Failure('permission_denied', detail, { isKeyInsufficient: true })
}

/** Whether a key was issued before scopes existed. Such a key has all permissions. */
export function isUnscopedKey(
  { scopes }: Pick<KeyRow, 'scopes'>,
  settings: PolicySettings,
): boolean {
  if (scopes === null) return true
  return scopes.length === 0 && settings['keys.empty_scopes'] === 'everything'
}

/** The API key of a request, and where it was found. */
interface SentApiKey {
  readonly value: string
  readonly location: 'Authorization header' | 'body' | 'query string'
}

/** Parses exactly `Bearer`, white space, and a key of at least two characters. Any other value contains no key. */
export function keyInHeader(authorization: string | null | undefined): SentApiKey | null {
  const value = /^Bearer\s+(\S.+)$/.exec(authorization?.trim() ?? '')?.[1]
  return value === undefined ? null : { value, location: 'Authorization header' }
}

/** Finds the key in a parsed JSON or form body. */
export function keyInBody(body: unknown): SentApiKey | null {
  const value = (body as { [keyFieldName]?: unknown } | null | undefined)?.[keyFieldName]
  return typeof value === 'string' && value !== '' ? { value, location: 'body' } : null
}

/** @param query the part of the URL after `?` */
export function keyInQuery(query: string): SentApiKey | null {
  // Fast path: most requests have no query.
  if (query === '') return null
  const value = new URLSearchParams(query).getAll(keyFieldName).at(-1)
  return value ? { value, location: 'query string' } : null
}
