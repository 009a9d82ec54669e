import { LimitError } from '../../utils/usage-error.ts'
import type { FaultHook, MatchedFault, RoutedRequest } from '../hooks.ts'
import { describePattern } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import { ActiveRule, unreachableRuleReason } from './active-rule.ts'
import { AppliedFault } from './applied-fault.ts'
import { type FaultRequest, parseFaultRequest } from './fault-request.ts'
import { respondMutated } from './mutated-response.ts'
import { type FaultInfo, mutationOf } from './rule.ts'
import { StaleReads } from './stale-reads.ts'

/** Each request is matched against every rule. */
const maxRules = 1_000

/**
 * The rules that inject faults into a sandbox. If several rules match, only the most recently added one applies, and
 * each of them counts the request. Restoring a snapshot keeps the rules and restarts their random numbers.
 *
 * @example
 * simulator.faults.add({ operation: 'createAnnotation', when: { times: 1 }, effect: { error: 'throttled' } })
 * simulator.faults.add({ preset: 'flaky' })
 */
export class Faults implements FaultHook {
  readonly #sandbox: Sandbox
  readonly #staleReads: StaleReads
  /** The latest first, which is the order of evaluation. */
  #rules: readonly ActiveRule[] = []
  #lastNumber = 0
  /** The rules that `reset` adds again. */
  initial: readonly FaultRequest[] = []

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.#staleReads = new StaleReads(sandbox)
  }

  /**
   * Adds a rule, or the rules of a preset. New rules take precedence.
   *
   * @returns the added rules. The `warning` of a rule says why it can never apply. It is also printed, once
   * @throws UsageError with every issue; then nothing is added
   * @throws LimitError if there would be more than 1,000 rules; then nothing is added
   */
  add(request: FaultRequest): FaultInfo[] {
    const added = this.#add(request).map((rule) => this.#toInfo(rule))
    for (const { id, warning, ...rule } of added) {
      if (warning !== null) this.#sandbox.warn(`${id} (${describePattern(rule)}): ${warning}`)
    }
    return added
  }

  #add(request: FaultRequest): readonly ActiveRule[] {
    const requested = parseFaultRequest(request)
    if (this.#rules.length + requested.length > maxRules) {
      throw new LimitError(
        `Failed to add a fault: there can be at most ${maxRules} rules. Remove some, or clear them all.`,
      )
    }
    const added = requested.map(
      (rule, index) => new ActiveRule(`fault-${this.#lastNumber + index + 1}`, rule),
    )
    this.#lastNumber += added.length
    this.#setRules([...added, ...this.#rules])
    return added
  }

  /** Lists the rules in the order of evaluation. */
  list(): FaultInfo[] {
    return this.#rules.map((rule) => this.#toInfo(rule))
  }

  /** Removes a rule. @returns false for an unknown id */
  remove(id: string): boolean {
    const remaining = this.#rules.filter((rule) => rule.id !== id)
    const isKnown = remaining.length < this.#rules.length
    this.#setRules(remaining)
    return isKnown
  }

  /** Removes all rules. Ids are not reused. */
  clear(): void {
    this.#setRules([])
  }

  /** Removes all rules, and adds the initial ones as new rules. */
  reset(): void {
    this.clear()
    for (const request of this.initial) this.#add(request)
  }

  /** Counts a request in each rule that matches it. @returns the fault that applies to it, or null */
  match(routed: RoutedRequest): MatchedFault | null {
    const matching = this.#rules.filter((rule) => rule.matches(routed, this.#sandbox))
    const canApply = ({ rule }: ActiveRule) => !rule.effect.stale || this.#staleReads.hasEarlierRows
    const counted = matching.filter((rule) => rule.countRequest(this.#sandbox))
    const active = counted.find(canApply)
    if (!active) return null
    active.applied += 1
    const writes = active.rule.effect.stale?.writes ?? 0
    const mutation = mutationOf(active.rule.effect)
    return new AppliedFault(
      active,
      active.delay(this.#sandbox.seed),
      () => this.#staleReads.contextBefore(writes),
      ({ runEndpoint }) =>
        mutation ? respondMutated(mutation, routed, this.#sandbox, runEndpoint) : runEndpoint(),
    )
  }

  #setRules(rules: readonly ActiveRule[]): void {
    this.#rules = rules
    this.#sandbox.faults = rules.length === 0 ? null : this
    const depths = rules.map(({ rule }) => rule.effect.stale?.writes ?? 0)
    this.#staleReads.setDepth(Math.max(0, ...depths))
  }

  #toInfo({ id, rule, preset, matched, applied }: ActiveRule): FaultInfo {
    const warning = unreachableRuleReason(rule, this.#sandbox)
    return structuredClone({ id, ...rule, preset, matched, applied, warning })
  }
}
