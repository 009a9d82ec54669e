import fc from 'fast-check'
import { expect, test } from 'vitest'
import { traceClient } from '../../../../src/analysis/variants/client-trace.ts'
import { applyVariant, policyVariants } from '../../../../src/analysis/variants/variant.ts'
import { policyIds } from '../../../../src/policies/setting-ranges.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { probes } from '../../../laws/policy-probes.ts'
import { noon } from '../../../support/api/paths.ts'
import { world } from '../planted-client.ts'
import { sendTo } from '../sweep-client.ts'

/** Requests that each depend on some policy. */
const pool = Object.values(probes).flatMap(({ steps }) => steps.slice(-2))

const origins = (['documented', 'live'] as const).map((profile) =>
  createSimulator({ world, clock: noon, profile }),
)

async function transcript(simulator: Simulator, picks: readonly number[]): Promise<string> {
  const lines: string[] = []
  for (const pick of picks) {
    const [method, path, options = {}] = pool[pick % pool.length] ?? ['GET', '/']
    const response = await sendTo(simulator)(method, path, options)
    const { status } = response
    lines.push(JSON.stringify([status, [...response.headers], await response.text()]))
  }
  return lines.join('\n')
}

const suites = fc.record({
  picks: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 8 }),
  profile: fc.nat(1),
  policy: fc.nat(1_000),
})

test('a policy that the simulator did not read cannot change a response', async () => {
  await fc.assert(
    fc.asyncProperty(suites, async ({ picks, profile, policy }) => {
      const origin = origins[profile] as Simulator
      const unchanged = origin.fork()
      const trace = traceClient(unchanged)
      const expected = await transcript(unchanged, picks)
      const { consulted } = trace()
      const others = policyIds.filter((id) => !consulted.includes(id))
      const variants = policyVariants(others, origin.policies.settings)
      for (let nth = 0; nth < 4; nth++) {
        const changed = origin.fork()
        const variant = variants[(policy + nth * 7) % variants.length]
        if (variant) applyVariant(changed, variant)
        expect(await transcript(changed, picks), variant?.id).toBe(expected)
      }
    }),
    { seed: 15, numRuns: 25 },
  )
})
