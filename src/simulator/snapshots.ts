import {
  inspectValue,
  LimitError,
  listWords,
  suggestWord,
  UsageError,
  unexpectedValue,
} from '../utils/errors.ts'
import type { LoadedWorld } from '../world/load/build-world.ts'
import { countRows } from '../world/load/export-world.ts'
import type { State } from './state.ts'

/** A snapshot as it is listed. */
export interface SnapshotInfo {
  readonly name: string
  /** ISO 8601, UTC, by the clock of the world */
  readonly saved_at: string
  /** The number of rows of each list */
  readonly rows: Readonly<Record<string, number>>
}

interface StoredSnapshot extends LoadedWorld {
  readonly saved_at: string
}

const maxSnapshots = 1_000

/** What `from` of a sandbox names the present rows. No snapshot has this name. */
export const currentSource = 'current'

/**
 * The named snapshots of a world. Saving and restoring take constant time.
 *
 * @example
 * simulator.snapshots.save('two-projects')
 * simulator.snapshots.restore('two-projects') // any number of times
 */
export class Snapshots {
  readonly #state: State
  readonly #snapshots = new Map<string, StoredSnapshot>()

  /** @internal */
  constructor(state: State) {
    this.#state = state
  }

  /** The snapshots by name, for sandboxes to start with. @internal */
  get all(): ReadonlyMap<string, StoredSnapshot> {
    return this.#snapshots
  }

  has(name: string): boolean {
    return this.#snapshots.has(name)
  }

  /**
   * Saves the current rows. Overwrites a snapshot of the same name.
   *
   * @throws UsageError for an invalid name
   * @throws LimitError if there are 1,000 snapshots
   */
  save(name: string): SnapshotInfo {
    checkSnapshotName(name)
    if (!this.#snapshots.has(name) && this.#snapshots.size >= maxSnapshots) {
      throw new LimitError(
        `Failed to save a snapshot: there are already ${maxSnapshots}. Delete one, or overwrite one.`,
      )
    }
    const { tables, seed, now } = this.#state.snapshot()
    const snapshot = { tables, seed, now, saved_at: this.#state.clock.iso() }
    this.#snapshots.set(name, snapshot)
    return toSnapshotInfo(name, snapshot)
  }

  /** Lists the snapshots, the oldest first. */
  list(): SnapshotInfo[] {
    return [...this.#snapshots].map(([name, snapshot]) => toSnapshotInfo(name, snapshot))
  }

  /** Restores the rows of a snapshot. Settings, clock and journal stay. @throws UsageError for an unknown name */
  restore(name: string): void {
    const snapshot = this.#snapshots.get(name)
    if (!snapshot) throw unknownSnapshotError(name, [...this.#snapshots.keys()])
    this.#state.replaceRows(snapshot)
  }

  /** Deletes a snapshot. @returns false for an unknown name */
  delete(name: string): boolean {
    return this.#snapshots.delete(name)
  }
}

function toSnapshotInfo(name: string, { saved_at, tables }: StoredSnapshot): SnapshotInfo {
  return { name, saved_at, rows: countRows(tables) }
}

function unknownSnapshotError(name: string, names: readonly string[]): UsageError {
  const known = names.length === 0 ? '' : ` The snapshots are ${listWords(names)}.`
  return new UsageError(
    `Failed to restore a snapshot: there is no snapshot ${inspectValue(name)}.${suggestWord(String(name), names)}${known}`,
    'name',
  )
}

/** Names appear in URLs of the admin API. @throws UsageError for an invalid name */
function checkSnapshotName(name: string): void {
  if (typeof name === 'string' && /^[\w-]{1,100}$/.test(name) && name !== currentSource) return
  const expected = `a name of 1 to 100 letters, digits, - and _, other than ${currentSource}`
  throw unexpectedValue('save a snapshot', expected, name, undefined, 'name')
}
