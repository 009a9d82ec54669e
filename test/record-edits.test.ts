import { expect, test } from 'vitest'
import { scenarioReport } from '../src/index.ts'
import { findScenarioIssues } from '../src/scenarios/format/check-scenario.ts'
import { brief, failures } from './support/recording-shown.ts'
import { start } from './support/start.ts'

const annotations = '/api/projects/1/annotations/'

test('a row that was put there by code is added by a step, and known by its saved id', async () => {
  const { simulator, ask } = await start()
  const { id } = simulator.world.annotations.create({ content: 'Launch', scope: 'project' })
  await ask('GET', `${annotations}${id}/`)

  const { scenario, warnings } = simulator.record({ world: 'default' })

  expect(warnings).toEqual([])
  expect(findScenarioIssues(scenario)).toEqual([])
  expect(brief(scenario)).toEqual([
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
  expect(failures(await simulator.replay(scenario))).toEqual([])
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
  expect(failures(await simulator.replay({ ...scenario, world: 'default' }))).toEqual([])
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

  expect(brief(scenario)).toEqual([
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
  expect(failures(await simulator.replay(scenario))).toEqual([])
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
  expect(failures(await simulator.replay(scenario))).toEqual([])
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
    '1 change of the world that was made without a request is no longer kept: it is not in it. ' +
      'Record before there are so many.',
  ])
})
