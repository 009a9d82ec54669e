import { expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { resolveByPolicy } from '../../src/policies/by-policy.ts'
import { profiles, resolvePolicies } from '../../src/policies/settings.ts'
import { scopeObjects } from '../../src/world/world-format.ts'

test('the known scope objects are those of the operations', () => {
  const rules = endpoints.flatMap(({ scope }) =>
    profiles.map((profile) => resolveByPolicy(scope, resolvePolicies(profile))),
  )
  const objects = rules.flatMap((rule) => /^(\w+):/.exec(rule)?.[1] ?? [])

  expect([...new Set(objects)].sort()).toEqual([...scopeObjects])
})
