import { expect, test } from 'vitest'
import type { WorldJson } from '../../../src/index.ts'
import { readWorld } from '../../../src/node.ts'
import { annotationsPath as annotations } from '../../support/api/paths.ts'
import { recordAndReplay, summarizeSteps } from '../../support/scenarios/recordings.ts'
import { start } from '../../support/transports/start.ts'

test('a recording names the fixture that it starts with', async () => {
  const { simulator, ask } = await start()
  await ask('POST', annotations, { body: { content: 'Launch' } })
  const sandbox = simulator.sandboxes.get(simulator.sandboxes.create({ from: 'empty' }).id)
  await sandbox?.fetch(annotations)

  expect(simulator.record().scenario).toMatchObject({ title: 'Recorded', world: 'default' })
  expect(sandbox?.record().scenario).toMatchObject({ world: 'empty' })
  expect(simulator.record().scenario).not.toHaveProperty('seed')
})

test('a recording names a larger fixture that the simulator knows', async () => {
  const { simulator, ask } = await start({ world: await readWorld('odd') })
  await ask('GET', annotations)
  const unknown = simulator.record().scenario.world
  simulator.sandboxes.addFixture('odd', await readWorld('odd'))

  expect(typeof unknown).toBe('object')
  expect(simulator.record().scenario.world).toBe('odd')
})

test('a recording of later requests starts with the rows before them, without secrets', async () => {
  const { simulator, ask } = await start()
  const { body } = await ask('POST', annotations, { body: { content: 'Launch' } })
  const { id } = body as { id: number }
  simulator.world.users.update(1, { first_name: 'Grace', email: 'grace@canary.test' })
  simulator.keys.issue()
  await ask('PATCH', `${annotations}${id}/`, { body: { content: 'Launch day' } })
  await ask('GET', annotations)
  const entries = simulator.journal.find({ limit: 2 }).map((entry) => entry.id)

  const scenario = await recordAndReplay(simulator, {}, { entries })

  const rows = (scenario.world as WorldJson).annotations
  expect(rows?.find((row) => row.id === id)).toMatchObject({ content: 'Launch' })
  expect(summarizeSteps(scenario)).toEqual([`PATCH ${annotations}${id}/`, `GET ${annotations}`])
  for (const canary of ['Grace', 'grace@canary.test', 'phx_', 'phc_']) {
    expect.soft(JSON.stringify(scenario)).not.toContain(canary)
  }
})

test('a warning says that the rows before the first request are no longer known', async () => {
  const { simulator, ask } = await start()
  await ask('GET', annotations)
  for (let count = 0; count <= 10_000; count++) {
    simulator.world.annotations.update(6, { content: `${count}` })
  }

  const { scenario, warnings } = simulator.record()

  expect(scenario).not.toHaveProperty('world')
  expect(warnings).toEqual([
    'The recording names no world: the rows before the first request are no longer known. Record earlier, or write the name of a fixture as "world" in the file.',
  ])
})

test.each(['POST', 'PATCH'])(
  'a recording of a %s whose error came after it was carried out starts with the rows before, and can be replayed',
  async (method) => {
    const { ask, simulator } = await start()
    const path = method === 'POST' ? annotations : `${annotations}1/`
    simulator.faults.add({
      when: { times: 1 },
      phase: 'after-commit',
      effect: { error: 'server_error' },
    })

    const lost = await ask(method, path, { body: { content: 'Launch' } })
    await ask('GET', annotations)

    const { scenario } = simulator.record()
    expect(lost.status).toBe(500)
    expect(scenario.world).toBe('default')
    expect(await simulator.run(scenario)).toMatchObject({ passed: true })
  },
)
