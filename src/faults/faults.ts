import type { WorldSandbox } from '../sandbox.ts'
import { LimitError } from '../usage-error.ts'
import type { AppliedFault } from './fault.ts'
import type { Asked } from './matching.ts'
import { PastStates } from './past-states.ts'
import { type FaultRequest, rulesOf } from './request.ts'
import type { FaultInfo } from './rule.ts'
import { RunningRule } from './running-rule.ts'
import { StruckFault } from './struck.ts'
import { warningOf } from './warning.ts'

/** Each of them is asked at each request. */
const mostRules = 1_000

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
  readonly #sandbox: WorldSandbox
  /** Kept for stale reads. */
  readonly #past: PastStates
  /** The latest first, which is the order in which they are asked. */
  #rules: readonly RunningRule[] = []
  #count = 0
  #stopWatching: (() => void) | null = null

  constructor(sandbox: WorldSandbox) {
    this.#sandbox = sandbox
    this.#past = new PastStates(sandbox)
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
    const rules = rulesOf(request)
    if (this.#rules.length + rules.length > mostRules) {
      throw new LimitError(
        `Failed to add a fault: expected at most ${mostRules} rules at once. Remove some, or clear them all.`,
      )
    }
    const added = rules.map((named, index) => {
      return new RunningRule(`fault-${this.#count + index + 1}`, named)
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
  take(request: Asked): AppliedFault | null {
    const { seed } = this.#sandbox
    const matching = this.#rules.filter((rule) => rule.matches(request, this.#sandbox))
    const [rule] = matching.filter((one) => one.count(seed))
    if (!rule) return null
    rule.applied += 1
    const { phase, effect } = rule.rule
    const past = () => this.#past.ago(effect.stale?.writes ?? 0)
    return new StruckFault({ id: rule.id, phase, effect, delay: rule.delay(seed), past })
  }

  #set(rules: readonly RunningRule[]): void {
    this.#rules = rules
    const furthest = Math.max(0, ...rules.map(({ rule }) => rule.effect.stale?.writes ?? 0))
    this.#past.reachBack(furthest)
    if (rules.length === 0) this.#stopWatching?.()
    this.#stopWatching = rules.length === 0 ? null : (this.#stopWatching ?? this.#watch())
  }

  /** With other rows in the place of all there were, the same requests meet the same faults again. */
  #watch(): () => void {
    const replaced = () => {
      for (const rule of this.#rules) rule.beginDice()
    }
    return this.#sandbox.watchers.add({ written: () => {}, replaced })
  }

  #show({ id, rule, preset, matched, applied }: RunningRule): FaultInfo {
    const { noted, tables } = this.#sandbox
    const warning = warningOf(rule, { settings: noted.plain, tables })
    return structuredClone({ id, ...rule, preset, matched, applied, warning })
  }
}
