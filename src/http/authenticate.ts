import type { PolicySettings } from '../policies/policies.ts'
import { keyFieldName } from '../utils/redaction/secrets.ts'
import type { KeyRow, UserRow } from '../world/rows.ts'
import type { AccountDirectory } from '../world/table/row-lookup.ts'
import { Failure } from './failures.ts'
import type { ApiRequest } from './messages.ts'

/** Who asks. */
export interface ApiCaller {
  readonly key: KeyRow
  readonly user: UserRow
}

/**
 * The scope an endpoint asks for; `any_key` for none, `refused` where no key with scopes is let in. Endpoints
 * of the control API are for the `operator`, who needs no key, or to be read by `anyone`.
 */
export type ScopeRule =
  | `${string}:${'read' | 'write'}`
  | 'any_key'
  | 'refused'
  | 'operator'
  | 'anyone'

/**
 * Who sends the key of a request. Only the first key found is tried (observed §2).
 *
 * @param body gives the parsed body; called only where keys may stand in it and the header has none
 * @throws Failure `not_authenticated` without a key, `authentication_failed` for an unknown or inactive one
 */
export function authenticate(
  call: ApiRequest,
  settings: PolicySettings,
  directory: AccountDirectory,
  body: () => unknown,
): ApiCaller {
  const found = findApiKey(call, settings, body)
  if (!found) throw new Failure('not_authenticated')
  const key = directory.key(found.value)
  const user = key && directory.user(key.user)
  if (key && user?.is_active) return { key, user }
  throw new Failure(
    'authentication_failed',
    `Personal API key found in request ${found.location} is invalid.`,
  )
}

/**
 * The key of a request: the first one where the policy `keys.places` has it looked for (observed §2); null for none.
 *
 * @param body gives the parsed body; called only where keys may stand in it and the header has none
 */
export function findApiKey(
  { headers, query }: Pick<ApiRequest, 'headers' | 'query'>,
  settings: PolicySettings,
  body: () => unknown,
): SentApiKey | null {
  const inHeader = keyInHeader(headers.get('authorization'))
  if (inHeader || settings['keys.places'] === 'header') return inHeader
  return keyInBody(body()) ?? keyInQuery(query)
}

/** @throws Failure `permission_denied` unless the key has the scope (observed §1, §2) */
export function requireScope(key: KeyRow, rule: ScopeRule, settings: PolicySettings): void {
  if (isUnscopedKey(key, settings) || rule === 'any_key') return
  const scopes = key.scopes ?? []
  if (rule === 'refused') {
    throw insufficientKey('This action does not support Personal API Key access')
  }
  if (scopes.includes('*') || scopes.includes(rule)) return
  const write = rule.replace(/:read$/, ':write')
  if (settings['keys.write_implies_read'] === 'yes' && scopes.includes(write)) return
  throw insufficientKey(`API key missing required scope '${rule}'`)
}

/** The refusal of a key that may not do what it asks for (observed §1). */
export function insufficientKey(detail?: string): Failure {
  return new Failure('permission_denied', detail, { isKeyInsufficient: true })
}

/** A key from before scopes existed, which may do everything. */
export function isUnscopedKey(
  { scopes }: Pick<KeyRow, 'scopes'>,
  settings: PolicySettings,
): boolean {
  if (scopes === null) return true
  return scopes.length === 0 && settings['keys.empty_scopes'] === 'everything'
}

/** A key that a request was sent with. */
interface SentApiKey {
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
