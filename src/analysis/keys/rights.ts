import { endpoints } from '../../api/endpoints.ts'
import { isAllowed, isUnscopedKey } from '../../http/authorize.ts'
import type { Endpoint, ScopeRule } from '../../http/endpoint.ts'
import { createPathItems } from '../../http/route.ts'
import { possibleValues, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { KeyRow } from '../../world/rows.ts'

/** The scopes of a key. Null for a key without a list of scopes, which may do everything. */
export type Scopes = KeyRow['scopes']

/** The scopes of the API. Other scopes of a key have no effect. */
export const apiScopes: readonly string[] = [
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
export function byRights(settings: PolicySettings): (one: Rights, other: Rights) => number {
  const lengthOf = ({ scopes }: Rights): number => {
    if (isUnscopedKey({ scopes }, settings)) return 2 * manyScopes
    return scopes?.includes('*') ? manyScopes : (scopes?.length ?? 0)
  }
  return (one, other) =>
    one.endpoints.size - other.endpoints.size || lengthOf(one) - lengthOf(other)
}

/** More scopes than a list has: `*` stands for all, and a list that limits nothing for more. */
const manyScopes = 1_000_000
