import type { Promisified, Remote } from '../../../remote/connect.ts'
import { readBreakpoints } from '../../../sandbox/breakpoints/read-breakpoints.ts'
import { readStateChanges } from '../../../sandbox/state-changes.ts'
import { vocabularyOf } from '../../../sandbox/vocabulary.ts'
import type { PanelSource } from '../../../server/dashboard/panel.js'
import type { Simulator } from '../../../simulator.ts'
import { abortOf } from '../../../utils/abort.ts'
import { packageName, version } from '../../../utils/version.ts'
import { generateRows } from '../../../world/edit/generate-rows.ts'
import type { PartialWorldJson } from '../../../world/factories/partial-rows.ts'
import type { BuiltInWorld, LoadedWorld } from '../../../world/load/build-world.ts'
import { builtInWorldNames } from '../../../world/load/built-in-worlds.ts'

/** Opens a world in the page. @throws UsageError for an invalid one */
export type OpenWorld = (world: BuiltInWorld | PartialWorldJson) => Promise<LoadedWorld>

/** Lets the panel read and change the simulator of its page, as the dashboard does with a server by `connect()`. */
export function createPageSource(simulator: Simulator, openWorld: OpenWorld): PanelSource {
  const toRemote = (each: Simulator): Remote => pageRemote(each, simulator, openWorld)
  return {
    main: toRemote(simulator),
    sandbox(id) {
      const sandbox = simulator.sandboxes.get(id)
      return sandbox && toRemote(sandbox)
    },
  }
}

/** The groups of methods that the views of the panel use. */
type PanelRemote = {
  readonly [Name in keyof Remote]?: Remote[Name] extends (...args: never) => unknown
    ? Remote[Name]
    : Partial<Remote[Name]>
}

/** @param main has the sandboxes */
function pageRemote(simulator: Simulator, main: Simulator, openWorld: OpenWorld): Remote {
  const { sandbox, journal, breakpoints, world } = simulator
  const held = (id: number) => {
    const request = breakpoints.held().find((each) => each.id === id)
    if (!request) throw new Error(`Request ${id} is no longer held.`)
    return request
  }
  const remote = {
    // No terminal can reach it.
    url: '',
    world: {
      read: async () => world.toJSON(),
      async replace(file) {
        sandbox.replace(await openWorld(file))
        return world.counts
      },
      add: async (rows) => simulator.addRows(rows),
      async generate(counts) {
        const { generateInSlices } = await import('../../../world/factories/generate.ts')
        return generateRows(simulator, counts, generateInSlices)
      },
      find: async (list, query) => world.find(list, query),
      get: async (list, id) => world[list].get(id as never) as never,
      update: async (list, id, changes) =>
        world[list].update(id as never, changes as never) as never,
      delete: async (list, id) => world[list].delete(id as never),
      timeline: async (query) => world.timeline(query),
    },
    snapshots: inPromises(simulator.snapshots),
    clock: inPromises(simulator.clock),
    keys: inPromises(simulator.keys),
    policies: inPromises(simulator.policies) as never,
    faults: inPromises(simulator.faults),
    actors: inPromises(simulator.actors),
    breakpoints: {
      add: async (request) => breakpoints.add(request),
      list: async () => breakpoints.list(),
      read: ({ after = null, wait_ms = 0 } = {}, { signal } = {}) =>
        readBreakpoints(breakpoints, after, wait_ms, signal && abortOf(signal)),
      remove: async (id) => breakpoints.remove(id),
      clear: async () => breakpoints.clear(),
      continue: async (id, changes) => held(id).continue(changes),
      fulfill: async (id, response) => held(id).fulfill(response),
      drop: async (id) => held(id).drop(),
    },
    journal: {
      ...pick(inPromises(journal), ['find', 'get', 'mistakes', 'toHar', 'clear']),
      async follow(listener, { after = 0, onEnd } = {}) {
        for (const entry of journal.find()) if (entry.id > after) listener(entry)
        const stops = [journal.follow(listener), sandbox.events.on('close', () => onEnd?.())]
        return () => {
          for (const stop of stops) stop()
        }
      },
    },
    sandboxes: {
      list: async () => main.sandboxes.list().map((info) => ({ ...info, curl: null })),
      create: async (request) => ({ ...main.sandboxes.create(request), curl: null }) as never,
      delete: async (id) => main.sandboxes.delete(id),
    },
    reset: async (options) => simulator.reset(options),
    changes: () => readStateChanges(simulator),
    record: async (options) => simulator.record(options),
    explain: (entry) => simulator.explain(entry),
    example: async () => ({ curl: null }),
    vocabulary: async () => vocabularyOf(builtInWorldNames),
    health: async () => ({ name: packageName, status: 'ready', version }),
  } satisfies PanelRemote
  return remote as unknown as Remote
}

/** The methods of an object, each of which returns a promise. */
function inPromises<T extends object>(target: T): Promisified<T> {
  const methods: Record<string | symbol, (...args: unknown[]) => unknown> = Object(target)
  const get = (_: T, name: string | symbol) => {
    return async (...args: unknown[]) => methods[name]?.apply(target, args)
  }
  return new Proxy(target, { get }) as never
}

function pick<T, Name extends keyof T>(object: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, object[name]])) as Pick<T, Name>
}
