import { LimitError } from '../../utils/usage-error.ts'
import type { Stage } from '../pipeline.ts'
import type { Sandbox } from '../sandbox.ts'
import { ActiveFault } from './active-fault.ts'
import { applyFault } from './effects.ts'
import { type FaultRequest, parseFaultRequest } from './fault-request.ts'
import type { FaultInfo } from './rule.ts'

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
export class Faults {
  readonly #sandbox: Sandbox
  /** The latest first, which is the order of evaluation. */
  #active: readonly ActiveFault[] = []
  #lastNumber = 0
  /** The rules that `reset` adds again. */
  initial: readonly FaultRequest[] = []
  /** Whether delays and holds take no time, as in a replay: its steps wait for responses, and nothing else runs beside them. */
  skipsDelays = false

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
    sandbox.events.on('close', () => this.drop())
  }

  /**
   * Adds a rule, or the rules of a preset. New rules take precedence.
   *
   * @returns the added rules
   * @throws UsageError with every issue; then nothing is added
   * @throws LimitError if there would be more than 1,000 rules; then nothing is added
   */
  add(request: FaultRequest): FaultInfo[] {
    const rules = parseFaultRequest(request)
    if (this.#active.length + rules.length > maxRules) {
      throw new LimitError(
        `Failed to add a fault: there can be at most ${maxRules} rules. Remove some, or clear them all.`,
      )
    }
    const added = rules.map(
      (rule, index) => new ActiveFault(`fault-${this.#lastNumber + index + 1}`, rule),
    )
    this.#lastNumber += added.length
    this.#set([...added, ...this.#active])
    return added.map(({ info }) => info)
  }

  /** Lists the rules in the order of evaluation. */
  list(): FaultInfo[] {
    return this.#active.map(({ info }) => info)
  }

  /** Removes a rule. The requests that it holds go on. @returns false for an unknown id */
  remove(id: string): boolean {
    const removed = this.#active.find((fault) => fault.id === id)
    removed?.endHolds(true)
    this.#set(this.#active.filter((fault) => fault !== removed))
    return removed !== undefined
  }

  /** Removes all rules. The requests that they hold go on. Ids are not reused. */
  clear(): void {
    this.release()
    this.#set([])
  }

  /**
   * Lets the requests go on that are held. The rules stay.
   *
   * @internal
   */
  release(): void {
    for (const fault of this.#active) fault.endHolds(true)
  }

  /**
   * Breaks the connections of the requests that are held. Carried out, they would change the rows of the next test.
   *
   * @internal
   */
  drop(): void {
    for (const fault of this.#active) fault.endHolds(false)
  }

  /** Removes all rules, drops the requests that they hold, and adds the initial rules as new ones. */
  reset(): void {
    this.drop()
    this.clear()
    for (const request of this.initial) this.add(request)
  }

  #set(active: readonly ActiveFault[]): void {
    this.#active = active
    this.#sandbox.pipeline.use('faults', active.length === 0 ? null : this.#respond)
  }

  readonly #respond: Stage = (event, next) => {
    const sandbox = this.#sandbox
    const [fault] = this.#active.filter((each) => each.count(event, sandbox))
    if (!fault) return next(event)
    fault.applied += 1
    const { id, rule } = fault
    const { phase, effect } = rule
    event.record.fault = { id, phase, effect, effects: [] }
    const delay = this.skipsDelays ? 0 : fault.delay(sandbox.seed)
    const hold = this.skipsDelays ? async () => true : fault.hold.bind(fault)
    return applyFault({ phase, effect, delay, hold, event, next, sandbox })
  }
}
