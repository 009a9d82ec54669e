import type { MemoryBudget } from '../../utils/bounded-queue.ts'
import { BoundedQueue, jsonSize } from '../../utils/bounded-queue.ts'
import type { ClockReading } from '../../world/clock/clock.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import type { ListName } from '../../world/table/lists.ts'
import { worldLists } from '../../world/table/lists.ts'
import type { Tables } from '../../world/table/tables.ts'

/** What was done to a world without a request. */
export type Edit = RowEdit | ReplacedEdit | ClockEdit

/** A row that was written: by typed access, by the control API, or by a second actor. */
export interface RowEdit {
  readonly list: ListName
  readonly before: object | undefined
  readonly after: object | undefined
}

/** Other rows took the place of all there were. */
export interface ReplacedEdit {
  readonly tables: Tables
  /** When these rows were kept aside; null where they come from elsewhere */
  readonly savedAt: EditPosition | null
  /** Null where there are too many to keep them */
  readonly world: LoadedWorld | null
}

/** The clock was set, or moved. */
export interface ClockEdit {
  readonly from: ClockReading
  readonly to: ClockReading
}

/** When something was done. */
export interface EditPosition {
  /** The position in the journal of the first request after it */
  readonly position: number
  /** How many edits had been made before it */
  readonly order: number
}

/** An edit, and when it was made. */
export interface PlacedEdit extends EditPosition {
  readonly edit: Edit
}

/** In bytes: what a row takes, roughly. Rows may be shared with others, and then take nothing. */
const rowBytes = 200

const limits = { count: 10_000, bytes: 16 * 1024 * 1024 }

/** The latest edits of a world, each with its place among the requests. */
export class EditLog {
  /** The rows that the world began with. */
  readonly initialTables: Tables
  readonly #journal: { readonly position: number; readonly isOff: boolean }
  readonly #kept = new BoundedQueue<PlacedEdit>(limits)
  readonly #saved = new WeakMap<Tables, EditPosition>()

  constructor(journal: { readonly position: number; readonly isOff: boolean }, beginning: Tables) {
    this.#journal = journal
    this.initialTables = beginning
  }

  /** How many are no longer kept; everything before it is gone. */
  get evictedCount(): number {
    return this.#kept.evictedCount
  }

  /** All that are kept, in the order in which they were made. */
  list(): PlacedEdit[] {
    return this.#kept.list()
  }

  /** @param isWithin whether it was made while a request was on its way, by a second actor */
  recordWrite(edit: RowEdit, isWithin: boolean): void {
    this.#add(edit, 100 + jsonSize(edit.before) + jsonSize(edit.after), isWithin ? 1 : 0)
  }

  /** Rows were kept aside, to come back to. */
  recordSnapshot(tables: Tables): void {
    this.#saved.set(tables, this.#place())
  }

  /** Other rows have taken the place of all there were. */
  recordReplacement(world: LoadedWorld): void {
    const { tables } = world
    const bytes = worldLists.reduce((sum, list) => sum + tables[list].size * rowBytes, 100)
    const isKept = bytes < limits.bytes / 4
    const saved = this.#saved.get(tables) ?? null
    this.#add({ tables, savedAt: saved, world: isKept ? world : null }, isKept ? bytes : 100)
  }

  recordClockChange(from: ClockReading, to: ClockReading): void {
    this.#add({ from, to }, 100)
  }

  /** Shares its bytes with others. */
  share(budget: MemoryBudget): void {
    this.#kept.share(budget)
  }

  /** Frees what it holds. */
  close(): void {
    this.#kept.clear()
    this.#kept.share(null)
  }

  #place(later = 0): EditPosition {
    return { position: this.#journal.position + later, order: this.#kept.nextPosition }
  }

  #add(edit: Edit, bytes: number, later = 0): void {
    if (!this.#journal.isOff) this.#kept.push({ ...this.#place(later), edit }, bytes)
  }
}
