import type { PolicySettings } from '../../../policies/policies.ts'
import type { Promisified } from '../../../remote/connect.ts'
import { readStateChanges } from '../../../sandbox/state-changes.ts'
import { vocabularyOf } from '../../../sandbox/vocabulary.ts'
import type { PanelSource, WorldRemote } from '../../../server/dashboard/panel.js'
import type { Simulator } from '../../../simulator.ts'
import { UsageError } from '../../../utils/usage-error.ts'
import { packageName, version } from '../../../utils/version.ts'
import { finishBetweenEvents } from '../../../utils/wait.ts'
import { generateRows } from '../../../world/edit/generate-rows.ts'
import { rowsOf } from '../../../world/edit/world-access.ts'
import type { PartialWorldJson } from '../../../world/factories/partial-rows.ts'
import type { FixtureName, LoadedWorld } from '../../../world/load/build-world.ts'
import { builtInWorldNames } from '../../../world/load/built-in-worlds.ts'

/** Opens a world in the page. @throws UsageError for an invalid one */
export type OpenWorld = (
  world: FixtureName | PartialWorldJson,
  settings: PolicySettings,
) => Promise<LoadedWorld>

/** Lets the panel read and change the simulator of its page, as the dashboard does with a server by `connect()`. */
export function createPageSource(simulator: Simulator, openWorld: OpenWorld): PanelSource {
  const openSandbox = (id: string): Simulator => {
    const sandbox = simulator.sandboxes.get(id)
    if (!sandbox) throw new UsageError(`Sandbox ${id} has ended. Select another world.`)
    return sandbox
  }
  return {
    main: pageRemote(() => simulator, simulator, openWorld),
    sandbox: (id) => pageRemote(() => openSandbox(id), simulator, openWorld),
  }
}

/**
 * @param open returns the simulator of the selected world; throws once its sandbox has ended
 * @param main has the sandboxes
 */
function pageRemote(open: () => Simulator, main: Simulator, openWorld: OpenWorld): WorldRemote {
  return {
    // A terminal cannot reach it.
    url: '',
    world: {
      read: async () => open().world.toJSON(),
      async replace(file) {
        const { sandbox, policies, world } = open()
        sandbox.replace(await openWorld(file, policies.settings))
        return world.counts
      },
      add: async (rows) => open().addRows(rows),
      async generate(counts) {
        const { generateInSlices } = await import('../../../world/factories/generate.ts')
        return generateRows(open(), counts, generateInSlices)
      },
      find: async (list, query) => open().world.find(list, query),
      get: async (list, id) => rowsOf(open().world, list).get(id),
      update: async (list, id, changes) => rowsOf(open().world, list).update(id, changes),
      delete: async (list, id) => rowsOf(open().world, list).delete(id),
      timeline: async (query) => open().world.timeline(query),
    },
    snapshots: inPromises(() => open().snapshots),
    clock: inPromises(() => open().clock),
    keys: inPromises(() => open().keys),
    policies: inPromises(() => open().policies),
    faults: inPromises(() => open().faults),
    actors: inPromises(() => open().actors),
    journal: {
      find: async (filter) => open().journal.find(filter),
      get: async (id) => open().journal.get(id),
      mistakes: async () => finishBetweenEvents(open().journal.mistakesInSteps()),
      toHar: async (filter) => open().journal.toHar(filter),
      clear: async () => open().journal.clear(),
      async follow(listener, { after = 0, onEnd } = {}) {
        const { journal, sandbox } = open()
        for (const entry of journal.find()) if (entry.id > after) listener(entry)
        const stops = [journal.follow(listener), sandbox.events.on('close', () => onEnd?.())]
        return () => {
          for (const stop of stops) stop()
        }
      },
    },
    sandboxes: {
      list: async () => main.sandboxes.list().map((info) => ({ ...info, curl: null })),
      create: async (request) => main.sandboxes.create(request),
      delete: async (id) => main.sandboxes.delete(id),
    },
    reset: async (options) => open().reset(options),
    changes: async () => readStateChanges(open()),
    record: async (options) => open().record(options),
    explain: async (entry) => open().explain(entry),
    example: async () => ({ curl: null }),
    vocabulary: async () => vocabularyOf(builtInWorldNames),
    health: async () => ({ name: packageName, status: 'ready', version }),
  }
}

/** The methods of an object that is looked up at each call. Each returns a promise. */
function inPromises<T extends object>(find: () => T): Promisified<T> {
  const get = (_: object, name: string | symbol) => {
    return async (...args: unknown[]) => {
      const target: object = find()
      return Reflect.apply(Reflect.get(target, name), target, args)
    }
  }
  return new Proxy({}, { get }) as Promisified<T>
}
