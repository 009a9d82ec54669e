import { expect, test } from 'vitest'
import { profiles } from '../../../src/policies/settings.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { twoOrganizations } from '../../support/api/two-organizations.ts'
import { start } from '../../support/lanes/start.ts'
import { explained } from './reasons.table.ts'

const cases = explained.flatMap((row) =>
  profiles.map((profile, index) => ({ row, profile, index })),
)

test.each(cases)(
  'the journal and the header say why: $row.title, $profile',
  async ({ row: { request, before, policies = {}, reason }, profile, index }) => {
    const client = await start({
      world: twoOrganizations,
      profile,
      policies,
      explain: true,
    })
    const { simulator } = client
    before?.(simulator)
    const expected = typeof reason === 'object' ? (reason?.[index] ?? null) : reason

    const { status, headers } = await client.send(...request)

    const sandbox = simulator.sandboxes.get('sandbox-1') ?? simulator
    const [entry] = (sandbox as Simulator).journal.find()
    expect(entry?.reason).toBe(expected)
    expect(expected ?? `${status}:`).toMatch(new RegExp(`^${status}:`))
    if (expected === null) expect(status).toBeLessThan(400)
    // The header has ignored input as well.
    const why = (headers.get('understudy-why') ?? '').split(/(?:; |^)ignored: /)[0]
    expect(why).toBe(expected?.replaceAll('…', '...') ?? '')
  },
)
