import { expect, test } from 'vitest'
import { toPersistable } from '../../../../src/integrations/browser/persist-world.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import { openRouter, type Router } from '../../../../src/sandbox/router.ts'
import { createSimulator, Simulator } from '../../../../src/simulator.ts'
import { openBuiltInWorld } from '../../../../src/world/load/built-in-worlds.ts'
import { addChecksum } from '../../../../src/world/persistence/saved-state.ts'

/** What a page has before it loads the simulator around the same world. */
const openPage = (): Router => openRouter(openBuiltInWorld('default'), resolvePolicies(), {})

const contentsOf = (router: Router) =>
  new Simulator(router).world.annotations.list().map(({ content }) => content)

/** A world with one annotation. */
function worldWith(content: unknown): string {
  const { annotations, ...world } = createSimulator().world.toJSON()
  return JSON.stringify({ ...world, annotations: [{ ...annotations?.[0], content }] })
}

test('a saved world with a valid checksum needs no checks', async () => {
  const router = openPage()
  const { prepare, resume } = toPersistable(router)

  await prepare?.(addChecksum(worldWith('Trusted')))
  resume(JSON.parse(worldWith('Trusted')), false)

  expect(contentsOf(router)).toEqual(['Trusted'])
  expect(() => resume(JSON.parse(worldWith('Changed')), true)).toThrow('prepare() must be called')
})

test('any other saved world is checked, and prepare loads the checks', async () => {
  const router = openPage()
  const { prepare, resume } = toPersistable(router)

  await prepare?.(worldWith('Edited by hand'))
  resume(JSON.parse(worldWith('Edited by hand')), true)

  expect(contentsOf(router)).toEqual(['Edited by hand'])
  expect(() => resume(JSON.parse(worldWith(7)), true)).toThrow(
    'annotations[0].content: expected string or null, got 7',
  )
})
