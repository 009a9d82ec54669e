import type { Simulator } from '../simulator/simulator.ts'
import { repeat } from '../utils/wait.ts'
import { MistakeFollower } from './follow-mistakes.ts'
import type { FoundMistakes } from './mistake-finder.ts'
import type { ClientMistake } from './rule.ts'

/** In milliseconds */
const turn = 250

/** Mistakes are told after so many turns without a request: a later one can correct them. */
const quietTurns = 4

/** While requests go on, mistakes are told after so many turns. */
const maxTurns = 20

/** Tells each mistake soon after it has happened, and of the notes the first of each rule: they can be on purpose. */
export class LiveMistakes {
  readonly #follower: MistakeFollower
  readonly #tell: (mistake: ClientMistake) => void
  /** By rule and message, of notes by rule: how many times were told */
  readonly #told = new Map<string, number>()
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
  finish(): FoundMistakes {
    this.#stop?.()
    const found = this.#follower.finish()
    this.#tellNew(found.mistakes)
    return found
  }

  #look(): void {
    this.#turns += 1
    this.#turnsSinceRequest += 1
    if (this.#turnsSinceRequest < quietTurns && this.#turns < maxTurns) return
    this.#turns = 0
    this.#stop?.()
    this.#stop = null
    this.#tellNew(this.#follower.found.mistakes)
  }

  #tellNew(mistakes: readonly ClientMistake[]): void {
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
