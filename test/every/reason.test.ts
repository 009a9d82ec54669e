import { expect, test } from 'vitest'
import { profiles } from '../../src/settings/profiles.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { spendRequests } from '../support/api/rate-limit.ts'
import { twoOrganizations } from '../support/api/two-organizations.ts'
import { start } from '../support/transports/start.ts'
import { explained } from './reasons.table.ts'

const cases = Object.entries(explained).flatMap(([title, row]) =>
  profiles.map((profile, index) => ({ title, row, profile, index })),
)

test.each(cases)(
  'the journal says why: $title, $profile',
  async ({ row: { request, before, settings = {}, reason }, profile, index }) => {
    const client = await start({ world: twoOrganizations, profile, settings })
    const { simulator } = client
    before?.(simulator)
    const expected = typeof reason === 'object' ? (reason?.[index] ?? null) : reason

    const { status } = await client.send(...request)

    const sandbox = simulator.sandboxes.get('sandbox-1') ?? simulator
    const [entry] = (sandbox as Simulator).journal.find()
    expect(entry?.reason).toBe(expected)
    expect(expected ?? `${status}:`).toMatch(new RegExp(`^${status}:`))
    if (expected === null) expect(status).toBeLessThan(400)
  },
)

test('a reason is found in the rows as they were when the request was refused', async () => {
  const { ask, simulator } = await start()
  const { annotations, plugins } = simulator.world
  const reasons = () => simulator.journal.find().map(({ reason }) => reason)

  await ask('GET', `${annotationsPath}6/`)
  await ask('GET', `${annotationsPath}9/`)
  await ask('GET', `/api/organizations/${acme}/plugins/24/`, { key: 'phx_annotations' })
  annotations.update(6, { deleted: false })
  annotations.add({ content: 'Added since', project: 2 })
  plugins.delete(24)
  simulator.keys.revoke('phx_annotations')
  simulator.keys.revoke('phx_all')
  await ask('GET', annotationsPath)

  expect(reasons()).toEqual([
    '404: annotation 6 is deleted',
    '404: no annotation 9 in project 1',
    '403: the key `annotations` lacks the scope plugin:read (it has annotation:read, annotation:write)',
    '401: the key `all` was revoked, or removed by a reset or another world',
  ])
})

test('the reason for a 429 says when the key may send the next request', async () => {
  const { simulator } = await start({ settings: { 'limits.rate': '480_per_minute' } })
  const headers = { authorization: 'Bearer phx_all' }
  spendRequests(simulator, 'phx_all', 479)
  for (const _ of [1, 2]) await simulator.fetch(annotationsPath, { headers })

  const reasons = simulator.journal.find().map(({ reason }) => reason)
  expect(reasons).toEqual([
    null,
    '429: the key `all` has sent too many requests; its next request is allowed in 60 seconds',
  ])
})
