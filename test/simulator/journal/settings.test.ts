import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test('an entry shows the settings that its response depends on, as they were set at that time', async () => {
  const { ask, simulator } = await start()
  await ask('DELETE', `${annotationsPath}1/`)
  simulator.settings.set({ 'annotations.delete.status': 403 })
  await ask('DELETE', `${annotationsPath}1/`)

  const [first, second] = simulator.journal.find().map(({ settings }) => settings)
  const id = 'annotations.delete.status'
  const source = 'the documentation says that the caller is told to use PATCH, and shows no status'
  expect(first).toContainEqual({ id, value: '405', evidence: 'assumed', source })
  expect(second?.find((setting) => setting.id === id)?.value).toBe('403')
})

test('an entry of an injected error shows the settings of the moment in which its response was made', async () => {
  const { ask, simulator } = await start()
  const effect = { error: 'throttled', hold: true } as const
  const [fault] = simulator.faults.add({ operation: 'listAnnotations', effect })
  const response = ask('GET', annotationsPath)
  await expect.poll(() => simulator.journal.waiting().length).toBe(1)

  simulator.settings.set({ 'errors.body': 'detail' })
  simulator.faults.remove(fault?.id as string)

  expect((await response).body).toEqual({ detail: 'Request was throttled.' })
  const { settings } = simulator.journal.find()[0] ?? {}
  expect(settings?.find(({ id }) => id === 'errors.body')?.value).toBe('detail')
})

test('an entry of an injected response shows the settings that the fault read', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ phase: 'after-commit', effect: { error: 'server_error' } })
  await ask('GET', annotationsPath)
  simulator.faults.add({ effect: { status: 200 } })
  await ask('PUT', `${annotationsPath}1/`)

  const [late, replaced] = simulator.journal.find().map(({ settings }) => settings)

  expect(late?.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['annotations.list.limit.default', 'errors.body']),
  )
  expect(replaced).toEqual([])
})

test('an entry names the body limit only for a body, and the setting of a method only where it refuses', async () => {
  const { ask, simulator } = await start({ settings: { 'limits.body': 4096 } })
  await ask('GET', annotationsPath)
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('PUT', `${annotationsPath}1/`, { body: {} })
  const ids = ['limits.body', 'methods.put']

  const values = simulator.journal
    .find()
    .map(({ settings }) => ids.map((id) => settings.find((setting) => setting.id === id)?.value))

  expect(values).toEqual([
    [undefined, undefined],
    [4096, undefined],
    [4096, 'off'],
  ])
})
