import { expect, test } from 'vitest'
import type { Simulator } from '../../../src/simulator.ts'
import { spendRequests } from '../../support/api/rate-limit.ts'
import { start } from '../../support/lanes/start.ts'
import { annotations, formType, refusals } from './decisions.table.ts'

test.each(refusals)('$title: the journal names what decided', async (refusal) => {
  const { profile = 'documented', policies = {}, method = 'GET', path, key = 'phx_all' } = refusal
  const { headers, body, status, decided } = refusal
  const { ask, simulator } = await start({ profile, policies })
  const type = { 'content-type': 'application/json' }
  const sent =
    body === undefined
      ? { headers: { ...headers } }
      : { raw: body, headers: { ...type, ...headers } }

  const response = await ask(method, path, { key: key || null, ...sent })

  const [entry] = simulator.journal.find()
  expect(response.status).toBe(status)
  expect(entry?.decided_by ?? []).toEqual(
    decided.map(([id, setting, would_be]) => {
      const used = entry?.policies.find((policy) => policy.id === id)
      expect(used?.setting).toBe(setting)
      return { ...used, would_be }
    }),
  )
})

test('what decided is found in the rows as they were when the request was refused', async () => {
  const { ask, simulator } = await start()
  const { annotations: rows } = simulator.world
  const decisions = () =>
    simulator.journal.find().map(({ decided_by = [] }) => decided_by.map(({ id }) => id))

  await ask('GET', `${annotations}6/`)
  await ask('GET', `${annotations}9/`)
  rows.update(6, { deleted: false })
  rows.update(2, { content: 'Written since' })
  const { id } = rows.create({ content: 'Added since', deleted: true, project: 1 })
  rows.delete(1)
  simulator.keys.revoke('phx_all')

  expect(id).toBe(9)
  expect(decisions()).toEqual([['annotations.deleted.visibility'], []])
})

test('nothing is named if the rows of that time are no longer known', async () => {
  const { ask, simulator } = await start()
  await ask('GET', `${annotations}6/`)

  for (let count = 0; count <= 10_000; count++) {
    simulator.world.annotations.update(6, { content: `${count}` })
  }

  expect(simulator.journal.find()[0]).not.toHaveProperty('decided_by')
})

test('a request over the rate limit names the limit', async () => {
  const { ask, simulator } = await start({ policies: { 'limits.rate': 'observed' } })
  spendRequests(simulator, 'phx_all', 479)
  await ask('GET', annotations)
  await ask('GET', annotations)

  const decided = simulator.journal.find().map(({ decided_by }) => decided_by?.map(({ id }) => id))
  expect(decided).toEqual([undefined, ['limits.rate']])
})

test('a fault that replaces the response decides without policies, and so does an accepted request', async () => {
  const { ask, simulator } = await start()
  await ask('GET', annotations)
  simulator.faults.add({ operation: 'listAnnotations', effect: { error: 'not_found' } })
  await ask('GET', annotations)

  for (const entry of simulator.journal.find()) expect(entry).not.toHaveProperty('decided_by')
})

test('a fault that delays the response does not decide', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ effect: { delay_ms: 1 } })
  await ask('GET', `${annotations}6/`)

  const [entry] = simulator.journal.find()
  expect(entry?.decided_by?.map(({ id }) => id)).toEqual(['annotations.deleted.visibility'])
})

test('finding what decided changes neither rows nor journal', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotations, { raw: 'content=x', headers: formType })
  const before = simulator.world.toJSON()

  const [first] = simulator.journal.find()

  expect(first?.decided_by).toHaveLength(1)
  expect(simulator.journal.find()).toEqual([first])
  expect(simulator.world.toJSON()).toEqual(before)
})

test('a sandbox names what decided, too', async () => {
  const { ask, simulator } = await start()
  const { id, key } = simulator.sandboxes.create()
  await ask('GET', `/__sandbox/${id}/api/projects/1/annotations.json`, { key })

  const inner = simulator.sandboxes.get(id) as Simulator
  expect(inner.journal.find()[0]?.decided_by?.map(({ id }) => id)).toEqual(['paths.format'])
})
