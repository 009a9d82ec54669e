import { limit, offset, type Parameter, unread } from '../http/parameters.ts'
import type { ByPolicy } from '../policies/by-policy.ts'
import type { PolicyId } from '../policies/policies.ts'

type Choices = Readonly<Record<string, Parameter<number>>>

const ofLists = { limit: limit('plugins.list.limit.default'), offset }

/**
 * The part of a list that is asked for, where a policy answers a page of it: an answer that is one plugin, or
 * all there are, has no use for limit and offset.
 */
export function windowOf(
  policy: PolicyId,
  whole: string,
): { readonly limit: ByPolicy<Choices>; readonly offset: ByPolicy<Choices> } {
  const choices = (given: Parameter<number>): ByPolicy<Choices> => ({
    policy,
    choices: { plugin: unread(0), [whole]: unread(0), envelope: given },
  })
  return { limit: choices(ofLists.limit), offset: choices(ofLists.offset) }
}
