import { didYouMean, listWords, unexpectedValue } from '../../utils/usage-error.ts'
import type { BuiltInWorld, LoadedWorld } from '../../world/load/build-world.ts'
import { builtInWorldNames } from '../../world/load/built-in-worlds.ts'
import { openWorld } from '../../world/load/load-world.ts'
import { forkTables } from '../../world/table/tables.ts'
import type { Sandbox } from '../sandbox.ts'

/** The worlds that a sandbox can start with, by name. Snapshots precede sandboxes, and sandboxes precede fixtures. */
export interface WorldSources {
  readonly snapshots: ReadonlyMap<string, LoadedWorld>
  readonly sandboxes: ReadonlyMap<string, { readonly sandbox: Sandbox }>
  /** Loaded once and then cached, so that a large fixture is as fast as a small one. */
  readonly fixtures: Map<string, LoadedWorld>
}

/** The start of a sandbox. */
interface SandboxSource {
  /** Rows that the new sandbox owns */
  readonly loaded: LoadedWorld
  /** The sandbox that provides policies and clock */
  readonly template: Sandbox
}

/**
 * Finds a world by name. A snapshot or a fixture provides rows only, another sandbox its policies and clock as well.
 *
 * @param from defaults to the world that the host started with
 * @param task completes the sentence "Failed to …"
 * @throws UsageError for an unknown name
 */
export function openSource(
  host: Sandbox,
  from: string | undefined,
  sources: WorldSources,
  task = 'create a sandbox',
): SandboxSource {
  if (from === undefined) return { loaded: forkWorld(host.initial), template: host }
  const { snapshots, sandboxes } = sources
  const snapshot = snapshots.get(from)
  if (snapshot) return { loaded: forkWorld(snapshot), template: host }
  const other = sandboxes.get(from)?.sandbox
  if (other) return { loaded: other.snapshot(), template: other }
  return { loaded: forkWorld(openFixture(from, sources, task, host)), template: host }
}

function openFixture(
  from: string,
  { snapshots, sandboxes, fixtures }: WorldSources,
  task: string,
  { replica }: Sandbox,
): LoadedWorld {
  const cached = fixtures.get(from)
  if (cached) return cached
  if (!builtInWorldNames.includes(from)) {
    const others = [fixtures, snapshots, sandboxes].flatMap((worlds) => [...worlds.keys()])
    const names = [...new Set([...builtInWorldNames, ...others])]
    const place = replica ? ` of replica ${replica.number}` : ''
    const expected = `the name of a fixture, a snapshot or a sandbox${place} (${listWords(names)})`
    throw unexpectedValue(task, expected, from, didYouMean(String(from), names), 'from')
  }
  const opened = openWorld(from as BuiltInWorld)
  fixtures.set(from, opened)
  return opened
}

function forkWorld({ tables, seed, now }: LoadedWorld): LoadedWorld {
  return { tables: forkTables(tables), seed, now }
}
