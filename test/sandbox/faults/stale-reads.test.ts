import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { notFound } from '../../support/api/errors.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const row = `${annotationsPath}1/`
const stale = (writes: number) => ({
  operation: 'retrieveAnnotation',
  effect: { stale: { writes } },
})

test('a stale read sees the rows before the last write, as from a lagging replica', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add(stale(1))

  const written = await ask('PATCH', row, { body: { content: 'First' } })
  const first = await ask('GET', row)
  await ask('PATCH', row, { body: { content: 'Second' } })
  const second = await ask('GET', row)

  expect(written).toMatchObject({ status: 200, body: { content: 'First' } })
  expect(first).toMatchObject({ status: 200, body: { content: 'Release 1.0' } })
  expect(second).toEqual(written)
  expect(simulator.world.annotations.get(1)?.content).toBe('Second')
})

test('a stale read does not see a row that was just created', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ ...stale(1), when: { times: 1 } })

  const created = await ask('POST', annotationsPath, { body: { content: 'New' } })

  expect(await ask('GET', `${annotationsPath}9/`)).toEqual(notFound())
  expect(await ask('GET', `${annotationsPath}9/`)).toEqual({ status: 200, body: created.body })
})

test('a stale read goes back several writes, but not beyond the time when the rule was added', async () => {
  const { ask, simulator } = await start()
  simulator.world.annotations.update(1, { content: 'Before the rule' })
  simulator.faults.add(stale(3))
  const contents = ['1', '2', '3', '4', '5']

  const received: unknown[] = []
  for (const content of contents) {
    simulator.world.annotations.update(1, { content })
    received.push(((await ask('GET', row)).body as { content: string }).content)
  }

  expect(received).toEqual(['Before the rule', 'Before the rule', 'Before the rule', '1', '2'])
})

test('a rule without an earlier state does not apply: neither counter nor journal names it', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', row, { body: { content: 'Before the rule' } })
  simulator.faults.add({ effect: { delay_ms: 0 } })
  simulator.faults.add({ ...stale(1), when: { times: 1 } })

  const fresh = await ask('GET', row)
  await ask('PATCH', row, { body: { content: 'After the rule' } })
  const outdated = await ask('GET', row)
  const latest = await ask('GET', row)

  const contents = [fresh, outdated, latest].map(
    ({ body }) => (body as { content: string }).content,
  )
  expect(contents).toEqual(['Before the rule', 'Before the rule', 'After the rule'])
  expect(simulator.faults.list()).toMatchObject([{ matched: 3, applied: 1 }, {}])
  expect(simulator.journal.find().map(({ fault }) => fault?.id)).toEqual([
    undefined,
    'fault-1',
    'fault-1',
    'fault-2',
    'fault-1',
  ])
})

test('all writes of one request count as one write', async () => {
  const { ask, simulator } = await start()
  const path = `/api/organizations/${simulator.defaults.organization_id}/plugins/21/`
  simulator.faults.add({ operation: 'retrievePlugin', effect: { stale: { writes: 1 } } })
  const before = await ask('GET', path)

  const deleted = await ask('DELETE', path)

  expect([deleted.status, before.status]).toEqual([204, 200])
  expect(await ask('GET', path)).toEqual(before)
})

test('after a reset of the rows, a stale read sees the initial rows', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', row, { body: { content: 'Changed' } })
  simulator.faults.add(stale(5))
  expect(await ask('GET', row)).toMatchObject({ body: { content: 'Changed' } })

  simulator.reset({ only: ['rows'] })

  expect(await ask('GET', row)).toMatchObject({ body: { content: 'Release 1.0' } })
})

test('a stale read uses the current keys and policies', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add(stale(2))
  const key = simulator.keys.issue({ scopes: ['annotation:read'] })
  await ask('PATCH', row, { body: { content: 'Changed' } })

  expect(await ask('GET', row, { key })).toMatchObject({ body: { content: 'Release 1.0' } })
  expect((await ask('GET', row, { key: 'phx_unknown' })).status).toBe(401)
})

test('a stale rule does not match writes', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ effect: { stale: { writes: 1 } } })

  await ask('PATCH', row, { body: { content: 'First' } })
  const response = await ask('PATCH', row, { body: { tagline: 'ignored' } })

  expect(response).toMatchObject({ status: 200, body: { content: 'First' } })
  expect(simulator.faults.list()).toMatchObject([{ matched: 0, applied: 0 }])
})

const headers = authorization()
const lagging = (writes: number) => ({ effect: { stale: { writes } } })

/** Writes the contents one after the other. */
function write({ world }: Simulator, ...contents: readonly string[]): void {
  for (const content of contents) world.annotations.update(1, { content })
}

async function read(simulator: Simulator): Promise<string> {
  const response = await simulator.fetch(`${annotationsPath}1/`, { headers })
  return (await response.json()).content
}

test('rows are stored from when the first rule is added, as deep as the deepest rule says', async () => {
  const simulator = createSimulator()
  const { faults } = simulator
  const [shallow] = faults.add(lagging(1))
  write(simulator, 'a', 'b', 'c')
  const first = await read(simulator)
  const [deep] = faults.add(lagging(3))
  const deeper = await read(simulator)
  write(simulator, 'd', 'e')
  const deepest = await read(simulator)

  faults.remove(deep?.id ?? '')
  const shallower = await read(simulator)
  faults.remove(shallow?.id ?? '')
  faults.add(lagging(3))
  const again = await read(simulator)
  write(simulator, 'f')

  expect([first, deeper, deepest, shallower, again, await read(simulator)]).toEqual([
    'b',
    'b',
    'b',
    'd',
    'e',
    'e',
  ])
})

test('a shallower rule forgets the rows that only a deeper one showed', async () => {
  const simulator = createSimulator()
  simulator.faults.add(lagging(1))
  const [deep] = simulator.faults.add(lagging(3))
  write(simulator, 'a', 'b', 'c')

  simulator.faults.remove(deep?.id ?? '')
  simulator.faults.add(lagging(3))

  expect(await read(simulator)).toBe('b')
})

test('stale reads count for the limit of requests', async () => {
  const simulator = createSimulator({ clock: noon, policies: { 'limits.rate': 'observed' } })
  simulator.faults.add(lagging(1))
  write(simulator, 'a')
  const statusOf = async () => (await simulator.fetch('/api/projects/', { headers })).status

  for (let count = 0; count < 479; count++) await statusOf()

  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
})

test('the journal names the policies that a stale read depends on', async () => {
  const simulator = createSimulator()
  await read(simulator)
  simulator.faults.add(lagging(1))
  write(simulator, 'a')
  await read(simulator)

  const [fresh, outdated] = simulator.journal.find()

  expect(outdated?.fault?.id).toBe('fault-1')
  expect(outdated?.policies).toEqual(fresh?.policies)
  expect(outdated?.policies).not.toEqual([])
})
