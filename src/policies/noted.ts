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
export class NotedSettings {
  /** The settings themselves. */
  readonly plain: PolicySettings
  /** The same; what is read here is noted. */
  readonly settings: PolicySettings
  readonly #view: View

  constructor(plain: PolicySettings) {
    this.plain = plain
    this.#view = new View(policyIds.map((id) => plain[id]))
    this.settings = this.#view as unknown as PolicySettings
  }

  /** What was noted since the last time, as bits: two numbers are all that a request costs. */
  take(): Noted {
    const view = this.#view
    const noted: Noted = [view.first, view.second, view.third]
    view.first = 0
    view.second = 0
    view.third = 0
    return noted
  }
}

/** Which policies were read, a bit for each. */
export type Noted = readonly [number, number, number]

/** That none was. */
export const none: Noted = [0, 0, 0]

/** What either noted. */
export function union([a, b, c]: Noted, [d, e, f]: Noted): Noted {
  return [a | d, b | e, c | f]
}

/** The policies that were noted, in their usual order. */
export function policiesIn(noted: Noted): PolicyId[] {
  return policyIds.filter((_id, index) => {
    const word = noted[Math.floor(index / bitsPerWord)] ?? 0
    return (word & (1 << (index % bitsPerWord))) !== 0
  })
}

class View {
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
      Object.defineProperty(View.prototype, id, { get: getter(word, index, bit) })
    }
  }
}

function getter(word: number, index: number, bit: number): (this: View) => unknown {
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
