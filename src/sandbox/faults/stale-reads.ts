import { forkTables, type Tables } from '../../world/table/tables.ts'
import type { WriteCause } from '../history/history.ts'
import type { Sandbox } from '../sandbox.ts'

/**
 * The rows as they were after each of the latest writes: kept only while a rule asks for them, and no further back
 * than it asks. Keeping a state costs the same at any size.
 */
export class StaleTables {
  readonly #sandbox: Sandbox
  /** Oldest first; the last is how the rows are now. */
  #states: Tables[] = []
  #reach = 0
  #cause: WriteCause | null = null
  #stopWatching: (() => void) | null = null

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Keeps the states of so many writes; 0 keeps none. */
  setDepth(writes: number): void {
    this.#reach = writes
    if (writes === 0) this.#stop()
    else if (this.#stopWatching === null) this.#start()
    this.#trim()
  }

  /** The rows so many writes ago, or as far back as they are known. */
  tablesBefore(writes: number): Tables {
    return this.#states[Math.max(0, this.#states.length - 1 - writes)] ?? this.#sandbox.tables
  }

  #start(): void {
    this.#begin()
    this.#stopWatching = this.#sandbox.observers.add({
      rowWritten: () => this.#wrote(),
      // Rows that took the place of others have no past.
      rowsReplaced: () => this.#begin(),
    })
  }

  #stop(): void {
    this.#stopWatching?.()
    this.#stopWatching = null
    this.#states = []
  }

  #begin(): void {
    this.#states = [forkTables(this.#sandbox.tables)]
    this.#cause = null
  }

  /** All that one request writes is one write. */
  #wrote(): void {
    const { tables, history } = this.#sandbox
    if (isSameRequest(history.cause, this.#cause)) this.#states.pop()
    this.#states.push(forkTables(tables))
    this.#cause = history.cause
    this.#trim()
  }

  #trim(): void {
    this.#states.splice(0, Math.max(0, this.#states.length - 1 - this.#reach))
  }
}

function isSameRequest(one: WriteCause, other: WriteCause | null): boolean {
  return other !== null && 'entry' in one && 'entry' in other && one.entry === other.entry
}
