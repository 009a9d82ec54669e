import { expect, test } from 'vitest'
import { notFound } from '../../support/api/errors.ts'
import { start } from '../../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const row = `${list}1/`
const stale = (writes: number) => ({
  operation: 'retrieveAnnotation',
  effect: { stale: { writes } },
})

test('a read is answered from the rows as they were one write ago, as by a replica that lags', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add(stale(1))

  const written = await ask('PATCH', row, { body: { content: 'First' } })
  const behind = await ask('GET', row)
  await ask('PATCH', row, { body: { content: 'Second' } })
  const stillBehind = await ask('GET', row)

  expect(written).toMatchObject({ status: 200, body: { content: 'First' } })
  expect(behind).toMatchObject({ status: 200, body: { content: 'Release 1.0' } })
  expect(stillBehind).toEqual(written)
  expect(simulator.world.annotations.get(1)?.content).toBe('Second')
})

test('a row that was just created is not there yet', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ ...stale(1), when: { times: 1 } })

  const created = await ask('POST', list, { body: { content: 'New' } })

  expect(await ask('GET', `${list}9/`)).toEqual(notFound())
  expect(await ask('GET', `${list}9/`)).toEqual({ status: 200, body: created.body })
})

test('several writes back, and no further than the rule is old', async () => {
  const { ask, simulator } = await start()
  simulator.world.annotations.update(1, { content: 'Before the rule' })
  simulator.faults.add(stale(3))
  const contents = ['1', '2', '3', '4', '5']

  const seen: unknown[] = []
  for (const content of contents) {
    simulator.world.annotations.update(1, { content })
    seen.push(((await ask('GET', row)).body as { content: string }).content)
  }

  expect(seen).toEqual(['Before the rule', 'Before the rule', 'Before the rule', '1', '2'])
})

test('all that one request writes is one write: the plugin, its configuration and the entry in the log', async () => {
  const { ask, simulator } = await start()
  const path = `/api/organizations/${simulator.defaults.organization_id}/plugins/21/`
  simulator.faults.add({ operation: 'retrievePlugin', effect: { stale: { writes: 1 } } })
  const before = await ask('GET', path)

  const deleted = await ask('DELETE', path)

  expect([deleted.status, before.status]).toEqual([204, 200])
  expect(await ask('GET', path)).toEqual(before)
})

test('a world that is reset has no past', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', row, { body: { content: 'Changed' } })
  simulator.faults.add(stale(5))
  expect(await ask('GET', row)).toMatchObject({ body: { content: 'Changed' } })

  simulator.reset()

  expect(await ask('GET', row)).toMatchObject({ body: { content: 'Release 1.0' } })
})

test('keys and policies are those of now', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add(stale(2))
  const key = simulator.keys.issue({ scopes: ['annotation:read'] })
  await ask('PATCH', row, { body: { content: 'Changed' } })

  expect(await ask('GET', row, { key })).toMatchObject({ body: { content: 'Release 1.0' } })
  expect((await ask('GET', row, { key: 'phx_nobody' })).status).toBe(401)
})

test('writes are carried out as ever: only reads can be stale', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ effect: { stale: { writes: 1 } } })

  await ask('PATCH', row, { body: { content: 'First' } })
  const second = await ask('PATCH', row, { body: { tagline: 'ignored' } })

  expect(second).toMatchObject({ status: 200, body: { content: 'First' } })
  expect(simulator.faults.list()).toMatchObject([{ matched: 0, applied: 0 }])
})

test('a stale read that waits over a reset shows no row from before it', async () => {
  const { ask, simulator } = await start()
  await ask('POST', '/api/projects/1/annotations/', { body: { content: 'Of the last test' } })
  simulator.faults.add({ effect: { stale: { writes: 1 }, delay_ms: 100 } })
  await ask('POST', '/api/projects/1/annotations/', { body: { content: 'Of the last test' } })

  const held = ask('GET', '/api/projects/1/annotations/?search=last')
  await expect.poll(() => simulator.faults.list()[0]?.applied).toBe(1)
  simulator.reset()

  expect(await held).toMatchObject({ body: { count: 0 } })
})
