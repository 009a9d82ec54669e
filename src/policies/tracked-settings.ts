import { type PolicyId, type PolicySettings, policyIds } from './policies.ts'

const bitsPerWord = 30

/**
 * The settings of a sandbox, which note what is read of them: that tells which policies an answer came from.
 *
 * @example
 * const noted = new NotedSettings(settle())
 * noted.settings['lists.limit.maximum']
 * policiesIn(noted.read()) // ['lists.limit.maximum']
 */
export class TrackedSettings {
  /** The settings themselves. */
  readonly untracked: PolicySettings
  /** The same; what is read here is noted. */
  readonly settings: PolicySettings
  readonly #view: TrackingView

  constructor(plain: PolicySettings) {
    this.untracked = plain
    this.#view = new TrackingView(policyIds.map((id) => plain[id]))
    this.settings = this.#view as unknown as PolicySettings
  }

  /** What was noted since the last time, as bits: a few numbers are all that a request costs. */
  takeReads(): PolicyReads {
    const view = this.#view
    const noted = new PolicyReads(view.first, view.second, view.third)
    view.first = 0
    view.second = 0
    view.third = 0
    return noted
  }
}

/** Which policies were read, a bit for each. */
export class PolicyReads {
  readonly first: number
  readonly second: number
  readonly third: number

  constructor(first: number, second: number, third: number) {
    this.first = first
    this.second = second
    this.third = third
  }

  /** What either noted. */
  or({ first, second, third }: PolicyReads): PolicyReads {
    return new PolicyReads(this.first | first, this.second | second, this.third | third)
  }
}

/** The policies that were noted, in their usual order. */
export function listReadPolicies({ first, second, third }: PolicyReads): PolicyId[] {
  const words = [first, second, third]
  return policyIds.filter((_id, index) => {
    const word = words[Math.floor(index / bitsPerWord)] ?? 0
    return (word & (1 << (index % bitsPerWord))) !== 0
  })
}

class TrackingView {
  first = 0
  second = 0
  third = 0
  readonly values: readonly unknown[]

  constructor(values: readonly unknown[]) {
    this.values = values
  }

  // One getter for each policy. Those of a word share their code, which keeps them quick.
  static {
    for (const [index, id] of policyIds.entries()) {
      const bit = 1 << (index % bitsPerWord)
      const word = Math.floor(index / bitsPerWord)
      Object.defineProperty(TrackingView.prototype, id, { get: getter(word, index, bit) })
    }
  }
}

function getter(word: number, index: number, bit: number): (this: TrackingView) => unknown {
  if (word === 0) {
    return function (): unknown {
      this.first |= bit
      return this.values[index]
    }
  }
  if (word === 1) {
    return function (): unknown {
      this.second |= bit
      return this.values[index]
    }
  }
  return function (): unknown {
    this.third |= bit
    return this.values[index]
  }
}
