import { expect, test } from 'vitest'
import { scenarioReport } from '../../../src/index.ts'
import { findScenarioIssues } from '../../../src/scenarios/format/check-scenario.ts'
import { start } from '../../support/lanes/start.ts'
import { stepDifferences, summarizeSteps } from '../../support/scenarios/exchanges.ts'

const annotations = '/api/projects/1/annotations/'

test('a row that was put there by code is added by a step, and known by its saved id', async () => {
  const { simulator, ask } = await start()
  const { id } = simulator.world.annotations.create({ content: 'Launch', scope: 'project' })
  await ask('GET', `${annotations}${id}/`)

  const { scenario, warnings } = simulator.record({ world: 'default' })

  expect(warnings).toEqual([])
  expect(findScenarioIssues(scenario)).toEqual([])
  expect(summarizeSteps(scenario)).toEqual([
    {
      rows: {
        annotations: [
          {
            content: 'Launch',
            date_marker: null,
            creation_type: 'USR',
            dashboard_item: null,
            created_by: null,
            created_at: '2024-06-15T12:00:00Z',
            updated_at: '2024-06-15T12:00:00Z',
            deleted: false,
            scope: 'project',
            project: 1,
          },
        ],
      },
      save: { annotation_id: '/annotations/0' },
    },
    `GET ${annotations}{annotation_id}/`,
  ])
  expect(stepDifferences(await simulator.replay(scenario))).toEqual([])
})

test('rows that name each other keep to each other, whatever their ids will be', async () => {
  const { simulator, ask } = await start()
  const { projects } = simulator.addRows({ projects: [{ name: 'Docs' }] })
  const [project] = projects as number[]
  const key = simulator.keys.issue({ label: 'docs', projects: [project as number] })
  simulator.addRows({
    annotations: [
      { content: 'One', project },
      { content: 'Two', project },
    ] as never,
  })
  await ask('GET', `/api/projects/${project}/annotations/`, { key })

  const { scenario, warnings } = simulator.record()
  simulator.addRows({ projects: [{ name: 'In the way' }] })

  expect(warnings).toEqual([])
  expect(scenario.steps).toMatchObject([
    { rows: { projects: [{ name: 'Docs' }] }, save: { project_id: '/projects/0' } },
    {
      rows: {
        keys: [{ label: 'docs', projects: [{ $saved: 'project_id' }] }],
        annotations: [{ content: 'One', project: { $saved: 'project_id' } }, { content: 'Two' }],
      },
    },
    { as: 'docs', path: '/api/projects/{project_id}/annotations/' },
  ])
  expect(JSON.stringify(scenario)).not.toContain(key)
  expect(stepDifferences(await simulator.replay({ ...scenario, world: 'default' }))).toEqual([])
})

test('rows that were changed and taken out between requests are so again', async () => {
  const { simulator, ask } = await start()
  const { body } = await ask('POST', annotations, { body: { content: 'Launch' } })
  const { id } = body as { id: number }
  simulator.world.annotations.update(id, { content: 'Launch day' })
  simulator.world.annotations.update(2, { deleted: true })
  await ask('GET', annotations)
  simulator.world.annotations.delete(id)
  simulator.keys.revoke('phx_none')
  await ask('GET', `${annotations}${id}/`)

  const { scenario } = simulator.record()
  simulator.reset()

  expect(summarizeSteps(scenario)).toEqual([
    `POST ${annotations}`,
    {
      update: {
        annotations: [
          { id: { $saved: 'annotation_id' }, content: 'Launch day' },
          { id: 2, deleted: true },
        ],
      },
    },
    `GET ${annotations}`,
    { delete: { annotations: [{ $saved: 'annotation_id' }] } },
    { revoke: 'none' },
    `GET ${annotations}{annotation_id}/`,
  ])
  expect(findScenarioIssues(scenario)).toEqual([])
  expect(stepDifferences(await simulator.replay(scenario))).toEqual([])
})

test('what a second actor wrote comes after the request that it followed', async () => {
  const { simulator, ask } = await start()
  simulator.actors.add({
    after: { operation: 'listAnnotations' },
    steps: [{ create: 'annotations', row: { content: 'By somebody else' } }],
  })
  await ask('GET', annotations)
  await ask('GET', annotations)

  const { scenario } = simulator.record()
  simulator.reset()

  expect(scenario.steps).toMatchObject([
    { method: 'GET' },
    { rows: { annotations: [{ content: 'By somebody else' }] } },
    { method: 'GET' },
  ])
  expect(stepDifferences(await simulator.replay(scenario))).toEqual([])
})

test('people and keys in rows are replaced, and the rows are answered so', async () => {
  const { simulator, ask } = await start()
  const { id } = simulator.world.users.create({ first_name: 'Grace', email: 'grace@canary.test' })
  const key = simulator.keys.issue({ label: 'grace', user: id })
  simulator.world.annotations.create({ content: `By grace@canary.test, ${key}`, created_by: id })
  await ask('GET', annotations)

  const { scenario } = simulator.record()
  simulator.reset()

  for (const canary of ['Grace', 'grace@canary.test', key]) {
    expect(JSON.stringify(scenario)).not.toContain(canary)
  }
  expect(scenarioReport(await simulator.replay(scenario))).toContain('3 of 3 steps as expected')
})

test('edits that are no longer kept are told', async () => {
  const { simulator, ask } = await start()
  const source = { 'index.ts': 'x'.repeat(3_000_000) }
  for (const _ of [1, 2, 3]) simulator.world.plugins.create({ source })
  await ask('GET', `${annotations}1/`)

  expect(simulator.record().warnings).toEqual([
    'The recording leaves out 1 change of the world without a request: only the latest ones are stored. Record earlier, or change fewer rows.',
  ])
})

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
  expect(summarizeSteps(scenario)).toEqual([
    `POST ${annotations}`,
    { snapshot: 'state-1' },
    `POST ${annotations}`,
    { restore: 'state-1' },
    `GET ${annotations}`,
    { reset: true },
    `GET ${annotations}`,
  ])
  expect(stepDifferences(await simulator.replay(scenario))).toEqual([])
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
  expect(stepDifferences(await simulator.replay({ ...scenario, world: 'default' }))).toEqual([])
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
  expect(summarizeSteps(scenario)).toEqual([
    `GET ${annotations}`,
    { clock: '2024-06-01T01:00:00Z' },
    `GET ${annotations}`,
    { clock: { mode: 'ticking', time: '2025-01-01T00:00:00Z' } },
    `GET ${annotations}`,
    { clock: 'real' },
    `GET ${annotations}`,
  ])
  expect(stepDifferences(await simulator.replay(scenario))).toEqual([])
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
