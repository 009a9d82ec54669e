import type { Parameters } from '../http/parameters.ts'
import { resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'

/** The parameters of a path or a query as OpenAPI has them, without those that nobody reads. */
export function toParameters(
  parameters: Parameters,
  place: 'path' | 'query',
  settings: PolicySettings,
): object[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    const {
      description,
      schema: given,
      required = place === 'path',
    } = resolveByPolicy(parameter, settings)
    const schema = typeof given === 'function' ? given(settings) : given
    return schema === null ? [] : [{ name, in: place, required, description, schema }]
  })
}
