import { LimitError } from '../utils/usage-error.ts'
import { describePattern, type RequestPattern } from './request-pattern.ts'
import type { Sandbox } from './sandbox.ts'

/** A rule about the requests that follow. */
interface Rule {
  readonly id: string
  readonly pattern: RequestPattern
}

interface RuleListOptions<R, Info> {
  /** The first part of the ids */
  readonly kind: 'fault' | 'actor' | 'breakpoint'
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
export class RuleList<R extends Rule, Info extends { readonly warning: string | null }> {
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

  /** The number in the latest id. */
  get lastNumber(): number {
    return this.#lastNumber
  }

  /** Continues with saved rules, which have their ids. */
  resume(rules: readonly R[], lastNumber: number): void {
    this.#lastNumber = lastNumber
    this.#set(rules)
  }

  /** Ids are not reused. */
  clear(): void {
    this.#set([])
  }

  #set(rules: readonly R[]): void {
    this.#rules = rules
    this.#options.onChange()
    this.#sandbox.events.emit('setup')
  }
}
