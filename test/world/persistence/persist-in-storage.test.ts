import { afterEach, expect, test, vi } from 'vitest'
import { createSimulator, persistIn, type Simulator } from '../../../src/index.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** The storage of a page. With `isFull` it throws as a browser does. */
function createStorage(items: Record<string, string> = {}) {
  const storage = {
    items,
    isFull: false,
    getItem: (key: string) => items[key] ?? null,
    setItem(key: string, value: string) {
      if (storage.isFull) throw new DOMException('It exceeded the quota.', 'QuotaExceededError')
      items[key] = value
    },
  }
  return storage satisfies Parameters<typeof persistIn>[1]
}

/** A page after a reload: a new simulator with the same storage. */
function load(storage: Parameters<typeof persistIn>[1]): Simulator {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  persistIn(simulator, storage)
  return simulator
}

const annotate = (simulator: Simulator, content: string) =>
  simulator.fetch(annotationsPath, initOf('POST', { body: { content } }))

test('a world survives a reload of the page, ids and keys included', async () => {
  const storage = createStorage()

  const first = load(storage)
  await annotate(first, 'Before the reload')
  const key = first.keys.issue({ scopes: ['annotation:read'] })
  await null
  const second = load(storage)
  const { id } = await (await annotate(second, 'After it')).json()

  expect(second.world.annotations.get(9)).toEqual(first.world.annotations.get(9))
  expect(second.keys.list().map(({ value }) => value)).toContain(key)
  expect(id).toBe(10)
})

test('reset restores the original world, also after a reload', async () => {
  const storage = createStorage()
  const first = load(storage)
  await annotate(first, 'Gone soon')

  const second = load(storage)
  const before = second.world.annotations.count
  second.reset()
  await null

  expect([before, second.world.annotations.count, load(storage).world.annotations.count]).toEqual([
    9, 8, 8,
  ])
})

test('synchronous changes are saved once, and reads save nothing', async () => {
  const storage = createStorage()
  const setItem = vi.spyOn(storage, 'setItem')
  const simulator = load(storage)

  await simulator.fetch('/api/projects/', { headers: authorization() })
  const afterReading = setItem.mock.calls.length
  for (let count = 0; count < 50; count++) simulator.world.annotations.add({})
  await null

  expect([afterReading, setItem.mock.calls.length]).toEqual([0, 1])
})

test('saving needs no timer, so fake timers do not stop it', async () => {
  vi.useFakeTimers()
  const storage = createStorage()

  await annotate(load(storage), 'With fake timers')

  expect(storage.items.understudy).toContain('With fake timers')
})

test('several worlds can share a storage with different keys', async () => {
  const storage = createStorage()
  const [first, second] = [createSimulator(), createSimulator({ world: 'empty' })]
  persistIn(first, storage, { key: 'one' })
  persistIn(second, storage, { key: 'two' })

  first.world.annotations.add({ content: 'Mine' })
  second.world.annotations.add({ content: 'Yours' })
  await null

  expect(Object.keys(storage.items)).toEqual(['one', 'two'])
  expect([storage.items.one?.includes('Yours'), storage.items.two?.includes('Mine')]).toEqual([
    false,
    false,
  ])
})

test('a full storage is reported once until a save succeeds, and the simulator continues', async () => {
  const storage = createStorage()
  const simulator = createSimulator()
  const onError = vi.fn()
  persistIn(simulator, storage, { onError })

  storage.isFull = true
  for (const content of ['One', 'Two'])
    expect.soft((await annotate(simulator, content)).status).toBe(201)
  storage.isFull = false
  await annotate(simulator, 'Three')
  storage.isFull = true
  await annotate(simulator, 'Four')

  const message =
    'Failed to save the state in the storage item "understudy": QuotaExceededError. ' +
    'The simulator continues, and the item is unchanged. Use a smaller world. (It exceeded the quota.)'
  expect(onError.mock.calls.map(([error]) => error.message)).toEqual([message, message])
  expect(load(storage).world.annotations.count).toBe(11)
})

test.each([
  [
    '{"annotations": [',
    'The storage item "mine" is not valid JSON: it ends in line 1, column 18. It was not changed: remove the item to start with a new world.',
  ],
  [
    '{"annotations": 1}',
    'Failed to read the storage item "mine". It was not changed: remove the item to start with a new world.\nFailed to load the world: 1 problem. Nothing was loaded.\n  annotations: expected array, got 1',
  ],
  [
    '7',
    'Failed to read the storage item "mine". It was not changed: remove the item to start with a new world.\nFailed to find the world: expected default, empty or a world as JSON, got 7.',
  ],
  [
    '',
    'The storage item "mine" is not valid JSON: it ends in line 1, column 1. It was not changed: remove the item to start with a new world.',
  ],
])(
  'an item with the value %j is refused, and neither the item nor the world changes',
  (text, message) => {
    const storage = createStorage({ mine: text })
    const simulator = createSimulator()

    expect(() => persistIn(simulator, storage, { key: 'mine' })).toThrow(message)
    expect(storage.items.mine).toBe(text)
    expect(simulator.world.annotations.count).toBe(8)
  },
)

test('persistIn returns a function that stops saving', async () => {
  const storage = createStorage()
  const simulator = createSimulator()
  const stopSaving = persistIn(simulator, storage)

  stopSaving()
  await annotate(simulator, 'Not saved')

  expect(storage.items).toEqual({})
})
