import { expect, test } from 'vitest'
import { brief, failures } from './support/recording-shown.ts'
import { start } from './support/start.ts'

const annotations = '/api/projects/1/annotations/'

test('resets, and snapshots that were come back to, stand where they were', async () => {
  const { simulator, ask } = await start()
  simulator.snapshots.save('unused')
  await ask('POST', annotations, { body: { content: 'Kept' } })
  simulator.snapshots.save('kept')
  await ask('POST', annotations, { body: { content: 'Tried' } })
  simulator.snapshots.restore('kept')
  await ask('GET', annotations)
  simulator.reset()
  await ask('GET', annotations)

  const { scenario, warnings } = simulator.record()

  expect(warnings).toEqual([])
  expect(brief(scenario)).toEqual([
    `POST ${annotations}`,
    { snapshot: 'state-1' },
    `POST ${annotations}`,
    { restore: 'state-1' },
    `GET ${annotations}`,
    { reset: true },
    `GET ${annotations}`,
  ])
  expect(failures(await simulator.replay(scenario))).toEqual([])
})

test('a world that took the place of another stands there whole, without its keys', async () => {
  const { simulator, ask } = await start()
  await ask('GET', annotations)
  simulator.replaceWorld('empty')
  await ask('GET', annotations)
  simulator.world.annotations.create({ content: 'Gone soon' })
  simulator.reset()
  await ask('GET', annotations)

  const { scenario, warnings } = simulator.record()

  expect(warnings).toEqual([])
  expect(JSON.stringify(scenario)).not.toContain('phx_')
  expect(scenario.steps.map((step) => Object.keys(step)[0])).toEqual([
    'as',
    'world',
    'as',
    'rows',
    'reset',
    'as',
  ])
  expect(failures(await simulator.replay({ ...scenario, world: 'default' }))).toEqual([])
})

test('the clock is set between the requests as it was, and runs where it ran', async () => {
  const { simulator, ask } = await start({ clock: 'real' })
  await ask('GET', annotations)
  simulator.clock.set('2024-06-01T00:00:00Z')
  simulator.clock.advance({ hours: 1 })
  await ask('GET', annotations)
  simulator.clock.tick('2025-01-01T00:00:00Z')
  await ask('GET', annotations)
  simulator.clock.release()
  await ask('GET', annotations)

  const { scenario } = simulator.record()

  expect(scenario.clock).toBeUndefined()
  expect(brief(scenario)).toEqual([
    `GET ${annotations}`,
    { clock: '2024-06-01T01:00:00.000Z' },
    `GET ${annotations}`,
    { clock: { mode: 'ticking', time: '2025-01-01T00:00:00.000Z' } },
    `GET ${annotations}`,
    { clock: 'real' },
    `GET ${annotations}`,
  ])
  expect(failures(await simulator.replay(scenario))).toEqual([])
})

test('of what came after an entry only that is told, and a reset by the rows it went back to', async () => {
  const { simulator, ask } = await start({ world: 'empty' })
  simulator.world.annotations.create({ content: 'Before' })
  await ask('GET', annotations)
  const after = simulator.journal.find({ limit: 1 })[0]?.id as number
  simulator.world.annotations.create({ content: 'After' })
  await ask('GET', annotations)
  simulator.reset()
  await ask('GET', annotations)

  const { scenario } = simulator.record({ after })

  expect(scenario.steps).toMatchObject([
    { rows: { annotations: [{ content: 'After' }] } },
    { method: 'GET' },
    { world: { annotations: [] } },
    { method: 'GET' },
  ])
})
