import { expect, test } from 'vitest'
import type { PolicyId } from '../../../../src/policies/policies.ts'
import { policyIds } from '../../../../src/policies/setting-ranges.ts'
import {
  plantedClients,
  realClients,
  tolerantClient,
  unreachablePolicies,
} from '../planted-clients.ts'
import { dependencesOf } from '../sweep-client.ts'

// The limits of rates need 481 requests for each run.
const quick = Object.entries(plantedClients).filter(([id]) => !/^limits.r/.test(id))

test.each(quick)(
  'the sweep of a client that depends on %s names this policy alone',
  async (id, { run, policies }) => {
    expect(await dependencesOf(run, policies)).toEqual([id])
  },
)

test.each(Object.entries(realClients))('%s: the sweep names the policy', async (_, { on, run }) => {
  expect(await dependencesOf(run)).toEqual([on])
})

test('a tolerant client depends on no policy', async () => {
  expect(await dependencesOf(tolerantClient)).toEqual([])
})

test('each policy has a client that depends on it, or a reason why no client can', () => {
  const ids = [...Object.keys(plantedClients), ...Object.keys(unreachablePolicies)]

  expect(ids.toSorted()).toEqual([...policyIds].toSorted() satisfies PolicyId[])
})
