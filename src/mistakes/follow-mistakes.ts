import type { Keeper } from '../simulator/journal/changes.ts'
import type { WrittenEntry } from '../simulator/journal/written-entry.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { LatestMap } from '../utils/latest-map.ts'
import { mergeFindings } from '../utils/reports/merge-findings.ts'
import { repeat } from '../utils/wait.ts'
import { type FinderOptions, MistakeFinder } from './mistake-finder.ts'
import type { ClientMistake } from './rule.ts'
import type { Address } from './seen-request.ts'

/** The mistakes that the journals of a simulator and its sandboxes show. */
export function mistakesOf(simulator: Simulator): ClientMistake[] {
  const mistakes: ClientMistake[] = []
  for (const [{ journal }, id] of simulator.worlds)
    mergeFindings(mistakes, journal.findMistakes(id))
  return mistakes
}

/**
 * Finds mistakes in the requests to a simulator and its sandboxes, while they happen: also in those that the journal no
 * longer has.
 */
export class MistakeFollower {
  /** One for all: there can be thousands of sandboxes */
  readonly #addresses = new LatestMap<string, Address>(1_000, 100_000)
  /** By the id of the sandbox. The one of the simulator itself has none */
  readonly #worlds = new Map<string | null, FollowedWorld>()
  readonly #ended: ClientMistake[] = []

  /** @param onRequest called after each request @param isTest whether all of them belong to one test */
  constructor(simulator: Simulator, onRequest: () => void = () => {}, isTest = false) {
    simulator.followWorlds((world, id) => {
      for (const [known, ended] of this.#worlds) {
        if (known === null || simulator.sandboxes.get(known)) continue
        ended.release()
        mergeFindings(this.#ended, ended.found)
        this.#worlds.delete(known)
      }
      const options = { addresses: this.#addresses, sandboxId: id, isTest }
      this.#worlds.set(id, new FollowedWorld(world, onRequest, options))
    })
  }

  get found(): ClientMistake[] {
    const mistakes = [...this.#ended]
    for (const world of this.#worlds.values()) mergeFindings(mistakes, world.found)
    return mistakes
  }

  /** Ends the collection: no earlier request has its response still to come. */
  finish(): ClientMistake[] {
    for (const world of this.#worlds.values()) world.release()
    return this.found
  }
}

/** Requests that were answered wait for those that arrived before them, but not more than these. */
const maxAhead = 100

/** The others go on when one keeps more bytes, and all of them if it keeps very many: what waits takes memory. */
const [maxWaiting, maxAlone] = [4_096, 2 ** 18]

/** The requests to a simulator or a sandbox, in the order in which they arrive. */
class FollowedWorld {
  readonly #finder: MistakeFinder
  /** Those that the rules have not seen: they see about a hundred in a row, away from the responses */
  #waiting: WrittenEntry[] = []
  /** The id of the entry that comes next */
  #next: number

  constructor({ journal, state }: Simulator, onRequest: () => void, options: FinderOptions) {
    const open = (keeper: Keeper) => state.memory.register(state, keeper)
    this.#finder = new MistakeFinder({ ...options, open })
    this.#next = state.journal.lastId + 1
    journal.followWritten(({ compact: entry }) => {
      const { keptBytes } = entry.record
      const isDue = this.#waiting.push(entry) >= 2 * maxAhead || keptBytes > maxWaiting
      if (isDue) this.release(keptBytes > maxAlone ? 0 : maxAhead)
      onRequest()
    })
  }

  get found(): ClientMistake[] {
    this.release(maxAhead)
    return this.#finder.found
  }

  /** Passes on the entries that come next, and the earliest of the others until so many are left. */
  release(left = 0): void {
    const entries = this.#waiting.sort((a, b) => a.record.id - b.record.id)
    let count = 0
    for (const entry of entries) {
      const { id } = entry.record
      if (id > this.#next && entries.length - count <= left) break
      this.#finder.add(entry)
      this.#next = Math.max(this.#next, id + 1)
      count += 1
    }
    this.#waiting = entries.slice(count)
  }
}

/** In milliseconds */
const turn = 250

/** Mistakes are printed after so many turns without a request: a later one can correct them. */
const quietTurns = 4

/** While requests keep arriving, mistakes are printed after this many turns. */
const maxTurns = 20

/** Tells each mistake soon after it has happened, but only the first note of each rule: it can be on purpose. */
export class LiveMistakes {
  readonly #follower: MistakeFollower
  readonly #tell: (mistake: ClientMistake) => void
  /** How many times each mistake was printed, by rule and message. Notes are counted by rule */
  readonly #told = new LatestMap<string, number>()
  /** Ends the wait for a quiet time. Null if nothing is left to tell */
  #stop: (() => void) | null = null
  #turns = 0
  #turnsSinceRequest = 0

  /** @param tell called with mistakes that are new, or have happened once more */
  constructor(simulator: Simulator, tell: (mistake: ClientMistake) => void) {
    this.#tell = tell
    this.#follower = new MistakeFollower(simulator, () => {
      this.#turnsSinceRequest = 0
      this.#stop ??= repeat(turn, () => this.#look())
    })
  }

  /** Tells what is left. @returns what was found, with the notes */
  finish(): ClientMistake[] {
    this.#stop?.()
    const mistakes = this.#follower.finish()
    this.#tellNew(mistakes)
    return mistakes
  }

  #look() {
    this.#turns += 1
    this.#turnsSinceRequest += 1
    if (this.#turnsSinceRequest < quietTurns && this.#turns < maxTurns) return
    this.#turns = 0
    this.#stop?.()
    this.#stop = null
    this.#tellNew(this.#follower.found)
  }

  #tellNew(mistakes: readonly ClientMistake[]) {
    for (const mistake of mistakes) {
      const { rule, message, level, times } = mistake
      const isNote = level === 'note'
      const name = isNote ? rule : `${rule} ${message}`
      const told = this.#told.get(name) ?? 0
      if (isNote ? told > 0 : times <= told) continue
      this.#told.set(name, times)
      this.#tell(mistake)
    }
  }
}
