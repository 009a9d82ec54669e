import type { PolicyId, PolicySettings } from './policies.ts'
import { policyIds } from './setting-ranges.ts'

const bitsPerWord = 30

/** Settings that record which policies are read, so that the journal can list the policies of a response. */
export class TrackedSettings {
  /** The same settings, for reads that are not recorded. */
  readonly untracked: PolicySettings
  readonly settings: PolicySettings
  readonly #view: TrackingView

  constructor(settings: PolicySettings) {
    this.untracked = settings
    this.#view = new TrackingView(policyIds.map((id) => settings[id]))
    this.settings = this.#view as unknown as PolicySettings
  }

  /** Returns the reads since the last call, as bits: a request costs only a few integers. */
  takeReads(): PolicyReads {
    const view = this.#view
    const reads = new PolicyReads(view.first, view.second, view.third)
    view.first = 0
    view.second = 0
    view.third = 0
    return reads
  }
}

export class PolicyReads {
  readonly first: number
  readonly second: number
  readonly third: number

  constructor(first: number, second: number, third: number) {
    this.first = first
    this.second = second
    this.third = third
  }

  or({ first, second, third }: PolicyReads): PolicyReads {
    return new PolicyReads(this.first | first, this.second | second, this.third | third)
  }
}

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

  // One getter per policy. The getters of a word share their code, which engines optimize.
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
