import type { Simulator } from '../simulator.ts'
import { createSimulatorTarget } from './own-target.ts'
import type { Target } from './target.ts'

/** A simulator in this process that was made for one replay. */
export function createLocalTarget(simulator: Simulator, baseUrl: string): Promise<Target> {
  const { world } = simulator
  return createSimulatorTarget(simulator, {
    baseUrl,
    world: async () => world.toTexts(),
    editor: {
      update: (list, id, changes) => world[list].update(id as never, changes as never),
      delete: (list, id) => world[list].delete(id as never),
    },
  })
}
