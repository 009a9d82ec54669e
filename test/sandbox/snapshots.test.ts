import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'
import { LimitError } from '../../src/utils/usage-error.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/lanes/start.ts'

const rows = {
  organizations: 1,
  projects: 2,
  users: 2,
  dashboard_items: 3,
  plugins: 4,
  plugin_configs: 2,
  annotations: 8,
  activity: 2,
}

test('a snapshot is saved under a name and can be restored any number of times', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'Saved' } })

  simulator.snapshots.save('saved')
  await ask('PATCH', `${annotationsPath}9/`, { body: { content: 'Changed' } })
  simulator.snapshots.restore('saved')
  const first = await ask('GET', `${annotationsPath}9/`)
  const next = await ask('POST', annotationsPath, { body: {} })
  simulator.snapshots.restore('saved')

  expect(first).toMatchObject({ status: 200, body: { content: 'Saved' } })
  expect(next).toMatchObject({ body: { id: 10 } })
  expect((await ask('GET', `${annotationsPath}10/`)).status).toBe(404)
  expect(await ask('POST', annotationsPath, { body: {} })).toMatchObject({ body: { id: 10 } })
})

test('snapshots are listed with their time and their number of rows', async () => {
  const { simulator } = await start()

  const saved = simulator.snapshots.save('clean')
  simulator.clock.advance({ hours: 1 })
  simulator.world.annotations.create()
  simulator.snapshots.save('one-more')

  expect(saved).toEqual({ name: 'clean', saved_at: '2024-06-15T12:00:00Z', rows })
  expect(simulator.snapshots.list()).toEqual([
    saved,
    { name: 'one-more', saved_at: '2024-06-15T13:00:00Z', rows: { ...rows, annotations: 9 } },
  ])
  expect(simulator.snapshots.delete('clean')).toBe(true)
  expect(simulator.snapshots.delete('clean')).toBe(false)
  expect(simulator.snapshots.list().map(({ name }) => name)).toEqual(['one-more'])
})

test('saving under an existing name overwrites the snapshot', async () => {
  const { simulator } = await start()

  simulator.snapshots.save('now')
  simulator.world.annotations.create()
  simulator.snapshots.save('now')
  simulator.world.annotations.create()
  simulator.snapshots.restore('now')

  expect(simulator.world.annotations.count).toBe(9)
  expect(simulator.snapshots.list()).toHaveLength(1)
})

test('a snapshot is exported as a world file, which createSimulator and import accept', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'Carried over' } })
  simulator.snapshots.save('carried')

  const file = JSON.parse(JSON.stringify(simulator.snapshots.get('carried'))) as WorldJson
  const other = createSimulator({ world: file })
  const third = await start({ world: 'empty' })
  const imported = third.simulator.snapshots.import('here', file)
  third.simulator.snapshots.restore('here')

  expect(file).toEqual({ ...simulator.world.toJSON(), format_version: 1 })
  expect(other.world.toJSON()).toEqual(file)
  expect(third.simulator.world.toJSON()).toEqual(file)
  expect(imported.rows).toEqual({ ...rows, annotations: 9 })
  expect(await third.ask('POST', annotationsPath, { body: {} })).toMatchObject({ body: { id: 10 } })
  expect(simulator.snapshots.get('never')).toBeUndefined()
})

test('reset restores the initial rows, even after a snapshot was restored', async () => {
  const { simulator } = await start()
  simulator.world.annotations.create()
  simulator.snapshots.save('nine')

  simulator.snapshots.restore('nine')
  simulator.reset()

  expect(simulator.world.annotations.count).toBe(8)
})

test('restoring a snapshot changes neither policies nor clock nor journal', async () => {
  const { ask, simulator } = await start()
  simulator.snapshots.save('before')
  simulator.policies.set({ 'limits.body': 99 })
  simulator.clock.set('2030-01-01')
  await ask('GET', annotationsPath)

  simulator.snapshots.restore('before')

  expect(simulator.policies.get('limits.body')).toBe(99)
  expect(simulator.clock.iso()).toBe('2030-01-01T00:00:00Z')
  expect(simulator.journal.find()).toHaveLength(1)
})

test('a file of a later format version is rejected, whatever it contains', async () => {
  const { simulator } = await start()
  const file = { format_version: 2, galaxies: [] } as unknown as WorldJson
  const text =
    'Failed to load the world: 1 problem. Nothing was loaded.\n' +
    '  format_version: expected at most 1, got 2. A later version of understudy-api wrote this file. ' +
    'Update understudy-api 0.1.0, or save the world with this version.'

  expect(() => simulator.snapshots.import('later', file)).toThrow(text)
  expect(() => createSimulator({ world: file })).toThrow(text)
  expect(simulator.snapshots.list()).toEqual([])
})

test('a file with issues is rejected with all of them, and nothing is saved', async () => {
  const { simulator } = await start()
  const file = { users: [5], keys: [{ value: 'x' }] } as unknown as WorldJson

  expect(() => simulator.snapshots.import('bad', file)).toThrow('users[0]: expected object, got 5')
  expect(() => simulator.snapshots.import('bad', file)).toThrow(
    'keys[0]: missing fields "user", "scopes"',
  )
  expect(() => simulator.snapshots.import('bad', null as never)).toThrow('world: expected object')
  expect(simulator.snapshots.list()).toEqual([])
})

test.each(['', 'a b', 'a/b', 'v1.0', 'ö', 'x'.repeat(101), 5, null])(
  'the snapshot name %j is rejected',
  async (name) => {
    const { simulator } = await start()
    const save = () => simulator.snapshots.save(name as string)

    expect(save).toThrow(
      'Failed to save a snapshot: expected a name of 1 to 100 letters, digits, - and _, got ',
    )
    expect(save).toThrow(expect.objectContaining({ field: 'name' }))
  },
)

test('restoring an unknown snapshot lists the known ones', async () => {
  const { simulator } = await start()
  const restore = () => simulator.snapshots.restore('claen')

  expect(restore).toThrow('Failed to restore a snapshot: there is no snapshot "claen".')
  simulator.snapshots.save('clean')
  expect(restore).toThrow(
    'Failed to restore a snapshot: there is no snapshot "claen". Did you mean "clean"? The snapshots are "clean".',
  )
})

test('there can be at most a thousand snapshots', async () => {
  const { simulator } = await start()
  for (let count = 0; count < 1000; count++) simulator.snapshots.save(`number-${count}`)

  expect(() => simulator.snapshots.save('one-more')).toThrow(LimitError)
  expect(() => simulator.snapshots.save('one-more')).toThrow(
    'Failed to save a snapshot: there are already 1000. Delete one, or overwrite one.',
  )
  simulator.snapshots.save('number-0')
  simulator.snapshots.delete('number-1')
  simulator.snapshots.save('one-more')
})
