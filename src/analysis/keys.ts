import { endpoints } from '../api/endpoints.ts'
import { isAllowed, isUnscopedKey } from '../http/authorize.ts'
import type { Endpoint, ScopeRule } from '../http/endpoint.ts'
import { createPathItems } from '../http/route.ts'
import { possibleValues, resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { JournalRecord } from '../sandbox/journal/journal.ts'
import { findSentKey } from '../sandbox/journal/render-parts.ts'
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

/**
 * Every endpoint by its id, with those for methods that a path lacks: there, a key with scopes can be refused where another
 * one gets a 405.
 */
export const everyEndpoint: ReadonlyMap<string, Endpoint<never>> = new Map(
  createPathItems<never>(endpoints).flatMap(({ allEndpoints }) =>
    allEndpoints.map((endpoint) => [endpoint.id, endpoint]),
  ),
)

/** The scopes of which each one is enough for a rule. */
export function enoughFor(rule: ScopeRule, settings: PolicySettings): readonly string[] {
  return apiScopes.filter((scope) => isAllowed({ scopes: [scope] }, rule, settings))
}

/** A list of scopes and what it allows under the policies in force. */
export interface Rights {
  readonly scopes: Scopes
  /** The ids of the endpoints that it allows */
  readonly endpoints: ReadonlySet<string>
}

export function rightsOf(scopes: Scopes, settings: PolicySettings): Rights {
  const allowed = [...everyEndpoint.values()].filter(({ scope }) =>
    isAllowed({ scopes }, resolveByPolicy(scope, settings), settings),
  )
  return { scopes, endpoints: new Set(allowed.map(({ id }) => id)) }
}

/** Whether one list allows less than another: fewer endpoints, or the same ones with fewer scopes. */
export function allowsLess(one: Rights, other: Rights, settings: PolicySettings): boolean {
  return isWithin(one, other) && byRights(settings)(one, other) < 0
}

/** Whether one list allows nothing that another does not allow. */
export function isWithin(one: Rights, other: Rights): boolean {
  return [...one.endpoints].every((id) => other.endpoints.has(id))
}

/** Orders lists by how many endpoints they allow, then by how many scopes they have. */
function byRights(settings: PolicySettings): (one: Rights, other: Rights) => number {
  const lengthOf = ({ scopes }: Rights): number => {
    if (isUnscopedKey({ scopes }, settings)) return 2 * manyScopes
    return scopes?.includes('*') ? manyScopes : (scopes?.length ?? 0)
  }
  return (one, other) =>
    one.endpoints.size - other.endpoints.size || lengthOf(one) - lengthOf(other)
}

/** More scopes than a list has: `*` stands for all, and a list that limits nothing for more. */
const manyScopes = 1_000_000

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

/** The fewest rights that a key needs. */
export interface LeastScopes {
  /** The scopes to give the key. If no list of scopes is enough, those that it has */
  readonly least: Scopes
  /** Whether its requests need them. If not, it has some because an empty list would allow everything */
  readonly isNeeded: boolean
}

/** Finds the fewest rights with which all requests with a key succeed. */
export function findLeastScopes(use: KeyUse, settings: PolicySettings): LeastScopes {
  const { scopes: held } = use
  const enough = findEnough(needsOf(use), listsWithin(held, settings))
  return toLeastScopes(enough?.scopes ?? held, held, settings)
}

/** For each operation of a key, the scopes of which one is enough. */
export function needsOf({ required }: Pick<KeyUse, 'required'>): (readonly string[])[] {
  return Object.values(required).map(({ enough }) => enough)
}

/** Finds the first list that is enough. @param needs for each operation the scopes of which one is enough */
export function findEnough(
  needs: readonly (readonly string[])[],
  lists: readonly Rights[],
): Rights | undefined {
  return lists.find(({ scopes }) =>
    needs.every((enough) => enough.some((scope) => scopes?.includes(scope))),
  )
}

/**
 * The lists that allow less than that of a key, from least to most. The first one opens nothing. A list that limits nothing is
 * the largest, also if it is empty.
 */
export function listsWithin(held: Scopes, settings: PolicySettings): Rights[] {
  const whole = rightsOf(held, settings)
  return [nothing, ...listsOf(apiScopes)]
    .map((scopes) => rightsOf(scopes, settings))
    .filter((one) => allowsLess(one, whole, settings))
    .sort(byRights(settings))
}

/** Says what to give a key, for a list of which none that allows less is enough. */
export function toLeastScopes(enough: Scopes, held: Scopes, settings: PolicySettings): LeastScopes {
  const { endpoints } = rightsOf(nothing, settings)
  const isNeeded = rightsOf(enough, settings).endpoints.size > endpoints.size
  if (isNeeded) return { least: enough, isNeeded }
  const first = listsWithin(held, settings).find(({ scopes }) => scopes !== nothing)
  return { least: first?.scopes ?? held, isNeeded }
}

/**
 * Says which scopes a key needs, and which ones it has if it needs fewer.
 *
 * @param refused the operations that refused it. If no other one required a scope, nothing is known of its needs
 */
export function describeLeastScopes(
  { key, scopes }: KeyName,
  { least, isNeeded }: LeastScopes,
  settings: PolicySettings,
  refused: readonly string[] = [],
): string {
  const isOpen = (list: Scopes): boolean => isUnscopedKey({ scopes: list }, settings)
  const name = nameKey(key)
  const list = least?.join(', ')
  const held = isOpen(scopes) || scopes?.includes('*') ? 'full access' : scopes?.join(', ')
  const has = held ? ` It has ${held}.` : ''
  if (!isNeeded && refused.length > 0) return `${name} was refused by ${refused.join(', ')}.${has}`
  if (isOpen(least)) return `${name} needs full access: no list of scopes is enough.`
  if (!isNeeded && list) {
    return `${name} needs no scope, but an empty list would allow everything: ${list} allows the least.${has}`
  }
  if (!list) return `${name} needs no scope.${has}`
  const isWhole = !isOpen(scopes) && scopes?.every((scope) => least?.includes(scope))
  return isWhole
    ? `${name} needs each of its scopes: ${list}.`
    : `${name} needs only ${list}.${has}`
}

/** A scope that no endpoint requires, because an empty list can allow everything. */
const nothing: readonly string[] = ['none']

/** Every list of some scopes. @example listsOf(['a', 'b']) // [[], ['a'], ['b'], ['a', 'b']] */
function listsOf([first, ...others]: readonly string[]): string[][] {
  if (first === undefined) return [[]]
  return listsOf(others).flatMap((list) => [list, [first, ...list]])
}
