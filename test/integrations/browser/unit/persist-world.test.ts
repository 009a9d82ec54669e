import { expect, test, vi } from 'vitest'
import { toPersistable } from '../../../../src/integrations/browser/persist-world.ts'
import { shareWorld } from '../../../../src/integrations/browser/share-world.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import { openRouter, type Router } from '../../../../src/sandbox/router.ts'
import { createSimulator, Simulator } from '../../../../src/simulator.ts'
import { openBuiltInWorld } from '../../../../src/world/load/build-world.ts'
import { addChecksum } from '../../../../src/world/persistence/saved-state.ts'

/** What a page has before it asks for the simulator, which knows the same world. */
const openPage = (): Router => openRouter(openBuiltInWorld('default'), resolvePolicies(), {})

const contentsOf = (service: Router) =>
  new Simulator(service).world.annotations.list().map(({ content }) => content)

/** A world as somebody else may have written it: without a seal. */
function worldWith(content: unknown): string {
  const { annotations, ...world } = createSimulator().world.toJSON()
  return JSON.stringify({ ...world, annotations: [{ ...annotations?.[0], content }] })
}

test('a world that was sealed is gone on with at once, any other one when its checks are there', async () => {
  const service = openPage()
  const { prepare, resume } = toPersistable(service)

  expect(prepare?.(addChecksum(worldWith('Sealed')))).toBe(null)
  await prepare?.(worldWith('Not sealed'))
  resume(JSON.parse(worldWith('Not sealed')), false)

  expect(contentsOf(service)).toEqual(['Not sealed'])
  expect(() => resume(JSON.parse(worldWith(7)), false)).toThrow(
    'annotations[0].content: expected string or null, got 7',
  )
})

test('what something else wrote for all tabs is checked, and then taken', async () => {
  const service = openPage()
  const onError = vi.fn()
  const items = new Map<string, string>()
  const storage = { getItem: () => items.get('understudy') ?? null, setItem: vi.fn() }
  let hear = (_: object): void => {}
  const events = {
    addEventListener: (_: string, listener: typeof hear) => (hear = listener),
    removeEventListener: vi.fn(),
  }
  const storageArea = storage as unknown as Storage
  shareWorld(toPersistable(service), storageArea, { onError }, events as unknown as Window)

  for (const content of ['Overtaken', 'By hand']) {
    items.set('understudy', worldWith(content))
    hear({ storageArea, key: 'understudy' })
  }
  await vi.waitFor(() => expect(contentsOf(service)).toEqual(['By hand']))
  items.set('understudy', worldWith(7))
  hear({ storageArea, key: 'understudy' })

  expect(onError.mock.calls.map(([{ message }]) => message)).toEqual([
    expect.stringMatching(/^Failed to read the state item "understudy"\..*got 7$/s),
  ])
  expect(contentsOf(service)).toEqual(['By hand'])
})
