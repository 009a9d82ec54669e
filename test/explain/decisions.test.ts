import { expect, test } from 'vitest'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { spendRequests } from '../support/api/rate-limit.ts'
import { start } from '../support/transports/start.ts'
import { annotations, formType, refusals } from './decisions.table.ts'

test.each(Object.entries(refusals))(
  '%s: the reasons begin with what decided',
  async (_, refusal) => {
    const { profile = 'documented', settings = {}, method = 'GET', path, key = 'phx_all' } = refusal
    const { headers, body, status, decided } = refusal
    const { ask, simulator } = await start({ profile, settings })
    const type = { 'content-type': 'application/json' }
    const sent =
      body === undefined
        ? { headers: { ...headers } }
        : { raw: body, headers: { ...type, ...headers } }

    const response = await ask(method, path, { key: key || null, ...sent })

    const reasons = await simulator.explain(1)
    const first = reasons.settings.slice(0, decided.length)
    expect(response.status).toBe(status)
    expect(first.map(({ id, value }) => `${id}=${value}`)).toEqual(decided)
    if (decided.length > 0) expect(reasons.decided_by).toMatchObject({ id: first[0]?.id })
  },
)

test('what decided is found in the rows as they were when the request was refused', async () => {
  const { ask, simulator } = await start()
  const { annotations: rows } = simulator.world
  const decided = async (id: number) => (await simulator.explain(id)).decided_by?.id

  await ask('GET', `${annotations}6/`)
  await ask('GET', `${annotations}9/`)
  rows.update(6, { deleted: false })
  rows.update(2, { content: 'Written since' })
  const { id } = rows.add({ content: 'Added since', deleted: true, project: 1 })
  rows.delete(1)
  simulator.keys.revoke('phx_all')

  expect(id).toBe(9)
  expect(await decided(1)).toBe('annotations.deleted.visibility')
  expect(await decided(2)).not.toBe('annotations.deleted.visibility')
})

test('no setting decides if the rows of that time are no longer known', async () => {
  const { ask, simulator } = await start()
  await ask('GET', `${annotations}6/`)

  for (let count = 0; count <= 10_000; count++) {
    simulator.world.annotations.update(6, { content: `${count}` })
  }

  expect((await simulator.explain(1)).decided_by?.id).not.toBe('annotations.deleted.visibility')
})

test('a request over the rate limit names the limit', async () => {
  const { ask, simulator } = await start({ settings: { 'limits.rate': '480_per_minute' } })
  spendRequests(simulator, 'phx_all', 479)
  await ask('GET', annotations)
  await ask('GET', annotations)

  expect((await simulator.explain(2)).decided_by?.id).toBe('limits.rate')
})

test('a fault that delays the response does not decide', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ effect: { delay_ms: 1 } })
  await ask('GET', `${annotations}6/`)

  expect((await simulator.explain(1)).decided_by?.id).toBe('annotations.deleted.visibility')
})

test('finding what decided changes neither rows nor journal', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotations, { raw: 'content=x', headers: formType })
  const [world, journal] = [simulator.world.toJSON(), simulator.journal.find()]

  const first = await simulator.explain(1)

  expect(first.decided_by?.id).toBe('bodies.form')
  expect(await simulator.explain(1)).toEqual(first)
  expect(simulator.world.toJSON()).toEqual(world)
  expect(simulator.journal.find()).toEqual(journal)
})

test('a sandbox names what decided, too', async () => {
  const { ask, simulator } = await start()
  const { id, key } = simulator.sandboxes.create()
  await ask('DELETE', `/__sandbox/${id}/api/projects/1/annotations/1/`, { key })

  const inner = simulator.sandboxes.get(id) as Simulator
  expect((await inner.explain(1)).decided_by?.id).toBe('annotations.delete.status')
})
