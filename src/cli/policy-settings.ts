import { policies } from '../policies/policies.ts'

/** Every policy with every value it can be set to, as `--policy` takes them; one that takes numbers without one. */
export const policySettings: readonly string[] = Object.entries(policies).flatMap(
  ([id, { values }]) =>
    Object.keys(values).map((value) => `${id}=${value === 'integer' ? '' : value}`),
)
