import { endpoints } from '../../api/endpoints.ts'
import { isByPolicy, possibleValues } from '../../policies/by-policy.ts'
import type { PolicyId } from '../../policies/policies.ts'
import { usedPolicies } from '../../sandbox/journal/deciding-policies.ts'
import { findSentKey } from '../../sandbox/journal/render-parts.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { type ExercisedMutants, MutantCollector } from './mutants.ts'
import { isUnlimited } from './variant.ts'

/** The scopes of the API. Other scopes of a key have no effect. */
export const apiScopes: readonly string[] = [
  ...new Set(endpoints.flatMap(({ scope }) => possibleValues(scope))),
]
  .filter((scope) => scope.includes(':'))
  .toSorted()

/** What a client did in one run. */
export interface ClientTrace {
  readonly requests: number
  /** The policies that its responses depended on */
  readonly consulted: readonly PolicyId[]
  /** The operations that it used and whose scope the documentation does not name */
  readonly unscopedOperations: readonly string[]
  /** The scopes of the keys that it used */
  readonly heldScopes: readonly string[]
  /** The mutants of its responses. Only if they were collected */
  readonly mutants?: ExercisedMutants
}

/**
 * Follows the requests to a simulator, and to the sandboxes that are created later.
 *
 * @param withMutants also collects the mutants of the responses, for which each response is parsed
 * @returns a function that returns what the client has done so far
 */
export function traceClient(simulator: SimulatorBase, withMutants = false): () => ClientTrace {
  const collector = withMutants ? new MutantCollector() : null
  let requests = 0
  const consulted = new Set<PolicyId>()
  const operations = new Set<string>()
  const scopes = new Set<string>()
  const follow = ({ journal, keys }: SimulatorBase): void => {
    const seenKeys = new Set<string>()
    journal.followRecords((record) => {
      requests += 1
      collector?.add(record)
      for (const { id } of usedPolicies(record)) consulted.add(id as PolicyId)
      if (record.operation !== null) operations.add(record.operation)
      const { value } = findSentKey(record) ?? {}
      if (value === undefined || seenKeys.has(value)) return
      seenKeys.add(value)
      const key = keys.list().find((one) => one.value === value)
      if (!key) return
      const held = isUnlimited(key, record.settings) ? apiScopes : (key.scopes ?? [])
      for (const scope of held) if (apiScopes.includes(scope)) scopes.add(scope)
    })
  }
  follow(simulator)
  simulator.sandboxes.follow((_id, sandbox) => follow(sandbox))
  return () => ({
    requests,
    consulted: [...consulted].toSorted(),
    unscopedOperations: endpoints
      .filter(({ id, scope }) => operations.has(id) && isByPolicy(scope))
      .map(({ id }) => id),
    heldScopes: apiScopes.filter((scope) => scopes.has(scope)),
    ...(collector && { mutants: collector.exercised }),
  })
}
