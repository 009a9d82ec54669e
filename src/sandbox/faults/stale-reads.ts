import type { World } from '../../api/endpoints.ts'
import type { EndpointContext } from '../../http/endpoint.ts'
import { forkTables, type Tables } from '../../world/table/tables.ts'
import type { WriteCause } from '../history/history.ts'
import type { Sandbox } from '../sandbox.ts'

/** The rows after each of the latest writes, for stale reads. Storing a state takes constant time. */
export class StaleReads {
  readonly #sandbox: Sandbox
  /** The oldest first. The last state is the current one. */
  #states: Tables[] = []
  #depth = 0
  /** The cause of the latest write. */
  #lastCause: WriteCause | null = null
  #stops: readonly (() => void)[] = []

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Stores the states of this many writes from now on. 0 stops storing. */
  setDepth(writes: number): void {
    this.#depth = writes
    if (writes === 0) {
      for (const stop of this.#stops) stop()
      this.#stops = []
      this.#states = []
    } else if (this.#stops.length === 0) {
      const { events } = this.#sandbox
      this.#restart()
      // Replaced rows have no earlier state.
      this.#stops = [
        events.on('write', () => this.#addState()),
        events.on('replace', () => this.#restart()),
      ]
    }
    this.#trim()
  }

  /** Whether a write came after the first stored state. Until then, a read cannot be stale. */
  get hasEarlierRows(): boolean {
    return this.#states.length > 1
  }

  /**
   * A context with the rows before the latest writes, or the oldest known ones. Keys, projects and policies are the
   * current ones.
   */
  contextBefore(writes: number): EndpointContext<World> {
    const sandbox = this.#sandbox
    const { settings, directory, report } = sandbox
    const tables = this.#states[Math.max(0, this.#states.length - 1 - writes)] ?? sandbox.tables
    const copy = sandbox.fork({ ...sandbox.loaded, tables: forkTables(tables) })
    // The policies that the copy reads are tracked for this request.
    copy.policyTracker = sandbox.policyTracker
    const throttle = (key: string) => sandbox.throttle(key)
    return { settings, directory, world: copy.world, throttle, report }
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
