import { expect, test } from 'vitest'
import { probes } from '../../../../src/analysis/observe/observe.ts'
import { type PolicyId, policies, policyIds } from '../../../../src/policies/policies.ts'
import { overridePolicies, resolvePolicies } from '../../../../src/policies/settings.ts'
import { checkRecovery } from '../../../support/observe/check-recovery.ts'
import { randomPolicies } from '../../../support/observe/hidden-server.ts'
import { masks } from '../../../support/observe/masks.ts'
import { createRandom } from '../../../support/random.ts'

// Together they have every value that can be seen. recovery.slow.test.ts has 200 others.
const seeds = [21, 3779, 4528, 2391, 1]

test.each(seeds)('every visible policy of a hidden server is found, seed %i', async (seed) => {
  await checkRecovery(seed)
})

test('the hidden servers have every value of each policy that can be seen', () => {
  const visible = seeds.flatMap((seed) => {
    const changes = randomPolicies(createRandom(seed))
    const settings = overridePolicies(resolvePolicies('documented'), changes)
    return policyIds.filter((id) => !masks[id]?.(settings)).map((id) => `${id}=${settings[id]}`)
  })
  const isNamed = (id: PolicyId) => !('hidden' in probes[id]) && !policies[id].values.integer
  // Only a server that throttles shows Retry-After: odd-servers.test.ts.
  const named = policyIds.filter((id) => isNamed(id) && id !== 'limits.retry_after')
  const values = named.flatMap((id) =>
    Object.keys(policies[id].values).map((name) => `${id}=${name}`),
  )

  expect(values.filter((value) => !visible.includes(value))).toEqual([])
})

test('every policy has a probe, and the table says when it stays open', () => {
  expect(policyIds.filter((id) => !(id in probes))).toEqual([])
  const unless = policyIds.filter((id) => 'unless' in probes[id])
  expect(Object.keys(masks).filter((id) => !unless.includes(id as never))).toEqual([])
})
