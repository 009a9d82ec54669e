import { isAllowed } from '../../http/authorize.ts'
import type { Endpoint, ScopeRule } from '../../http/endpoint.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { findSentKey } from '../../sandbox/journal/render-parts.ts'
import { maskKey } from '../../utils/redaction/mask.ts'
import { apiKeyPattern } from '../../utils/redaction/secrets.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { Tables } from '../../world/table/tables.ts'
import { enoughFor, type Scopes } from './rights.ts'

/** A key. Keys of the same label and scopes are one. */
export interface KeyName {
  /** Its label. Null for keys without one */
  readonly key: string | null
  /** Null for a key without a list of scopes, which may do everything */
  readonly scopes: Scopes
}

/** How a key was used. */
export interface KeyUse extends KeyName {
  /** What each operation required of it, by operation id. Only operations that the key may use */
  readonly required: Record<string, RequiredScope>
  /** Operations that the key may not use */
  readonly refused: string[]
}

/** The scope that an operation required. */
interface RequiredScope {
  readonly rule: ScopeRule
  /** The scopes of which each one was enough */
  readonly enough: readonly string[]
}

/** Returns the key of a request if it authenticates its user. */
export function findUsedKey(
  record: JournalRecord,
  { keys, users }: Pick<Tables, 'keys' | 'users'>,
): KeyRow | undefined {
  const key = keys.get(findSentKey(record)?.value ?? '')
  return key && users.get(key.user)?.is_active ? key : undefined
}

export function nameOfKey({ label, value, scopes }: KeyRow): KeyName {
  const key = label === value ? null : (label?.replace(apiKeyPattern, maskKey) ?? null)
  return { key, scopes }
}

export function isSameKey(one: KeyName, other: KeyName): boolean {
  return one.key === other.key && JSON.stringify(one.scopes) === JSON.stringify(other.scopes)
}

/** Adds the use of a key by a request, and the key if it is not in the list. */
export function addKeyUse(
  uses: KeyUse[],
  name: KeyName,
  { id, scope }: Endpoint<never>,
  settings: PolicySettings,
): void {
  const rule = resolveByPolicy(scope, settings)
  const required = { [id]: { rule, enough: enoughFor(rule, settings) } }
  mergeKeyUse(
    uses,
    isAllowed(name, rule, settings)
      ? { ...name, required: rule === 'any_key' ? {} : required, refused: [] }
      : { ...name, required: {}, refused: [id] },
  )
}

/** Adds what one part of a run used to what the others did. */
export function mergeKeyUse(uses: KeyUse[], added: KeyUse): void {
  const known = uses.find((use) => isSameKey(use, added))
  if (!known) {
    uses.push({ ...added, required: { ...added.required }, refused: [...added.refused] })
    return
  }
  for (const [id, { rule, enough }] of Object.entries(added.required)) {
    const before = known.required[id]?.enough ?? enough
    known.required[id] = { rule, enough: enough.filter((scope) => before.includes(scope)) }
  }
  for (const id of added.refused) if (!known.refused.includes(id)) known.refused.push(id)
}

/** @example nameKey('all') // 'Key all' */
export const nameKey = (key: string | null): string =>
  key === null ? 'A key without a label' : `Key ${key}`
