import type { Snapshot } from '../beginning.ts'
import { adjust, settle } from '../policies/settings.ts'
import type { WorldSandbox } from '../sandbox.ts'
import { nearest, unexpected } from '../usage-error.ts'
import { Clock, toTime } from '../world/clock.ts'
import { type BuiltInWorld, builtInNames, openWorld } from '../world/fixtures.ts'
import type { LoadedWorld } from '../world/load.ts'
import { forkTables } from '../world/tables.ts'
import type { SandboxRequest } from './request.ts'

/** Where a sandbox can begin, by name. */
export interface Sources {
  readonly snapshots: ReadonlyMap<string, Snapshot>
  readonly sandboxes: ReadonlyMap<string, { readonly sandbox: WorldSandbox }>
}

/**
 * A sandbox like another one, but for what is asked for. Its keys are still those of its world.
 *
 * @throws UsageError for what it cannot begin with
 */
export function begin(host: WorldSandbox, request: SandboxRequest, sources: Sources): WorldSandbox {
  const { from, seed, profile, policies = {}, clock } = request
  const settings = profile ? settle(profile, policies) : adjust(host.noted.plain, policies)
  return host.like({
    loaded: seeded(sourceOf(host, from, sources), seed),
    settings,
    clock: clock === undefined ? host.clock.fork() : toClock(clock),
  })
}

/** A world with another seed. @throws UsageError for what is none */
export function seeded(loaded: LoadedWorld, seed: number = loaded.seed): LoadedWorld {
  if (!Number.isInteger(seed)) throw unexpected('read the seed', 'a whole number', seed)
  return { ...loaded, seed }
}

/** A real clock, or one that stands still. @throws UsageError for what is no time */
export function toClock(clock: 'real' | string | Date): Clock {
  return new Clock(clock === 'real' ? null : toTime(clock))
}

function sourceOf(
  host: WorldSandbox,
  from: string | undefined,
  { snapshots, sandboxes }: Sources,
): LoadedWorld {
  const { seed, now } = host.loaded
  if (from === undefined) return { tables: forkTables(host.began.tables), seed, now }
  const snapshot = snapshots.get(from)
  if (snapshot) return { tables: forkTables(snapshot.tables), seed, now }
  const other = sandboxes.get(from)?.sandbox.loaded
  if (other) return { ...other, tables: forkTables(other.tables) }
  if (builtInNames.includes(from)) return openWorld(from as BuiltInWorld)
  const names = [...snapshots.keys(), ...sandboxes.keys(), ...builtInNames]
  throw unexpected(
    'create a sandbox',
    `from to be the name of a snapshot, a sandbox or a fixture (${names.slice(0, 12).join(', ')})`,
    from,
    nearest(String(from), names),
  )
}
