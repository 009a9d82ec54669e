import * as z from 'zod'
import { randomFraction } from '../utils/seeded-random.ts'
import type { Sandbox } from './sandbox.ts'

/** The matching requests that a rule applies to. All conditions must hold. */
export interface RuleWhen {
  /** Skips the first requests. */
  readonly skip?: number
  /** Applies to every nth request after the skipped ones: 3 is the third, the sixth, the ninth. */
  readonly every?: number
  /** From 0 to 1. Random, but reproducible: it depends on the seed, the rule and the number of the request. */
  readonly probability?: number
  /** Applies at most this many times. */
  readonly times?: number
}

/** The schema of `when`. */
export const whenSchema = z.strictObject({
  skip: z.int().min(0).optional(),
  every: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(0).optional(),
} satisfies Record<keyof RuleWhen, z.ZodType>)

/** Counts the requests that a rule matches, and decides by its `when` which of them it applies to. */
export class RuleCounter {
  matched = 0
  applied = 0
  readonly #when: RuleWhen
  /** Seeds its random numbers, so that a rule behaves the same in each run and whatever other rules there are. */
  readonly #seedText: string
  /** How many requests were counted since all rows were last replaced. */
  draws = 0
  /** When it was counted last, by the number of replacements of all rows */
  restoreCount = 0

  constructor(rule: { readonly when?: RuleWhen }) {
    this.#when = rule.when ?? {}
    this.#seedText = JSON.stringify(rule)
  }

  /**
   * Counts a matching request. After all rows were replaced, the random numbers start over, so that the rule applies to
   * the same requests again.
   *
   * @returns whether the rule applies to it by its `when`
   */
  countRequest({ seed, restoreCount }: Pick<Sandbox, 'seed' | 'restoreCount'>): boolean {
    this.matched += 1
    this.draws = restoreCount === this.restoreCount ? this.draws + 1 : 1
    this.restoreCount = restoreCount
    const { skip = 0, every = 1, probability = 1, times } = this.#when
    const count = this.matched - skip
    return (
      count > 0 &&
      count % every === 0 &&
      (probability === 1 || this.draw(seed, 'when') < probability) &&
      (times === undefined || this.applied < times)
    )
  }

  /** A random number from 0 to 1 for the latest counted request. */
  protected draw(seed: number, purpose: string): number {
    return randomFraction(seed, `${purpose} ${this.#seedText}`, this.draws)
  }
}

/** Explains why a rule with this `when` never applies. Null if it can. */
export function unmetCondition(when: RuleWhen | undefined): string | null {
  if (when?.times === 0) return 'when.times is 0.'
  return when?.probability === 0 ? 'when.probability is 0.' : null
}
