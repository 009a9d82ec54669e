import type { WorldSandbox } from '../sandbox.ts'
import { nearest, unexpected } from '../usage-error.ts'
import { type BuiltInWorld, builtInNames } from '../world/built-in.ts'
import { openWorld } from '../world/fixtures.ts'
import type { LoadedWorld } from '../world/load.ts'
import { forkTables } from '../world/tables.ts'
import type { Source } from './begin.ts'

/** Where a sandbox can begin, by name; of two with the same name the first mentioned here. */
export interface Sources {
  readonly snapshots: ReadonlyMap<string, LoadedWorld>
  readonly sandboxes: ReadonlyMap<string, { readonly sandbox: WorldSandbox }>
  /** Opened once, then kept: a sandbox of a large one costs no more than one of a small one. */
  readonly fixtures: Map<string, LoadedWorld>
}

/**
 * What a name stands for: rows alone for a snapshot or a fixture, policies and clock too for a sandbox.
 *
 * @param from by default the world as the host began
 * @param task what fails where nothing has that name
 * @throws UsageError for a name that nothing has
 */
export function sourceOf(
  host: WorldSandbox,
  from: string | undefined,
  sources: Sources,
  task = 'create a sandbox',
): Source {
  if (from === undefined) return { loaded: forked(host.began), like: host }
  const { snapshots, sandboxes } = sources
  const snapshot = snapshots.get(from)
  if (snapshot) return { loaded: forked(snapshot), like: host }
  const other = sandboxes.get(from)?.sandbox
  if (other) return { loaded: other.snapshot(), like: other }
  return { loaded: forked(fixtureOf(from, sources, task)), like: host }
}

/** Whether a name stands for something. */
export function isSource(from: string, { snapshots, sandboxes, fixtures }: Sources): boolean {
  return snapshots.has(from) || sandboxes.has(from) || fixtures.has(from)
}

function fixtureOf(
  from: string,
  { snapshots, sandboxes, fixtures }: Sources,
  task: string,
): LoadedWorld {
  const known = fixtures.get(from)
  if (known) return known
  if (!builtInNames.includes(from)) {
    const names = new Set([
      ...fixtures.keys(),
      ...builtInNames,
      ...snapshots.keys(),
      ...sandboxes.keys(),
    ])
    const expected = `the name of a fixture, a snapshot or a sandbox (${[...names].slice(0, 12).join(', ')})`
    throw unexpected(task, expected, from, nearest(String(from), [...names]), 'from')
  }
  const opened = openWorld(from as BuiltInWorld)
  fixtures.set(from, opened)
  return opened
}

function forked({ tables, seed, now }: LoadedWorld): LoadedWorld {
  return { tables: forkTables(tables), seed, now }
}
