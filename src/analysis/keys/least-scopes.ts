import { isUnscopedKey } from '../../http/authorize.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { type KeyName, type KeyUse, nameKey } from './key-use.ts'
import { allowsLess, apiScopes, byRights, type Rights, rightsOf, type Scopes } from './rights.ts'

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
