import { didYouMean } from '../../utils/did-you-mean.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { type BuiltInWorld, builtInWorldNames } from '../../world/load/build-world.ts'
import { openWorld } from '../../world/load/load-world.ts'
import { forkTables } from '../../world/table/tables.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxTemplate } from './sandbox-request.ts'

/** Where a sandbox can begin, by name; of two with the same name the first mentioned here. */
export interface WorldSources {
  readonly snapshots: ReadonlyMap<string, LoadedWorld>
  readonly sandboxes: ReadonlyMap<string, { readonly sandbox: Sandbox }>
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
export function openSource(
  host: Sandbox,
  from: string | undefined,
  sources: WorldSources,
  task = 'create a sandbox',
): SandboxTemplate {
  if (from === undefined) return { loaded: forkWorld(host.initial), template: host }
  const { snapshots, sandboxes } = sources
  const snapshot = snapshots.get(from)
  if (snapshot) return { loaded: forkWorld(snapshot), template: host }
  const other = sandboxes.get(from)?.sandbox
  if (other) return { loaded: other.snapshot(), template: other }
  return { loaded: forkWorld(openFixture(from, sources, task)), template: host }
}

/** Whether a name stands for something. */
export function hasSource(from: string, { snapshots, sandboxes, fixtures }: WorldSources): boolean {
  return snapshots.has(from) || sandboxes.has(from) || fixtures.has(from)
}

function openFixture(
  from: string,
  { snapshots, sandboxes, fixtures }: WorldSources,
  task: string,
): LoadedWorld {
  const known = fixtures.get(from)
  if (known) return known
  if (!builtInWorldNames.includes(from)) {
    const names = new Set([
      ...fixtures.keys(),
      ...builtInWorldNames,
      ...snapshots.keys(),
      ...sandboxes.keys(),
    ])
    const expected = `the name of a fixture, a snapshot or a sandbox (${[...names].slice(0, 12).join(', ')})`
    throw unexpectedValue(task, expected, from, didYouMean(String(from), [...names]), 'from')
  }
  const opened = openWorld(from as BuiltInWorld)
  fixtures.set(from, opened)
  return opened
}

function forkWorld({ tables, seed, now }: LoadedWorld): LoadedWorld {
  return { tables: forkTables(tables), seed, now }
}
