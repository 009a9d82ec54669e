import { LimitError } from '../../utils/usage-error.ts'
import type { MatchedFault, RoutedRequest } from '../hooks.ts'
import type { Sandbox } from '../sandbox.ts'
import { ActiveRule } from './active-rule.ts'
import { AppliedFault } from './applied-fault.ts'
import { type FaultRequest, parseFaultRequest } from './fault-request.ts'
import type { FaultInfo } from './rule.ts'
import { StaleTables } from './stale-reads.ts'
import { unreachableRuleReason } from './unreachable-rule.ts'

/** Each of them is asked at each request. */
const maxRules = 1_000

/**
 * The rules that disturb answers in a sandbox. Each counts the requests that it matches; of those that would
 * disturb a request, the one added last does. Resetting the world leaves them as they are;
 * chance begins anew with it.
 *
 * @example
 * simulator.faults.add({ operation: 'createAnnotation', when: { times: 1 }, effect: { error: 'throttled' } })
 * simulator.faults.add({ preset: 'flaky' })
 */
export class Faults {
  readonly #sandbox: Sandbox
  /** Kept for stale reads. */
  readonly #past: StaleTables
  /** The latest first, which is the order in which they are asked. */
  #rules: readonly ActiveRule[] = []
  #count = 0
  #stopWatching: (() => void) | null = null

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.#past = new StaleTables(sandbox)
  }

  /** Whether there is no rule, which is what most requests find. */
  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /**
   * Adds a rule, or the rules of a preset, before those that are there.
   *
   * @returns what was added; a rule that can never apply says so in its `warning`
   * @throws UsageError with every mistake, LimitError for one too many; then nothing is added
   */
  add(request: FaultRequest): FaultInfo[] {
    const rules = parseFaultRequest(request)
    if (this.#rules.length + rules.length > maxRules) {
      throw new LimitError(
        `Failed to add a fault: expected at most ${maxRules} rules at once. Remove some, or clear them all.`,
      )
    }
    const added = rules.map((named, index) => {
      return new ActiveRule(`fault-${this.#count + index + 1}`, named)
    })
    this.#count += added.length
    this.#set([...added, ...this.#rules])
    return added.map((rule) => this.#show(rule))
  }

  /** The rules in force, in the order in which they are asked. */
  list(): FaultInfo[] {
    return this.#rules.map((rule) => this.#show(rule))
  }

  /** Ends a rule; false when there is none of that id. */
  remove(id: string): boolean {
    const left = this.#rules.filter((rule) => rule.id !== id)
    const isFound = left.length < this.#rules.length
    this.#set(left)
    return isFound
  }

  /** Ends all rules. */
  clear(): void {
    this.#set([])
  }

  /** The fault that disturbs a request, if one does; every rule that matches the request counts it. */
  match(request: RoutedRequest): MatchedFault | null {
    const { seed } = this.#sandbox
    const matching = this.#rules.filter((rule) => rule.matches(request, this.#sandbox))
    const [rule] = matching.filter((one) => one.countRequest(seed))
    if (!rule) return null
    rule.applied += 1
    const { phase, effect } = rule.rule
    const past = () => this.#past.tablesBefore(effect.stale?.writes ?? 0)
    return new AppliedFault({
      id: rule.id,
      phase,
      effect,
      delay: rule.delay(seed),
      staleTables: past,
    })
  }

  #set(rules: readonly ActiveRule[]): void {
    this.#rules = rules
    const furthest = Math.max(0, ...rules.map(({ rule }) => rule.effect.stale?.writes ?? 0))
    this.#past.setDepth(furthest)
    if (rules.length === 0) this.#stopWatching?.()
    this.#stopWatching = rules.length === 0 ? null : (this.#stopWatching ?? this.#watch())
  }

  /** With other rows in the place of all there were, the same requests meet the same faults again. */
  #watch(): () => void {
    const replaced = () => {
      for (const rule of this.#rules) rule.resetDice()
    }
    return this.#sandbox.observers.add({ rowWritten: () => {}, rowsReplaced: replaced })
  }

  #show({ id, rule, preset, matched, applied }: ActiveRule): FaultInfo {
    const { policyTracker, tables } = this.#sandbox
    const warning = unreachableRuleReason(rule, { settings: policyTracker.untracked, tables })
    return structuredClone({ id, ...rule, preset, matched, applied, warning })
  }
}
