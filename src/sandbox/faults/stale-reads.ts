import { forkTables, type Tables } from '../../world/table/tables.ts'
import type { WriteCause } from '../history/history.ts'
import type { Sandbox } from '../sandbox.ts'

/** The rows after each of the latest writes, for stale reads. Storing a state takes constant time. */
export class StaleTables {
  readonly #sandbox: Sandbox
  /** The oldest first. The last state is the current one. */
  #states: Tables[] = []
  #depth = 0
  /** The cause of the latest write. */
  #lastCause: WriteCause | null = null
  #stopObserving: (() => void) | null = null

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Stores the states of this many writes from now on. 0 stops storing. */
  setDepth(writes: number): void {
    this.#depth = writes
    if (writes === 0) this.#stop()
    else if (this.#stopObserving === null) this.#start()
    this.#trim()
  }

  /** The rows before the latest writes, or the oldest known ones. */
  tablesBefore(writes: number): Tables {
    return this.#states[Math.max(0, this.#states.length - 1 - writes)] ?? this.#sandbox.tables
  }

  #start(): void {
    this.#restart()
    this.#stopObserving = this.#sandbox.observers.add({
      rowWritten: () => this.#addState(),
      // Replaced rows have no earlier state.
      rowsReplaced: () => this.#restart(),
    })
  }

  #stop(): void {
    this.#stopObserving?.()
    this.#stopObserving = null
    this.#states = []
  }

  #restart(): void {
    this.#states = [forkTables(this.#sandbox.tables)]
    this.#lastCause = null
  }

  /** All writes of one request count as one write. */
  #addState(): void {
    const { tables, history } = this.#sandbox
    if (isSameRequest(history.cause, this.#lastCause)) this.#states.pop()
    this.#states.push(forkTables(tables))
    this.#lastCause = history.cause
    this.#trim()
  }

  #trim(): void {
    this.#states.splice(0, Math.max(0, this.#states.length - 1 - this.#depth))
  }
}

function isSameRequest(one: WriteCause, other: WriteCause | null): boolean {
  return other !== null && 'entry' in one && 'entry' in other && one.entry === other.entry
}
