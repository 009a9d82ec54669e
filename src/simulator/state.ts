import type { ApiWorld, Call } from '../http/endpoint.ts'
import { Throttle } from '../http/throttle.ts'
import { RowTexts } from '../http/written-rows.ts'
import { overrideSettings, resolveSettings } from '../settings/resolve.ts'
import { SettingReads, type SettingValues } from '../settings/setting.ts'
import { Clock, type ClockReading } from '../world/clock/clock.ts'
import type { LoadedWorld } from '../world/load/load-world.ts'
import type { KeyRow, WriteObserver } from '../world/rows.ts'
import { forkTables, type ListName, observeTables, type Tables } from '../world/tables.ts'
import { Faults } from './faults/faults.ts'
import {
  ChangeLog,
  type Keeper,
  Memory,
  RowChange,
  type SharedRows,
  sizeOfRows,
} from './journal/changes.ts'
import { Deliveries, Journal, type JournalLimits, type JournalRecord } from './journal/journal.ts'
import { KeyLabels } from './journal/key-labels.ts'
import type { ForkOptions } from './options.ts'
import { addSandboxKeys, KeyOwners } from './sandboxes/sandbox-keys.ts'

interface StateOptions extends StateTraits {
  /** Never changes: the state starts with a copy of its rows. */
  readonly loaded: LoadedWorld
  readonly settings: SettingValues
  readonly clock: Clock
  readonly texts?: RowTexts
  readonly journal?: JournalLimits | undefined
  readonly onError: (error: unknown) => void
}

/** What a state never copies from another one. */
interface StateTraits {
  /** The number of a sandbox, from 1. */
  readonly number?: number
  readonly name?: string | null
  /** Those of the simulator that it is a sandbox of. */
  readonly keyOwners?: KeyOwners<State>
  readonly memory?: Memory
  /** What it shares with others of the rows that it starts with. By default they take no room. */
  readonly rows?: SharedRows | undefined
}

interface StateEvents {
  readonly response: readonly [record: JournalRecord, parsed: Call['parsed']]
  /** A row was written, or all rows were replaced. */
  readonly change: readonly []
  readonly close: readonly []
}

/** One isolated world: its rows, settings, clock, faults and journal. */
export class State implements ApiWorld, WriteObserver {
  readonly clock: Clock
  readonly journal: Journal
  readonly deliveries: Deliveries
  readonly changes: ChangeLog
  readonly onError: (error: unknown) => void
  readonly events: Emitter<StateEvents>
  readonly faults: Faults
  /** Shared by a simulator and its copies. */
  readonly texts: RowTexts
  /** Whose keys select which state: shared by a simulator and its sandboxes. */
  readonly keyOwners: KeyOwners<State>
  /** Of all that is kept of requests: shared by a simulator and its sandboxes. */
  readonly memory: Memory
  /** 0 for the state of a simulator, else the number of the sandbox. */
  readonly number: number
  /** What its requests belong to, such as a test. Null if it is not known. */
  name: string | null
  /** The settings of the next request. */
  settings: SettingValues
  /** Settings that a sweep changes, as they were: the usual key is chosen by them, since another one would hide the change. */
  unchanged: Partial<SettingValues> = {}
  /** The rows. Replaced as a whole by `replaceRows`. */
  tables: Tables
  initial: LoadedWorld
  initialSettings: SettingValues
  seed: number
  replaceCount = 0
  /** Takes what sentences for people read: responses do not depend on it. */
  readonly readsOfSentences = new SettingReads()
  /** Whether a request carries its operation out: rows that are written meanwhile are written by it. */
  isServing = false
  /** How many key values were generated since all rows were replaced. */
  issuedKeys = 0
  /** The memory of what was written since all rows were replaced. */
  #written = 0
  /** Those that a reset restores */
  startRows: SharedRows
  /** Those of the present rows that are not in `#written` */
  #rows: SharedRows
  #worldNow: string | undefined
  #throttle: Throttle | null = null
  #labels: KeyLabels | undefined

  constructor(options: StateOptions) {
    const { loaded, settings, clock, journal = {}, onError } = options
    const { number = 0, name = null, keyOwners } = options
    const { tables, seed, now } = loaded
    this.tables = forkTables(tables)
    this.initial = { tables, seed, now }
    this.#worldNow = now
    this.seed = seed
    this.texts = options.texts ?? new RowTexts()
    this.number = number
    this.name = name
    this.keyOwners = keyOwners ?? new KeyOwners<State>(this)
    this.initialSettings = settings
    this.settings = settings
    this.clock = clock
    this.onError = onError
    this.events = new Emitter(onError)
    this.memory = options.memory ?? new Memory(journal.bytes ?? 0)
    const register = (keeper: Keeper) => this.memory.register(this, keeper)
    this.startRows = this.#rows = options.rows ?? { bytes: 0, former: null, users: 0 }
    this.memory.share(this.#rows, 1)
    this.journal = new Journal(journal, register)
    this.deliveries = new Deliveries(this.journal)
    this.changes = new ChangeLog(this.journal.isOff, register)
    this.faults = new Faults(this)
    clock.follow(this)
    observeTables(this.tables, this)
  }

  /** The rows, the seed and the date of the world, without a copy. */
  get loaded(): LoadedWorld {
    const { tables, seed } = this
    return { tables, seed, now: this.#worldNow }
  }

  snapshot(): LoadedWorld {
    return { ...this.loaded, tables: forkTables(this.tables) }
  }

  /** Replaces all rows. The world never changes, and can be used any number of times. @param bytes of rows that it has alone */
  replaceRows(world: LoadedWorld, bytes?: number): void {
    const { tables, seed, now } = world
    const former = this.loaded
    this.replaceCount += 1
    this.seed = seed
    this.#worldNow = now
    this.issuedKeys = 0
    const copy = forkTables(tables)
    if (this.number > 0) addSandboxKeys(copy, this)
    this.tables = copy
    if (copy.keys.stamp !== former.tables.keys.stamp) {
      this.keyOwners.replace(this, former.tables.keys, copy.keys)
      this.#labels?.forget()
    }
    observeTables(copy, this)
    this.#throttle = null
    this.changes.addReplacement(former, world, world === this.initial ? 0 : bytes)
    this.#holdWritten(0)
    this.#have(this.startRows)
    this.events.emit('change')
  }

  /** Replaces all rows, and those that a reset restores. */
  replaceWorld(world: LoadedWorld): void {
    const rows = { bytes: sizeOfRows(world), former: null, users: 0 }
    // The world of a simulator takes the place of one, and sandboxes can be many.
    if (this.number === 0) this.memory.most += rows.bytes - this.startRows.bytes
    this.startRows = rows
    this.replaceRows(world, rows.bytes)
    this.initial = world
  }

  /** The present rows, for another world that starts with them. */
  shareRows(): SharedRows {
    if (this.#written > 0) {
      this.#have({ bytes: this.#written, former: this.#rows, users: 0 })
      this.#holdWritten(0)
    }
    return this.#rows
  }

  #have(rows: SharedRows) {
    this.memory.share(rows, 1)
    this.memory.share(this.#rows, -1)
    this.#rows = rows
  }

  /** Rows that are removed leave no room: a reset restores them. */
  #holdWritten(bytes: number) {
    this.memory.hold(this, Math.max(0, bytes) - Math.max(0, this.#written))
    this.#written = bytes
  }

  /** Continues with the rows, the settings and the clock of another state, to which `reset` returns from now on. */
  startLike(other: State): void {
    this.replaceWorld(other.snapshot())
    this.initialSettings = this.settings = other.settings
    this.clock.startLike(other.clock)
  }

  /** Sets the rows that a reset restores. @param tables never change */
  setInitial(tables: Tables): void {
    this.initial = { ...this.loaded, tables }
    this.changes.clear()
  }

  /**
   * Creates a state with other rows, which must never change. Settings and clock default to copies of those of this
   * state.
   *
   * @param isLikeStart whether they default to those that this state started with
   * @throws UsageError for an invalid option
   */
  fork(
    loaded: LoadedWorld,
    { seed, profile, settings: overrides = {}, clock }: ForkOptions = {},
    traits: StateTraits = {},
    isLikeStart = false,
  ): State {
    const current = isLikeStart ? this.initialSettings : this.settings
    const base = profile === undefined ? current : resolveSettings(profile)
    const forkClock = () => (isLikeStart ? this.clock.forkInitial() : this.clock.fork())
    return new State({
      loaded: { ...loaded, seed: seed ?? loaded.seed },
      settings: overrideSettings(base, overrides),
      clock: clock === undefined ? forkClock() : new Clock(clock),
      journal: this.journal.limits,
      onError: this.onError,
      texts: this.texts,
      ...traits,
    })
  }

  throttle(key: string): number {
    this.#throttle ??= new Throttle()
    return this.#throttle.countRequest(key, this.clock.now())
  }

  /** The keys that the world has or had, with their labels. */
  get labels(): KeyLabels {
    this.#labels ??= new KeyLabels(this)
    return this.#labels
  }

  noteWrite(list: ListName, before: object | undefined, after: object | undefined): void {
    if (list === 'keys') {
      this.keyOwners.write(this, before as KeyRow | undefined, after as KeyRow | undefined)
      if (after) this.#labels?.add(after as KeyRow)
    }
    const { isServing } = this
    const change = new RowChange(list, before, after, isServing)
    this.changes.addWrite(change)
    this.#holdWritten(this.#written + change.growth)
    // What listeners write is theirs.
    this.isServing = false
    this.events.emit('change')
    this.isServing = isServing
  }

  noteClockChange(from: ClockReading, to: ClockReading): void {
    this.changes.addClockChange(from, to)
  }

  /** Adds a request to the journal, and emits its response. @param parsed its body */
  addRecord(record: JournalRecord, parsed?: Call['parsed']): void {
    if (this.journal.isOff) return
    this.memory.use(this)
    this.journal.add(record)
    this.events.emit('response', record, parsed)
  }

  onChange(listener: () => void): () => void {
    return this.events.on('change', listener)
  }

  /** Masks a secret in this world, and in all sandboxes that are created later. */
  hide(secret: string): void {
    this.keyOwners.secrets.add(secret)
    this.#labels?.forget()
  }

  get isFull(): boolean {
    return this.memory.isFull
  }

  formerKey(value: string): string | undefined {
    return this.changes.formerKeys.get(value)
  }

  /** Whether a key selects another sandbox, or the simulator that this is a sandbox of. */
  isTakenElsewhere(key: string): boolean {
    return this.keyOwners.isTaken(key, this)
  }

  wasOfSandbox(key: string): boolean {
    return this.keyOwners.hadEnded(key)
  }

  close(): void {
    this.keyOwners.delete(this)
    this.faults.drop()
    // Before the journal is closed: its followers read the last entries.
    this.events.emit('close')
    this.events.clear()
    this.journal.close()
    this.changes.clear()
    this.memory.share(this.#rows, -1)
    this.memory.leave(this)
  }
}

type Listeners<Events extends Record<keyof Events, readonly unknown[]>> = {
  [Name in keyof Events]?: readonly ((...args: Events[Name]) => void)[]
}

/** Calls listeners of named events. @typeParam Events the arguments of each event */
class Emitter<Events extends Record<keyof Events, readonly unknown[]>> {
  readonly #onError: (error: unknown) => void
  #listeners: Listeners<Events> = {}

  /** @param onError called with exceptions of listeners: they never fail the code that emits */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** @returns a function that removes the listener */
  on<Name extends keyof Events>(name: Name, listener: (...args: Events[Name]) => void): () => void {
    this.#listeners[name] = (this.#listeners[name] ?? []).concat(listener)
    return () => {
      this.#listeners[name] = this.#listeners[name]?.filter((other) => other !== listener)
    }
  }

  emit<Name extends keyof Events>(name: Name, ...args: Events[Name]): void {
    for (const listener of this.#listeners[name] ?? []) {
      try {
        listener(...args)
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  count(name: keyof Events): number {
    return this.#listeners[name]?.length ?? 0
  }

  clear(): void {
    this.#listeners = {}
  }
}
