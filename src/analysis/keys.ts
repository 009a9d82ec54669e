import { endpoints } from '../api/endpoints.ts'
import { isAllowed, isUnscopedKey } from '../http/authorize.ts'
import type { Endpoint, ScopeRule } from '../http/endpoint.ts'
import { possibleValues, resolveBySetting } from '../settings/by-setting.ts'
import type { SettingValues } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import { findSentKey } from '../simulator/journal/messages.ts'
import { maskKey } from '../utils/redaction/mask.ts'
import { apiKeyPattern } from '../utils/redaction/secrets.ts'
import type { KeyRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'

/** The scopes of a key. Null for a key without a list of scopes, which may do everything. */
export type Scopes = KeyRow['scopes']

/** The scopes of the API. Other scopes of a key have no effect. */
const apiScopes: readonly string[] = [
  ...new Set(endpoints.flatMap(({ scope }) => possibleValues(scope))),
]
  .filter((scope) => scope.includes(':'))
  .toSorted()

/** The scopes of which each one is enough for a rule. */
export function enoughFor(rule: ScopeRule, settings: SettingValues): readonly string[] {
  return apiScopes.filter((scope) => isAllowed({ scopes: [scope] }, rule, settings))
}

/** A key. Keys of the same label and scopes are one. */
interface KeyName {
  /** Its label. Null for keys without one */
  readonly key: string | null
  /** Null for a key without a list of scopes, which may do everything */
  readonly scopes: Scopes
}

/** How a key was used. */
export interface KeyUse extends KeyName {
  /** The scopes of which each one was enough, by operation id. Only operations that the key may use */
  readonly required: Record<string, readonly string[]>
  /** Operations that the key may not use */
  readonly refused: string[]
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

function isSameKey(one: KeyName, other: KeyName): boolean {
  return one.key === other.key && JSON.stringify(one.scopes) === JSON.stringify(other.scopes)
}

/** Adds the use of a key by a request, and the key if it is not in the list. */
export function addKeyUse(
  uses: KeyUse[],
  name: KeyName,
  { id, scope }: Endpoint,
  settings: SettingValues,
): void {
  const rule = resolveBySetting(scope, settings)
  const required = { [id]: enoughFor(rule, settings) }
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
  for (const [id, enough] of Object.entries(added.required)) {
    const before = known.required[id] ?? enough
    known.required[id] = enough.filter((scope) => before.includes(scope))
  }
  for (const id of added.refused) if (!known.refused.includes(id)) known.refused.push(id)
}

/** @example nameKey('all') // 'Key all' */
export const nameKey = (key: string | null): string =>
  key === null ? 'A key without a label' : `Key ${key}`

/** The scopes that the requests with a key used: one that was enough for each operation, as few as possible. */
export function usedScopes({ required }: KeyUse): string[] {
  const used = new Set<string>()
  // The fewest choices first, so that they serve the others, too.
  const needs = Object.values(required).toSorted((one, other) => one.length - other.length)
  for (const enough of needs) {
    // The scope to read comes before the one to write.
    const [scope] = enough
    if (scope !== undefined && !enough.some((each) => used.has(each))) used.add(scope)
  }
  return [...used].sort()
}

/** Says which scopes a key used, and which ones it has. */
export function describeUse(use: KeyUse, settings: SettingValues): string {
  const { key, scopes, required, refused } = use
  const name = nameKey(key)
  const used = usedScopes(use)
  const isOpen = isUnscopedKey({ scopes }, settings) || scopes?.includes('*')
  const held = isOpen ? 'full access' : scopes?.join(', ')
  const has = held ? ` It has ${held}.` : ''
  if (used.length === 0 && refused.length > 0) {
    return `${name} was refused by ${refused.join(', ')}.${has}`
  }
  if (Object.values(required).some((enough) => enough.length === 0)) {
    return `${name} needs full access: no list of scopes is enough.`
  }
  if (used.length === 0) return `${name} used no scope.${has}`
  const isWhole = !isOpen && scopes?.every((scope) => used.includes(scope))
  return isWhole
    ? `${name} used each of its scopes: ${used.join(', ')}.`
    : `${name} used only ${used.join(', ')}.${has}`
}
