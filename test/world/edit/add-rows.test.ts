import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { UsageError } from '../../../src/utils/errors.ts'
import type { NewRows } from '../../../src/world/edit/edit-rows.ts'
import { factories, generate } from '../../../src/world/factories/factories.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { errorOf } from '../../support/errors.ts'
import { start } from '../../support/transports/start.ts'

test('world.add adds rows to several lists, with defaults for missing fields', async () => {
  const { ask, simulator } = await start()

  const added = simulator.world.add({
    annotations: [{ content: 'Launch' }, { content: 'In the new project', project: 3 }],
    projects: [{ name: 'Third' }],
    keys: [{ value: 'phx_third', scopes: ['annotation:read'], projects: [3] }],
  })

  expect(added).toEqual({ projects: [3], keys: ['phx_third'], annotations: [9, 10] })
  expect(await ask('GET', `${annotationsPath}9/`)).toMatchObject({
    body: { content: 'Launch', created_at: '2024-06-15T12:00:00Z', deleted: false },
  })
  expect(await ask('GET', '/api/projects/3/annotations/', { key: 'phx_third' })).toMatchObject({
    status: 200,
    body: { results: [{ id: 10, content: 'In the new project' }, {}] },
  })
})

test('a field that is undefined is left out, and a time can be a Date, wherever rows are written', () => {
  const date_marker = new Date('2024-06-01T09:00:00Z')
  const ofLibrary = { toJSON: () => '2024-06-01T09:00:00Z' } as unknown as string
  const fields = { content: undefined, scope: 'project', date_marker } as const
  const simulator = createSimulator()
  const { world, keys, sandboxes } = simulator
  const create = factories()

  const added = [
    world.annotations.add(fields),
    world.annotations.update(1, fields),
    world.annotations.get(world.add({ annotations: [fields] }).annotations?.[0] as number),
    create.annotation({ ...fields, date_marker: ofLibrary }),
    ...(generate({ annotations: [fields] }).annotations ?? []),
  ]
  world.edit({ update: { annotations: [{ id: 2, ...fields }] } })
  const none = world.add({ annotations: undefined } as unknown as NewRows)
  const [entry] = world.toJSON().repository ?? []
  const { repository } = world.add({ repository: [{ ...entry, versions: undefined } as never] })
  const key = keys.issue({ label: undefined, scopes: ['annotation:read'] })
  const rows = world.annotations.list().map((row) => ({ ...row, date_marker }))
  const lists = { annotations: rows, activity: undefined } as never
  const copy = createSimulator({ world: Object.assign(world.toJSON(), lists) })

  expect([none, repository]).toEqual([{}, [expect.any(Number)]])
  expect(sandboxes.create({ from: undefined } as never).id).toBe('sandbox-1')
  expect(added.map((row) => row?.date_marker)).toEqual(Array(5).fill('2024-06-01T09:00:00Z'))
  expect(added.map((row) => row?.content)).toMatchObject([null, 'Release 1.0', null, {}, {}])
  expect(world.annotations.get(2)).toMatchObject({
    scope: 'project',
    content: 'Spring campaign starts',
  })
  expect(keys.list().at(-1)).toMatchObject({ value: key, label: key })
  expect(copy.world.annotations.get(1)?.date_marker).toBe('2024-06-01T09:00:00Z')
})

test('a list has no filter, and that of rows says what has one', () => {
  const { world, keys, faults, sandboxes } = createSimulator()
  const filter = { scope: 'project' } as never

  expect(() => world.annotations.list(filter)).toThrow(
    'Failed to list the rows of annotations: expected no argument, got {"scope":"project"}. Filter the list that it returns, or use world.find(\'annotations\', …).',
  )
  for (const lists of [keys, faults, sandboxes])
    expect(() => lists.list(filter)).toThrow(/expected no argument, got .* Filter the list/)
})

test('world.add adds all rows or none, and reports every issue with its path', async () => {
  const { simulator } = await start()
  const before = simulator.world.toJSON()
  const add = () =>
    simulator.world.add({
      annotations: [{ content: 'Good' }, { scope: 'team', project: 77 }, { id: 1 }],
      keys: [{ user: 33 }, { value: 'phx_all' }],
      plugins: [{ icno: 'red' }],
      repository: [{ name: 'Half' }],
    } as unknown as NewRows)

  expect(add).toThrow(UsageError)
  expect(add).toThrow(
    [
      'Failed to add rows: 9 problems. Nothing was added.',
      '  keys[0].user: expected an id in users, got 33',
      '  keys[1].value: the simulator or a sandbox already has a key with the value "phx_all". Choose another value.',
      '  repository[0].url: expected string, got nothing',
      '  repository[0].description: expected string, got nothing',
      '  repository[0].verified: expected boolean, got nothing',
      '  repository[0].maintainer: expected string, got nothing',
      '  plugins[0].icno: unknown field. Did you mean "icon"?',
      '  annotations[1].scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
      '  annotations[2].id: expected an unused id, got 1',
    ].join('\n'),
  )
  expect(simulator.world.toJSON()).toEqual(before)
})

test.each([
  ['numbers', 5, 'annotations[99]: expected object, got 5'],
  ['invalid rows', { scope: 5 }, /^annotations\[99\]\.scope: expected one of /],
])('the check of rows to add ends after a hundred %s', (_, row, last) => {
  const annotations = Array(120).fill(row)

  const add = () => createSimulator().world.add({ annotations } as never)

  const { message, issues } = errorOf(add)
  expect(message).toContain('Failed to add rows: at least 100 problems. Nothing was added.')
  expect(issues).toHaveLength(100)
  expect(issues.at(-1)).toMatch(last)
})
