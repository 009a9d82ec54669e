import { expect } from 'vitest'
import { probes } from '../../../src/analysis/observe/observe.ts'
import { policyIds } from '../../../src/policies/policies.ts'
import { createRandom } from '../random.ts'
import { createHiddenServer, observeSimulator, randomPolicies } from './hidden-server.ts'
import { masks } from './masks.ts'

/** Observes a server with random policies, and compares what was found with them. @returns the number of requests */
export async function checkRecovery(seed: number): Promise<number> {
  const simulator = createHiddenServer(randomPolicies(createRandom(seed)))
  const { settings } = simulator.policies
  const visible = policyIds.filter((id) => !('hidden' in probes[id]) && !masks[id]?.(settings))

  const { policies, findings, requests, left, ended } = await observeSimulator(simulator)

  expect(policies, `seed ${seed}`).toEqual(
    Object.fromEntries(visible.map((id) => [id, settings[id]])),
  )
  const open = findings.filter(({ value }) => value === null)
  expect(open.every((finding) => finding.open?.endsWith('.'))).toBe(true)
  expect({ left, ended }).toEqual({ left: [], ended: null })
  expect(requests).toBeLessThanOrEqual(200)
  expect(ownRows(simulator)).toEqual([])
  return requests
}

/** The rows of an observation that are neither deleted nor soft-deleted. */
export function ownRows(simulator: ReturnType<typeof createHiddenServer>): unknown[] {
  const { annotations, plugins } = simulator.world
  const isOwn = (text: string | null): boolean => text?.startsWith('understudy observe') === true
  return [
    ...annotations.list().filter(({ content, deleted }) => isOwn(content) && !deleted),
    ...plugins.list().filter(({ description }) => isOwn(description)),
  ]
}
