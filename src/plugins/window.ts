import {
  ignoredParameter,
  limitParameter,
  offsetParameter,
  type Parameter,
} from '../http/parameters.ts'
import type { ByPolicy } from '../policies/by-policy.ts'
import type { PolicyId } from '../policies/policies.ts'

type ParameterChoices = Readonly<Record<string, Parameter<number>>>

const pagination = { limit: limitParameter('plugins.list.limit.default'), offset: offsetParameter }

/**
 * The part of a list that is asked for, where a policy answers a page of it: an answer that is one plugin, or
 * all there are, has no use for limit and offset.
 */
export function paginationByPolicy(
  policy: PolicyId,
  whole: string,
): { readonly limit: ByPolicy<ParameterChoices>; readonly offset: ByPolicy<ParameterChoices> } {
  const choices = (given: Parameter<number>): ByPolicy<ParameterChoices> => ({
    policy,
    choices: { plugin: ignoredParameter(0), [whole]: ignoredParameter(0), envelope: given },
  })
  return { limit: choices(pagination.limit), offset: choices(pagination.offset) }
}
