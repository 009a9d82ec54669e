import { BoundedQueue, jsonSize, type MemoryBudget } from '../../utils/bounded-queue.ts'
import type { ClockReading } from '../../world/clock/clock.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import { type ListName, type Tables, worldLists } from '../../world/tables.ts'

/** What wrote a row: a request, by the id of its journal entry, a fault after one, or an edit without a request. */
type WriteCause =
  | { readonly entry: number }
  | { readonly fault: string }
  | { readonly edit: 'world' }

/** The cause of writes through `simulator.world` or the control API. */
export const directEdit: WriteCause = { edit: 'world' }

/** A write to a row. A new row has no `before`, a removed row has no `after`. */
export interface RowChange {
  /** The journal position of the first request after this change */
  readonly position: number
  readonly list: ListName
  readonly before: object | undefined
  readonly after: object | undefined
  readonly cause: WriteCause
  /** The memory of both rows, roughly */
  readonly bytes: number
}

/** A replacement of all rows. */
export interface ReplacedEdit {
  readonly position: number
  readonly tables: Tables
  /** When these rows were saved as a snapshot, or null if they come from elsewhere */
  readonly savedAt: EditPosition | null
  /** The new rows, or null if they are too many to store */
  readonly world: LoadedWorld | null
}

/** A change of the clock. */
export interface ClockEdit {
  readonly position: number
  readonly from: ClockReading
  readonly to: ClockReading
}

/** When an edit or a snapshot was made. */
export interface EditPosition {
  /** The journal position of the first request after it */
  readonly position: number
  /** How many changes were made before it */
  readonly order: number
}

/** A change that no request made. */
export interface PlacedEdit extends EditPosition {
  readonly edit: RowChange | ReplacedEdit | ClockEdit
}

const limits = { count: 10_000, bytes: 16 * 1024 * 1024 }

/** The weight of a row in a replaced world, in bytes. Rows are often shared with other worlds. */
const replacedRowBytes = 200

const baseBytes = 100

/** The latest changes of a world, in order: writes to rows, replacements of all rows, and changes of the clock. */
export class ChangeHistory {
  /** The cause of the writes that follow. */
  cause: WriteCause = directEdit
  /** Every key the world has had. Outlasts the changes. */
  readonly keys: KeyLabels = new KeyLabels()
  readonly #journal: { readonly position: number; readonly isOff: boolean }
  readonly #changes = new BoundedQueue<RowChange | ReplacedEdit | ClockEdit>(limits)
  readonly #snapshots = new WeakMap<Tables, EditPosition>()
  /** The rows that the world started with. */
  initialTables: Tables
  #editCount = 0

  constructor(
    journal: { readonly position: number; readonly isOff: boolean },
    initialTables: Tables,
  ) {
    this.#journal = journal
    this.initialTables = initialTables
  }

  /** How many changes there have been, evicted ones included. */
  get count(): number {
    return this.#changes.nextPosition
  }

  recordWrite(list: ListName, before: object | undefined, after: object | undefined): void {
    if (list === 'keys') for (const row of [before, after]) if (row) this.keys.add(row as KeyRow)
    const { cause } = this
    const isEdit = 'edit' in cause
    const position = this.#journal.position + (isEdit ? 0 : 1)
    const bytes = baseBytes + changeSize(before, after)
    if (!('entry' in cause)) this.#editCount += 1
    this.#changes.push({ list, before, after, cause, position, bytes }, bytes)
  }

  /** Records that `world` replaces all rows. @param keys the keys of the replaced rows */
  recordReplacement(world: LoadedWorld, keys: Iterable<KeyRow>): void {
    for (const key of keys) this.keys.add(key)
    if (this.#journal.isOff) {
      // Edits are stored for recordings only, and without a journal there is nothing to record.
      this.#clear()
      return
    }
    const { tables } = world
    const rowCount = worldLists.reduce((sum, list) => sum + tables[list].size, 0)
    const bytes = baseBytes + rowCount * replacedRowBytes
    const isStored = bytes < limits.bytes / 4
    const { position } = this.#journal
    const savedAt = this.#snapshots.get(tables) ?? null
    this.#editCount += 1
    this.#changes.push(
      { tables, savedAt, world: isStored ? world : null, position },
      isStored ? bytes : baseBytes,
    )
  }

  recordClockChange(from: ClockReading, to: ClockReading): void {
    if (this.#journal.isOff) return
    this.#editCount += 1
    this.#changes.push({ from, to, position: this.#journal.position }, baseBytes)
  }

  /** Records when a snapshot was taken, so that a later replacement can refer to it. */
  recordSnapshot(tables: Tables): void {
    this.#snapshots.set(tables, { position: this.#journal.position, order: this.count })
  }

  /** Starts over with other initial rows. */
  restart(initialTables: Tables): void {
    this.initialTables = initialTables
    this.#clear()
  }

  /** The writes since there were `count` changes. */
  writesSince(count: number): readonly RowChange[] {
    if (this.count === count) return noWrites
    const changes = this.#changes.list(count)
    return changes.every(isWrite) ? changes : changes.filter(isWrite)
  }

  /** All changes that are left: writes, replacements and changes of the clock. */
  get all(): Pick<BoundedQueue<RowChange | ReplacedEdit | ClockEdit>, 'latest' | 'evictedCount'> {
    return this.#changes
  }

  /** The changes that no request made, in order. */
  edits(): PlacedEdit[] {
    const changes = this.#changes.list()
    const start = this.count - changes.length
    return changes.flatMap((edit, index) =>
      isWrite(edit) && 'entry' in edit.cause
        ? []
        : [{ position: edit.position, order: start + index, edit }],
    )
  }

  /** How many edits were evicted. */
  get evictedEdits(): number {
    return this.#editCount - this.edits().length
  }

  /** Shares a budget of bytes with other histories. */
  share(budget: MemoryBudget): void {
    this.#changes.share(budget)
  }

  /** Frees the memory. */
  close(): void {
    this.#clear()
    this.#changes.share(null)
  }

  #clear(): void {
    this.#changes.clear()
    this.#editCount = 0
  }
}

/** Both rows share the values that did not change. */
function changeSize(before: object | undefined, after: object | undefined): number {
  if (!before || !after) return jsonSize(before ?? after)
  const [old, current] = [before, after] as Record<string, unknown>[]
  let bytes = 0
  for (const name in current) {
    bytes += 16
    if (old?.[name] !== current[name]) bytes += jsonSize(old?.[name]) + jsonSize(current[name])
  }
  return bytes
}

const noWrites: readonly RowChange[] = []

export function isWrite(change: RowChange | ReplacedEdit | ClockEdit): change is RowChange {
  return 'list' in change
}

/** How many keys are remembered: the latest ones. */
const maxLabels = 1_000

/** The labels of all keys that a sandbox has had. Keys that are gone are still hidden and shown by their labels. */
class KeyLabels {
  /** The latest last, some of them several times. */
  #rows: Pick<KeyRow, 'value' | 'label'>[] = []
  /** How many keys were added. */
  version = 0

  add(row: Pick<KeyRow, 'value' | 'label'>): void {
    this.version += 1
    this.#rows.push(row)
    if (this.#rows.length < 2 * maxLabels) return
    this.#rows = [...this].map(([value, label]) => ({ value, label }))
  }

  /** Each value with its label, the latest last. */
  [Symbol.iterator](): IterableIterator<[string, string]> {
    const labels = new Map<string, string>()
    for (const { value, label } of this.#rows) {
      // Deleted first, so that the key becomes the latest one.
      labels.delete(value)
      labels.set(value, label)
    }
    return [...labels].slice(-maxLabels).values()
  }
}
