import { expect, test, vi } from 'vitest'
import { shareWorld } from '../../../../src/integrations/browser/share-world.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { persistIn } from '../../../../src/world/persistence/persist-in-storage.ts'

/** The storage of two tabs; each is told of the other's writes when the test says so. */
function createTabs() {
  const items = new Map<string, string>()
  const writes: string[] = []
  const untold: { writer: object; newValue: string }[] = []
  const tabs: { storage: Storage; hear: (event: StorageEvent) => void }[] = []
  return {
    items,
    writes,
    open(simulator: Simulator, onError: (error: unknown) => void = vi.fn()): () => void {
      const storage = {
        getItem: (key: string) => items.get(key) ?? null,
        setItem(key: string, newValue: string) {
          writes.push(newValue)
          if (items.get(key) === newValue) return
          items.set(key, newValue)
          untold.push({ writer: storage, newValue })
        },
      } as unknown as Storage
      const tab = { storage, hear: (_: StorageEvent): void => {} }
      tabs.push(tab)
      const events = {
        addEventListener: (_: string, listener: typeof tab.hear) => (tab.hear = listener),
        removeEventListener: () => (tab.hear = () => {}),
      } as unknown as Window
      return shareWorld(simulator, storage, { onError }, events)
    },
    tell(): void {
      for (const { writer, newValue } of untold.splice(0)) {
        for (const { storage, hear } of tabs)
          if (storage !== writer)
            hear({ storageArea: storage, key: 'understudy', newValue } as unknown as StorageEvent)
      }
    },
  }
}

const annotate = async (simulator: Simulator, content: string) => {
  simulator.world.annotations.create({ content })
  await null
}
const contents = ({ world }: Simulator) =>
  world.annotations
    .list()
    .map(({ content }) => content)
    .slice(8)

test('a tab goes on with what another one wrote, and writes nothing back', async () => {
  const tabs = createTabs()
  const [one, two] = [createSimulator(), createSimulator()]
  tabs.open(one)
  tabs.open(two)

  await annotate(one, 'First')
  tabs.tell()
  await null
  const writes = tabs.writes.length
  await annotate(two, 'Second')
  tabs.tell()

  expect([contents(one), contents(two)]).toEqual([
    ['First', 'Second'],
    ['First', 'Second'],
  ])
  expect(writes).toBe(1)
})

test('of two writes at once the later one holds in both, and the tab of the earlier one is told', async () => {
  const tabs = createTabs()
  const [one, two] = [createSimulator(), createSimulator()]
  const [toOne, toTwo] = [vi.fn(), vi.fn()]
  tabs.open(one, toOne)
  tabs.open(two, toTwo)

  await annotate(one, 'Earlier')
  await annotate(two, 'Later')
  tabs.tell()

  expect([contents(one), contents(two)]).toEqual([['Later'], ['Later']])
  expect(toOne.mock.calls.map(([{ message }]) => message)).toEqual([
    'Failed to keep what two tabs wrote at once in the storage item "understudy": expected one at a time, got two ' +
      'within milliseconds. What the other tab wrote holds in all tabs, what this one had is gone: do it again.',
  ])
  expect(toTwo).not.toHaveBeenCalled()
})

test('a world that cannot be read stays, and the tab saves nothing over it', async () => {
  const tabs = createTabs()
  const simulator = createSimulator()
  const onError = vi.fn()
  tabs.open(simulator, onError)
  const other = createSimulator()
  tabs.open(other)

  await annotate(other, 'Unread')
  tabs.items.set('understudy', '{"format_version": 99}')
  tabs.tell()
  await annotate(simulator, 'On its own')
  await annotate(simulator, 'Still so')

  expect(onError.mock.calls[0]?.[0].message).toMatch(
    'Failed to read the state item "understudy". It was left as it is. This tab goes on alone and saves nothing from here on: reload it.',
  )
  expect(tabs.items.get('understudy')).toBe('{"format_version": 99}')
  expect(contents(simulator)).toEqual(['On its own', 'Still so'])
})

test('a world that was shared is one that a single page goes on with', async () => {
  const tabs = createTabs()
  const [one, later] = [createSimulator(), createSimulator()]
  tabs.open(one)

  await annotate(one, 'Shared')
  persistIn(later, { getItem: (key) => tabs.items.get(key) ?? null, setItem: vi.fn() })

  expect(contents(later)).toEqual(['Shared'])
})

test('it ends when told to', async () => {
  const tabs = createTabs()
  const [one, two] = [createSimulator(), createSimulator()]
  const end = tabs.open(one)
  tabs.open(two)

  end()
  await annotate(two, 'Not heard')
  tabs.tell()

  expect(contents(one)).toEqual([])
})
