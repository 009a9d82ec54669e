import * as z from 'zod'
import { randomFraction } from '../utils/seeded-random.ts'
import { LimitError } from '../utils/usage-error.ts'
import type { RequestEvent } from './pipeline.ts'
import { describePattern, matchesRequest, type RequestPattern } from './request-pattern.ts'
import type { Sandbox } from './sandbox.ts'

interface RuleListOptions<R, Info> {
  /** The first part of the ids */
  readonly kind: 'fault'
  /** Completes "Failed to …" */
  readonly task: string
  readonly plural: string
  readonly newRules: 'first' | 'last'
  readonly toInfo: (rule: R) => Info
  /** Called after rules were added or removed. */
  readonly onChange: () => void
}

/** Each request is matched against every rule. */
const maxRules = 1_000

/**
 * The rules of a sandbox about the requests that follow: their ids, their limit and their warnings.
 *
 * @typeParam R a rule with its counters
 * @typeParam Info a rule as it is listed
 */
export class RuleList<
  R extends Rule<RequestPattern>,
  Info extends { readonly warning: string | null },
> {
  readonly #sandbox: Sandbox
  readonly #options: RuleListOptions<R, Info>
  #rules: readonly R[] = []
  #lastNumber = 0

  constructor(sandbox: Sandbox, options: RuleListOptions<R, Info>) {
    this.#sandbox = sandbox
    this.#options = options
  }

  get rules(): readonly R[] {
    return this.#rules
  }

  /**
   * Adds a rule for each request, with new ids.
   *
   * @param isSilent whether to print no warnings
   * @throws LimitError if there would be more than 1,000 rules; then nothing is added
   */
  add<T>(requests: readonly T[], create: (id: string, request: T) => R, isSilent = false): Info[] {
    const { kind, task, plural, newRules, toInfo } = this.#options
    if (this.#rules.length + requests.length > maxRules) {
      throw new LimitError(
        `Failed to ${task}: there can be at most ${maxRules} ${plural}. Remove some, or clear them all.`,
      )
    }
    const added = requests.map((request, index) =>
      create(`${kind}-${this.#lastNumber + index + 1}`, request),
    )
    this.#lastNumber += added.length
    this.#set(newRules === 'first' ? [...added, ...this.#rules] : [...this.#rules, ...added])
    const infos = added.map(toInfo)
    for (const [index, { warning }] of infos.entries()) {
      if (warning === null || isSilent) continue
      const { id, pattern } = added[index] as R
      this.#sandbox.warn(`${id} (${describePattern(pattern)}): ${warning}`)
    }
    return infos
  }

  /** Counts a request in each rule that matches it. @returns those that apply to it by their `when` */
  count(event: RequestEvent): R[] {
    const sandbox = this.#sandbox
    const matching = this.#rules.filter((rule) => rule.matches(event, sandbox))
    return matching.filter((rule) => rule.countRequest(sandbox))
  }

  list(): Info[] {
    return this.#rules.map(this.#options.toInfo)
  }

  /** @returns false for an unknown id */
  remove(id: string): boolean {
    const remaining = this.#rules.filter((rule) => rule.id !== id)
    const isKnown = remaining.length < this.#rules.length
    this.#set(remaining)
    return isKnown
  }

  /** Ids are not reused. */
  clear(): void {
    this.#set([])
  }

  #set(rules: readonly R[]): void {
    this.#rules = rules
    this.#options.onChange()
  }
}

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

/**
 * A rule about the requests that follow. It counts those that match its pattern, and decides by its `when` which of them it
 * applies to.
 *
 * @typeParam Pattern the rule as it was requested
 */
export class Rule<Pattern extends RequestPattern> {
  readonly id: string
  readonly pattern: Pattern
  matched = 0
  applied = 0
  readonly #when: RuleWhen
  /** Seeds its random numbers, so that a rule behaves the same in each run and whatever other rules there are. */
  readonly #seedText: string
  /** How many requests were counted since all rows were last replaced. */
  draws = 0
  /** When it was counted last, by the number of replacements of all rows */
  restoreCount = 0

  constructor(id: string, pattern: Pattern, when: RuleWhen = {}) {
    this.id = id
    this.pattern = pattern
    this.#when = when
    this.#seedText = JSON.stringify(pattern)
  }

  /** Whether it applies to no further request. */
  get isDone(): boolean {
    return this.applied >= (this.#when.times ?? Number.POSITIVE_INFINITY)
  }

  matches(event: RequestEvent, sandbox: Sandbox): boolean {
    return matchesRequest(this.pattern, event, sandbox)
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
    const { skip = 0, every = 1, probability = 1 } = this.#when
    const count = this.matched - skip
    return (
      count > 0 &&
      count % every === 0 &&
      (probability === 1 || this.draw(seed, 'when') < probability) &&
      !this.isDone
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
