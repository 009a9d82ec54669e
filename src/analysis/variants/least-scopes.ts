import { runVariants, type SweepClient, type VariantOutcome } from './sweep.ts'
import type { Variant } from './variant.ts'

/** The smallest set of scopes with which a client still passes. */
export interface LeastScopes {
  /** The scopes of the keys that the client used */
  readonly held: readonly string[]
  /** The smallest set, found by trying. Null if the search was interrupted */
  readonly smallest: readonly string[] | null
  /** The scopes that the client does not need */
  readonly unused: readonly string[]
  /** The operations that the client used and whose scope the documentation does not name */
  readonly unnamed: readonly string[]
  readonly outcomes: readonly VariantOutcome[]
}

/** The service with keys that have only some scopes. */
export function scopeVariant(scopes: readonly string[]): Variant {
  const list = scopes.join(', ')
  return {
    id: `scopes=${list || 'none'}`,
    sentence: `Keys have ${scopes.length === 0 ? 'no scopes' : `only the scopes ${list}`}.`,
    evidence: 'documented',
    source: 'the documentation names the scope of each operation',
    scopes,
  }
}

/**
 * Removes each scope in turn, then tries the scopes without which the client fails. If these do not suffice, because of
 * scopes of which either one is enough, it adds further ones, the fewest first.
 */
export async function findLeastScopes(
  held: readonly string[],
  unnamed: readonly string[],
  client: SweepClient,
): Promise<LeastScopes> {
  const without = held.map((scope) => scopeVariant(held.filter((other) => other !== scope)))
  const outcomes = await runVariants(without, client)
  const needed = held.filter((_, index) => {
    const outcome = outcomes.find(({ variant }) => variant === without[index])
    return outcome?.outcome === 'failed'
  })
  const others = held.filter((scope) => !needed.includes(scope))
  let smallest: readonly string[] | undefined
  for (let count = 0; count < others.length && !smallest; count++) {
    const sets = combinations(others, count).map((added) =>
      scopeVariant(held.filter((scope) => needed.includes(scope) || added.includes(scope))),
    )
    const untried = sets.filter(({ id }) => !outcomes.some(({ variant }) => variant.id === id))
    outcomes.push(...(await runVariants(untried, client)))
    const passed = outcomes.filter(({ outcome }) => outcome === 'passed')
    smallest = sets.find(({ id }) => passed.some(({ variant }) => variant.id === id))?.scopes
  }
  // The client passes with all of them.
  if (!client.signal?.aborted) smallest ??= held
  const unused = smallest === undefined ? [] : held.filter((scope) => !smallest.includes(scope))
  return { held, smallest: smallest ?? null, unused, unnamed, outcomes }
}

/** @example combinations(['a', 'b', 'c'], 2) // [['a', 'b'], ['a', 'c'], ['b', 'c']] */
function combinations<T>(items: readonly T[], count: number): T[][] {
  if (count === 0) return [[]]
  return items.flatMap((item, index) =>
    combinations(items.slice(index + 1), count - 1).map((rest) => [item, ...rest]),
  )
}
