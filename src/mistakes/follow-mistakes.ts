import type { WrittenEntry } from '../simulator/journal/written-entry.ts'
import type { Keeper } from '../simulator/memory.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { mergeFindings } from '../utils/reports/merge-findings.ts'
import { type FoundMistakes, MistakeFinder } from './mistake-finder.ts'

/**
 * Finds mistakes in the requests to a simulator and its sandboxes, while they happen: also in those that the journal no
 * longer has.
 */
export class MistakeFollower {
  /** By the id of the sandbox. The one of the simulator itself has none */
  readonly #worlds = new Map<string | null, FollowedWorld>()
  readonly #ended: FoundMistakes = { mistakes: [], not_checked: {} }

  /** @param onRequest called after each request @param isTest whether all of them belong to one test */
  constructor(simulator: Simulator, onRequest: () => void = () => {}, isTest = false) {
    simulator.followWorlds((world, id) => {
      for (const [known, ended] of this.#worlds) {
        if (known === null || simulator.sandboxes.get(known)) continue
        ended.release()
        ended.addTo(this.#ended)
        this.#worlds.delete(known)
      }
      this.#worlds.set(id, new FollowedWorld(id, world, onRequest, isTest))
    })
  }

  /** What is found so far. */
  get found(): FoundMistakes {
    const { mistakes, not_checked } = this.#ended
    const findings = { mistakes: [...mistakes], not_checked: { ...not_checked } }
    for (const world of this.#worlds.values()) world.addTo(findings)
    return findings
  }

  /** Ends the collection: no earlier request has its response still to come. */
  finish(): FoundMistakes {
    for (const world of this.#worlds.values()) world.release()
    return this.found
  }
}

/** Requests that were answered wait for those that arrived before them, but not more than these. */
const maxAhead = 100

/** The requests to a simulator or a sandbox, in the order in which they arrive. */
class FollowedWorld {
  readonly #finder: MistakeFinder
  /** By the id of the entry: those that were answered before one that arrived earlier */
  readonly #ahead = new Map<number, WrittenEntry>()
  /** The id of the entry that comes next */
  #next: number

  constructor(
    id: string | null,
    { journal, state }: Simulator,
    onRequest: () => void,
    isTest: boolean,
  ) {
    const open = (keeper: Keeper) => state.memory.open(state, keeper)
    this.#finder = new MistakeFinder({ sandboxId: id, isTest, open })
    this.#next = state.journal.lastId + 1
    journal.followWritten(({ short: entry }) => {
      const { id } = entry.record
      if (id === this.#next && this.#ahead.size === 0) this.#see(entry)
      else this.#ahead.set(id, entry)
      this.release(maxAhead)
      onRequest()
    })
  }

  addTo(findings: FoundMistakes): void {
    const { mistakes, not_checked } = this.#finder.found
    mergeFindings(findings.mistakes, mistakes)
    for (const [rule, count] of Object.entries(not_checked)) {
      findings.not_checked[rule] = (findings.not_checked[rule] ?? 0) + count
    }
  }

  /** Passes on the entries that come next, and the earliest of the others until so many are left. */
  release(left = 0): void {
    while (this.#ahead.has(this.#next) || this.#ahead.size > left) {
      const id = this.#ahead.has(this.#next) ? this.#next : Math.min(...this.#ahead.keys())
      this.#see(this.#ahead.get(id) as WrittenEntry)
      this.#ahead.delete(id)
    }
  }

  #see(entry: WrittenEntry): void {
    this.#finder.add(entry)
    this.#next = Math.max(this.#next, entry.record.id + 1)
  }
}
