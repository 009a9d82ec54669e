import { isAllowed, isUnscopedKey } from '../http/check.ts'
import type { Operation } from '../http/endpoint.ts'
import { choose } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { KeyUse } from '../simulator/run-report.ts'
import { maskKey } from '../utils/redaction/redactor.ts'
import { apiKeyPattern } from '../utils/redaction/secrets.ts'
import type { KeyRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'

/** The use of a key by a request. Null if the key authenticates no user */
export function keyUseOf(
  record: JournalRecord,
  { operation: id, scope }: Operation,
  { keys, users }: Pick<Tables, 'keys' | 'users'>,
): KeyUse | null {
  const row = keys.get(record.sentKey ?? '')
  if (!row || !users.get(row.user)?.is_active) return null
  const { settings } = record
  const rule = choose(scope, settings)
  const scopes = isUnscopedKey(row, settings) ? null : row.scopes
  const name = { key: labelOf(row), scopes }
  if (!isAllowed(row, rule, settings)) return { ...name, used: [], refused: [id] }
  const used = rule === 'any_key' ? [] : [rule === 'refused' ? '*' : rule]
  return { ...name, used, refused: [] }
}

function labelOf({ label, value }: KeyRow): string | null {
  return label === value ? null : (label?.replace(apiKeyPattern, maskKey) ?? null)
}

/** Adds the use of a key to that of all keys. */
export function mergeKeyUse(uses: KeyUse[], added: KeyUse): void {
  const nameOf = ({ key, scopes }: KeyUse): string => JSON.stringify([key, scopes])
  const at = uses.findIndex((use) => nameOf(use) === nameOf(added))
  const known = uses[at]
  if (!known) uses.push(added)
  else {
    const used = [...new Set([...known.used, ...added.used])].sort()
    uses[at] = { ...known, used, refused: [...new Set([...known.refused, ...added.refused])] }
  }
}

/** @example describeKey('all') // 'Key all' */
export const describeKey = (key: string | null): string =>
  key === null ? 'A key without a label' : `Key ${key}`

/** Says which scopes a key used, and which ones it has. */
export function describeUse({ key, scopes, used, refused }: KeyUse): string {
  const name = describeKey(key)
  const isOpen = scopes === null || scopes.includes('*')
  const held = isOpen ? 'full access' : scopes.join(', ')
  const has = held ? ` It has ${held}.` : ''
  if (used.includes('*')) return `${name} needs full access: no list of scopes is enough.`
  if (used.length === 0 && refused.length > 0) {
    return `${name} was refused by ${refused.join(', ')}.${has}`
  }
  if (used.length === 0) return `${name} used no scope.${has}`
  // By setting, a scope to write allows reading, too.
  const isImplied = (scope: string): boolean =>
    !isOpen && !scopes.includes(scope) && used.includes(scope.replace(/:read$/, ':write'))
  const needed = used.filter((scope) => !isImplied(scope)).join(', ')
  const isWhole = !isOpen && scopes.every((scope) => used.includes(scope))
  return isWhole
    ? `${name} used each of its scopes: ${needed}.`
    : `${name} used only ${needed}.${has}`
}
