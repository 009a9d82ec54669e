import { didYouMean, LimitError, unexpectedValue } from '../utils/usage-error.ts'
import type { LoadedWorld } from '../world/load/build-world.ts'
import { exportWorld } from '../world/load/export-world.ts'
import { loadWorld } from '../world/load/load-world.ts'
import { countRows } from '../world/table/lists.ts'
import { uncheckedFields } from '../world/world-format.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { Sandbox } from './sandbox.ts'

/** What is told of a snapshot without opening it. */
export interface SnapshotInfo {
  readonly name: string
  /** ISO 8601, UTC, by the clock of the world */
  readonly saved_at: string
  /** How many rows each list has */
  readonly rows: Readonly<Record<string, number>>
}

interface StoredSnapshot extends LoadedWorld {
  readonly saved_at: string
}

/** The most snapshots there can be at once. */
const maxSnapshots = 1_000

/**
 * The named frozen states of a world. Saving and restoring cost the same at any size.
 *
 * @example
 * simulator.snapshots.save('two-projects')
 * simulator.snapshots.restore('two-projects') // as often as wanted
 */
export class Snapshots {
  readonly #sandbox: Sandbox
  readonly #saved = new Map<string, StoredSnapshot>()

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Each of them, by name, to begin a sandbox with. */
  get all(): ReadonlyMap<string, LoadedWorld> {
    return this.#saved
  }

  has(name: string): boolean {
    return this.#saved.has(name)
  }

  /**
   * Keeps the rows as they are; a snapshot of that name makes way.
   *
   * @throws UsageError for a name that no address can hold; LimitError when there are as many as there may be
   */
  save(name: string): SnapshotInfo {
    return this.#keep(name, () => this.#sandbox.snapshot())
  }

  /** The oldest first. */
  list(): SnapshotInfo[] {
    return [...this.#saved].map(([name, saved]) => toSnapshotInfo(name, saved))
  }

  /** Goes back to the rows it has. Policies, clock and journal stay as they are. @throws UsageError for no name of one */
  restore(name: string): void {
    const saved = this.#saved.get(name)
    if (saved) this.#sandbox.restore(saved)
    else {
      const names = [...this.#saved.keys()]
      const known = names.length === 0 ? 'there is none' : names.slice(0, 12).join(', ')
      const meant = didYouMean(String(name), names)
      throw unexpectedValue('restore a snapshot', `the name of one (${known})`, name, meant, 'name')
    }
  }

  /** One as a snapshot file, which is a fixture file as well; undefined where there is none. */
  get(name: string): WorldJson | undefined {
    const saved = this.#saved.get(name)
    return saved && exportWorld(saved)
  }

  /**
   * Keeps what a snapshot file holds, whole or not at all; a snapshot of that name makes way.
   *
   * @throws UsageError with every fault of the file, or where a later version has made it
   */
  import(name: string, file: WorldJson): SnapshotInfo {
    return this.#keep(name, () =>
      loadWorld(file, uncheckedFields(this.#sandbox.policyTracker.untracked)),
    )
  }

  /** Forgets one; false when there is none of that name. */
  delete(name: string): boolean {
    return this.#saved.delete(name)
  }

  #keep(name: string, open: () => LoadedWorld): SnapshotInfo {
    checkName(name)
    if (!this.#saved.has(name) && this.#saved.size >= maxSnapshots) {
      throw new LimitError(
        `Failed to keep a snapshot: expected at most ${maxSnapshots} at once. Delete some, or save by a name there is.`,
      )
    }
    const { tables, seed, now } = open()
    const saved = { tables, seed, now, saved_at: this.#sandbox.clock.iso() }
    this.#saved.set(name, saved)
    return toSnapshotInfo(name, saved)
  }
}

function toSnapshotInfo(name: string, { saved_at, tables }: StoredSnapshot): SnapshotInfo {
  return { name, saved_at, rows: countRows(tables) }
}

/** @throws UsageError for what cannot stand in an address as it is */
function checkName(name: string): void {
  if (typeof name === 'string' && /^[\w-]{1,100}$/.test(name)) return
  const expected = 'a name of 1 to 100 letters, digits, - and _'
  throw unexpectedValue('keep a snapshot', expected, name, undefined, 'name')
}
