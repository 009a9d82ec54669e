import type { PolicySettings } from '../../policies/policies.ts'
import {
  allowsLess,
  findEnough,
  isWithin,
  type KeyName,
  type KeyUse,
  type LeastScopes,
  listsWithin,
  needsOf,
  type Rights,
  rightsOf,
  type Scopes,
  toLeastScopes,
} from '../keys.ts'
import type { ClientTrace } from './client-trace.ts'
import { runVariants, type SweepClient } from './sweep.ts'
import type { ChangedKey, Variant } from './variant.ts'

/** The least scopes with which a client passes. */
export interface ScopeTrials {
  readonly keys: readonly TriedKey[]
  /** The operations that the client used and whose scope the documentation does not name */
  readonly unnamed: readonly string[]
}

/** A key that a client used. */
export interface TriedKey extends KeyName {
  /** Null if the trials were interrupted */
  readonly found: LeastScopes | null
}

/** Finds the least scopes of one key after the other, while the ones before it have only their least ones. */
export async function tryScopes(
  { keys, unscopedOperations: unnamed }: Pick<ClientTrace, 'keys' | 'unscopedOperations'>,
  settings: PolicySettings,
  client: SweepClient,
): Promise<ScopeTrials> {
  const changed: ChangedKey[] = []
  const tried: TriedKey[] = []
  for (const use of keys) {
    const { key, scopes } = use
    const enough = await findPassing(use, settings, client, changed)
    if (enough !== undefined) changed.push({ key, scopes, newScopes: enough })
    const found = enough === undefined ? null : toLeastScopes(enough, scopes, settings)
    tried.push({ key, scopes, found })
  }
  return { keys: tried, unnamed }
}

/**
 * Tries what the requests with a key needed, and the largest lists that allow less, until none of these passes. A list that
 * allows less than one that failed is not tried.
 *
 * @returns undefined after an interruption
 */
async function findPassing(
  use: KeyUse,
  settings: PolicySettings,
  client: SweepClient,
  changed: readonly ChangedKey[],
): Promise<Scopes | undefined> {
  const { key, scopes } = use
  const lists = listsWithin(scopes, settings)
  const failed: Rights[] = []
  const below = (rights: Rights): Rights[] => {
    const open = lists.filter(
      (one) => allowsLess(one, rights, settings) && !failed.some((other) => isWithin(one, other)),
    )
    // Of lists that allow the same, the first one stands for all.
    return open.filter(
      (one, index) =>
        !open.some((other, nth) => isWithin(one, other) && (nth < index || !isWithin(other, one))),
    )
  }
  const expected = findEnough(needsOf(use), lists)
  let current = rightsOf(scopes, settings)
  let next = expected ? [...below(expected), expected] : below(current)
  while (next.length > 0) {
    const variants = next.map((one) =>
      scopeVariant([...changed, { key, scopes, newScopes: one.scopes }]),
    )
    const outcomes = await runVariants(variants, client)
    if (client.signal?.aborted) return undefined
    const passed = next.filter((_, index) => outcomes[index]?.outcome === 'passed')
    failed.push(...next.filter((one) => !passed.includes(one)))
    current = passed[0] ?? current
    next = below(current)
  }
  return current.scopes
}

/** The service with keys that have other scopes. */
function scopeVariant(keys: readonly ChangedKey[]): Variant {
  return {
    id: `keys=${JSON.stringify(keys)}`,
    sentence: 'Keys have fewer scopes.',
    evidence: 'documented',
    source: 'the documentation says that each operation requires a scope',
    keys,
  }
}
