import { LatestMap } from '../../utils/latest-map.ts'
import type { ClockReading } from '../../world/clock/clock.ts'
import type { LoadedWorld } from '../../world/load/load-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import {
  type AnyTable,
  forkTables,
  type ListName,
  rowIdOf,
  worldLists,
} from '../../world/tables.ts'

/** A write to a row. A new row has no `before`, a removed row has no `after`. */
export class RowChange {
  readonly list: ListName
  readonly before: object | undefined
  readonly after: object | undefined
  /** Whether a request wrote it, and not `simulator.world`, the admin API, a fault or a listener */
  readonly isByRequest: boolean
  /** The memory of both rows, roughly: they share the values that did not change */
  readonly bytes: number
  /** How much more memory the row takes than before */
  readonly growth: number

  constructor(
    list: ListName,
    before: object | undefined,
    after: object | undefined,
    isByRequest: boolean,
  ) {
    this.list = list
    this.before = before
    this.after = after
    this.isByRequest = isByRequest
    const [former, current] = [jsonSize(before), jsonSize(after)]
    this.bytes = baseBytes + Math.max(former, current)
    this.growth = current - former
  }
}

interface WorldReplacement {
  readonly former: LoadedWorld
}

export interface ClockMove {
  readonly from: ClockReading
  readonly to: ClockReading
}

type LoggedChange = RowChange | WorldReplacement | ClockMove

const limits = { count: 10_000, bytes: 16 * 1024 * 1024 }

/** Of a change without its rows, in bytes. */
const baseBytes = 100

/** Of replaced rows, in bytes: most of them are shared with other worlds. */
const replacedBytes = 65_536

/** Of a row that no other world has, in bytes. */
const newRowBytes = 200

/**
 * The latest changes of a world, in order. The index of a change is the number of changes before it. A request that has an
 * index can be answered again in the rows of that time.
 */
export class ChangeLog {
  /** The latest keys that were changed, revoked or replaced, with their labels: they are still hidden, and shown by these. */
  readonly formerKeys: Map<string, string> = new LatestMap()
  readonly #isOff: boolean
  readonly #changes: BoundedQueue<LoggedChange>

  /** @param isOff whether former rows are not kept: the journal has no entries */
  constructor(isOff: boolean, register: (keeper: Keeper) => Take) {
    this.#isOff = isOff
    this.#changes = new BoundedQueue(limits, register)
  }

  get index(): number {
    return this.#changes.nextPosition
  }

  /** The index of the oldest change that is still known. */
  get oldest(): number {
    return this.index - this.#changes.size
  }

  addWrite(change: RowChange): void {
    if (change.list === 'keys') this.#remember(change.before as KeyRow | undefined)
    this.#add(change, change.bytes)
  }

  /** @param bytes the memory of the rows, as far as no other world has them. By default, as if most were new */
  addReplacement(former: LoadedWorld, world: LoadedWorld, bytes?: number): void {
    const { keys } = former.tables
    if (keys.stamp !== world.tables.keys.stamp) for (const key of keys.values()) this.#remember(key)
    const rows = worldLists.reduce((sum, list) => sum + world.tables[list].size, 0)
    this.#add({ former }, replacedBytes + (bytes ?? rows * newRowBytes))
  }

  addClockChange(from: ClockReading, to: ClockReading): void {
    this.#add({ from, to }, baseBytes)
  }

  since(index: number): readonly LoggedChange[] {
    return index === this.index ? none : this.#changes.list(index)
  }

  writesSince(index: number): readonly RowChange[] {
    return this.since(index).filter((change) => 'list' in change)
  }

  byRequestSince(index: number): readonly RowChange[] {
    const changes = this.since(index)
    // A list that is filtered takes more memory.
    return changes.every(isWriteOfRequest) ? changes : changes.filter(isWriteOfRequest)
  }

  /**
   * The world before the change at an index: the changes since are undone in a copy.
   *
   * @param current the world of this moment
   * @returns null if it is no longer known
   */
  worldAt(index: number, current: LoadedWorld): LoadedWorld | null {
    if (index < this.oldest) return null
    let world = copyOf(current)
    for (const change of this.since(index).toReversed()) {
      if ('former' in change) world = copyOf(change.former)
      if (!('list' in change)) continue
      undo(change, world.tables[change.list])
    }
    return world
  }

  clear(): void {
    this.#changes.clear()
  }

  #add(change: LoggedChange, bytes: number) {
    if (!this.#isOff) this.#changes.push(change, bytes)
  }

  #remember(key: KeyRow | undefined) {
    if (key) this.formerKeys.set(key.value, key.label)
  }
}

const none: readonly RowChange[] = []

export function isWriteOfRequest(change: LoggedChange): change is RowChange {
  return 'list' in change && change.isByRequest
}

function copyOf(world: LoadedWorld): LoadedWorld {
  return { ...world, tables: forkTables(world.tables) }
}

function undo({ list, before, after }: RowChange, table: AnyTable) {
  if (before) {
    table.put(before)
    return
  }
  const id = rowIdOf(list, after as object)
  table.remove(id)
  // The id of a new row is issued again.
  if (table.nextId === Number(id) + 1) table.nextId = Number(id)
}

interface QueueBounds {
  readonly count: number
  readonly bytes: number
}

/** The latest items, bounded by count and by memory. An item keeps its position: that of the first one ever is 0. */
export class BoundedQueue<T> implements Keeper {
  readonly #bounds: QueueBounds
  readonly #take: Take
  /** Evicted ones are undefined at first: to shift each of them takes as long as the rest of a push */
  #items: (T | undefined)[] = []
  /** Of the items. An object for each would live as long as the item */
  #sizes: number[] = []
  /** How many evicted ones both lists still have */
  #gone = 0
  /** The number of items before it was last cleared */
  #start = 0
  #bytes = 0
  #evictedCount = 0

  /** @param register counts its memory with that of others */
  constructor(bounds: QueueBounds, register: (keeper: Keeper) => Take) {
    this.#bounds = bounds
    this.#take = register(this)
  }

  get size(): number {
    return this.#items.length - this.#gone
  }

  /** How many items were evicted since the queue was last cleared. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  get nextPosition(): number {
    return this.#oldest + this.size
  }

  get #oldest(): number {
    return this.#start + this.#evictedCount
  }

  /** @param bytes how much memory the item holds */
  push(item: T, bytes: number): void {
    this.#items.push(item)
    this.#sizes.push(bytes)
    this.#bytes += bytes
    this.#take(bytes)
    const { count, bytes: maxBytes } = this.#bounds
    while (this.size > count || this.#bytes > maxBytes) if (!this.giveUp()) break
  }

  giveUp(): boolean {
    const bytes = this.#sizes[this.#gone]
    if (bytes === undefined) return false
    this.#items[this.#gone++] = undefined
    this.#bytes -= bytes
    this.#take(-bytes)
    this.#evictedCount += 1
    if (2 * this.#gone > this.#items.length) {
      for (const list of [this.#items, this.#sizes]) list.splice(0, this.#gone)
      this.#gone = 0
    }
    return true
  }

  list(from = 0): T[] {
    return this.#items.slice(this.#gone + Math.max(0, from - this.#oldest)) as T[]
  }

  next(from: number): { readonly item: T; readonly position: number } | null {
    const position = Math.max(from, this.#oldest)
    const item = this.#items[this.#gone + position - this.#oldest]
    return item === undefined ? null : { item, position }
  }

  clear(): void {
    this.#take(-this.#bytes)
    this.#start = this.nextPosition
    this.#items = []
    this.#sizes = []
    this.#gone = 0
    this.#bytes = 0
    this.#evictedCount = 0
  }
}

/** Of an object without fields, as V8 stores it, and of a name that no other object has, in bytes. */
const [objectBytes, nameBytes] = [56, 32]

/** Estimates the memory of a JSON value in bytes. 0 for undefined @param perName of a name in it: rows have the same ones */
export function jsonSize(value: unknown, perName = 0): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 8
  // The indexes of a list would be texts.
  if (Array.isArray(value))
    return value.reduce((sum: number, part) => sum + 8 + jsonSize(part, nameBytes), 32)
  let bytes = objectBytes
  for (const name in value)
    bytes += 8 + perName + jsonSize((value as Record<string, unknown>)[name], nameBytes)
  return bytes
}

/** The memory of all rows of a world, roughly, in bytes */
export function sizeOfRows({ tables }: LoadedWorld): number {
  const rows = worldLists.flatMap((list): object[] => [...tables[list].values()])
  return rows.reduce((sum, row) => sum + 8 + jsonSize(row), 0)
}

/** What keeps something of the requests to a world: its journal, its changes, and rules about its clients. */
export interface Keeper {
  /** Gives up what it has kept for longest. @returns false if it has nothing */
  giveUp(): boolean
}

/** Says how many bytes more are kept, or fewer. */
export type Take = (bytes: number) => void

/** Rows that a world started with, or that another one was made of. */
export interface SharedRows {
  /** The memory of those that the former ones do not have, in bytes */
  readonly bytes: number
  readonly former: SharedRows | null
  /** How many worlds have them, and later rows that are made of them */
  users: number
}

interface KeptWorld {
  readonly keepers: Keeper[]
  bytes: number
  /** Of rows and rules, which it does not give up */
  held: number
}

/** The least budget: several worlds with the usual limits. */
const minBytes = 64 * 1024 * 1024

/** How many journals of the largest size there is room for. */
const fullJournals = 4

/**
 * What is kept of requests to a simulator and all its sandboxes. They share one budget, in bytes: beyond it, the world that had
 * no request for longest gives up its oldest entries. The limits of each world hold besides.
 *
 * Rows that were written and rules of faults are not given up. A server sets how much of them there may be.
 */
export class Memory {
  limit: number
  /** The world without a request for longest first */
  readonly #worlds = new Map<object, KeptWorld>()
  #bytes = 0
  #held = 0
  /** The last one of them, if it is known: a map that is written for each request is soon copied */
  #latest: object | undefined
  /** How many bytes of rows and rules there may be. Infinite without a server */
  most = Number.POSITIVE_INFINITY

  /** @param journalBytes the largest size of one journal */
  constructor(journalBytes: number) {
    this.limit = Math.max(minBytes, fullJournals * journalBytes)
  }

  /** Counts what a keeper of a world has. */
  register(world: object, keeper: Keeper): Take {
    const kept = this.#worlds.get(world) ?? { keepers: [], bytes: 0, held: 0 }
    this.#worlds.set(world, kept)
    this.#latest = undefined
    kept.keepers.push(keeper)
    return (bytes) => {
      if (this.#worlds.get(world) !== kept) return
      kept.bytes += bytes
      this.#bytes += bytes
      if (bytes > 0 && this.#bytes > this.limit) this.#makeRoom()
    }
  }

  /** Refuses more than so many bytes of rows and rules, besides those that there are. */
  limitHeld(bytes: number): void {
    this.most = this.#held + bytes
  }

  /** Counts rows and rules of a world. */
  hold(world: object, bytes: number): void {
    const kept = this.#worlds.get(world)
    if (!kept) return
    kept.held += bytes
    this.#held += bytes
  }

  /** Counts rows once, however many have them. @param by 1 for one more, -1 for one less */
  share(rows: SharedRows, by: 1 | -1): void {
    for (let part: SharedRows | null = rows; part; part = part.former) {
      part.users += by
      if (part.users !== (by === 1 ? 1 : 0)) return
      this.#held += by * part.bytes
    }
  }

  get isFull(): boolean {
    return this.#held > this.most
  }

  /** Says that a world has a request. */
  use(world: object): void {
    const kept = this.#worlds.get(world)
    if (!kept || world === this.#latest) return
    this.#latest = world
    this.#worlds.delete(world)
    this.#worlds.set(world, kept)
  }

  /** Forgets a world that ended. */
  leave(world: object): void {
    const kept = this.#worlds.get(world)
    if (!kept) return
    this.#bytes -= kept.bytes
    this.#held -= kept.held
    this.#worlds.delete(world)
    this.#latest = undefined
  }

  #makeRoom() {
    for (const { keepers } of this.#worlds.values()) {
      for (const keeper of keepers) {
        while (this.#bytes > this.limit && keeper.giveUp());
      }
      if (this.#bytes <= this.limit) return
    }
  }
}
