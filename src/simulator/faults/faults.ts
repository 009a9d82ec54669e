import type { Call } from '../../http/endpoint.ts'
import { LimitError, refuseFilter } from '../../utils/errors.ts'
import { randomFraction } from '../../utils/seeded-random.ts'
import { type OnAbort, wait } from '../../utils/wait.ts'
import { jsonSize, type Memory } from '../journal/changes.ts'
import type { FaultRecord } from '../journal/journal.ts'
import { maskPath } from '../journal/messages.ts'
import { matchesRequest } from '../request-pattern.ts'
import type { AppliedFault, FaultedState, WaitEnd } from './effects.ts'
import {
  defaultPhase,
  type FaultInfo,
  type FaultPhase,
  type FaultRule,
  type WaitingRequest,
} from './fault.ts'
import { type FaultRequest, type PresetRule, parseFaultRequest } from './schema.ts'

/** Each request is matched against every rule. */
export const maxRules = 1_000

/**
 * The rules that inject faults into one world. If several rules could apply, only the most recently added one does, and
 * each of them counts the request. Restoring a snapshot keeps the rules and restarts their random numbers.
 *
 * @example
 * simulator.faults.add({ operation: 'createAnnotation', when: { times: 1 }, effect: { error: 'throttled' } })
 * simulator.faults.add({ preset: 'flaky' })
 */
export class Faults {
  /** The rules, the latest first, which is the order of evaluation. @internal */
  active: readonly ActiveFault[] = []
  #lastNumber = 0
  /** The rules of each request, which `reset` adds again */
  #initial: readonly (readonly PresetRule[])[] = []
  #drops = 0
  #skipsDelays = false
  readonly #world: { readonly memory: Memory }

  /** @internal */
  constructor(world: { readonly memory: Memory }) {
    this.#world = world
  }

  /**
   * Adds a rule, or the rules of a preset. New rules take precedence.
   *
   * @returns the added rules
   * @throws UsageError with up to 100 issues; then nothing is added
   * @throws LimitError if there would be more than 1,000 rules that can still apply; then nothing is added
   */
  add(request: FaultRequest): FaultInfo[] {
    return this.#add(parseFaultRequest(request)).map(({ info }) => info)
  }

  /**
   * Adds rules that `reset` adds again, and that sandboxes start with which are created later.
   *
   * @throws UsageError with up to 100 issues
   * @internal
   */
  addInitial(requests: readonly FaultRequest[]): void {
    this.#addInitial(requests.map((request) => parseFaultRequest(request)))
  }

  /** Has the initial rules of another world and no others, also after a reset. @internal */
  startLike(other: Faults): void {
    this.clear()
    this.#initial = []
    this.#addInitial(other.#initial)
  }

  /** Lists the rules in the order of evaluation. @throws UsageError for an argument: it is no filter */
  list(...others: readonly undefined[]): FaultInfo[] {
    refuseFilter('the faults', others)
    return this.active.map(({ info }) => info)
  }

  /** Removes a rule. The requests that it holds or delays go on. @returns false for an unknown id */
  remove(id: string): boolean {
    const removed = this.active.find((fault) => fault.id === id)
    removed?.endWaits('released')
    this.#keep(this.active.filter((fault) => fault !== removed))
    return removed !== undefined
  }

  /** Removes all rules. The requests that they hold or delay go on. Ids are not reused. */
  clear(): void {
    this.release()
    this.#keep([])
  }

  /** Lets the requests go on that are held or delayed. The rules stay. @internal */
  release(): void {
    for (const fault of this.active) fault.endWaits('released')
  }

  /**
   * Lets the requests go on that are held or delayed, and holds and delays no other one: in a replay, whose steps wait for
   * responses, nothing else runs beside them.
   *
   * @internal
   */
  endWaits(): void {
    this.#skipsDelays = true
    this.release()
  }

  /**
   * Breaks the connections of the requests that are held or delayed. Carried out, they would change the rows of the next
   * test.
   *
   * @internal
   */
  drop(): void {
    this.#drops += 1
    for (const fault of this.active) fault.endWaits('dropped')
  }

  /** Removes all rules, drops the requests that wait, and adds the initial rules as new ones. */
  reset(): void {
    this.drop()
    this.clear()
    for (const rules of this.#initial) this.#add(rules)
  }

  #addInitial(initial: readonly (readonly PresetRule[])[]) {
    this.#initial = [...this.#initial, ...initial.map((rules) => this.#add(rules))]
  }

  #keep(active: readonly ActiveFault[]) {
    this.#world.memory.hold(this.#world, bytesOf(active) - bytesOf(this.active))
    this.active = active
  }

  #add(rules: readonly PresetRule[]) {
    const kept = withoutUsedUp(this.active, maxRules - rules.length)
    if (kept.length + rules.length > maxRules) {
      throw new LimitError(
        `Failed to add a fault: there can be at most ${maxRules} rules. Remove some, or clear them all.`,
      )
    }
    const added = rules.map(
      (rule, at) => new ActiveFault(`fault-${this.#lastNumber + at + 1}`, rule),
    )
    this.#lastNumber += added.length
    this.#keep([...added, ...kept])
    return added
  }

  /**
   * Counts a request for each rule that matches it.
   *
   * @param entry the id of its journal entry
   * @returns the fault that applies to it, or null
   * @internal
   */
  match(call: Call, entry: number, state: FaultedState): AppliedFault | null {
    // A replay can have a rule for each request. Nobody reads the counts of used-up rules, so it skips them.
    const rules = this.#skipsDelays ? this.active.filter((rule) => !rule.isUsedUp) : this.active
    const [fault] = rules.filter((rule) => rule.count(call, state))
    if (!fault) return null
    fault.countApplied(state)
    const { id, rule } = fault
    const { phase, effect } = rule
    const record: FaultRecord = { id, phase, effect, effects: [] }
    const drops = this.#drops
    const { releases } = fault
    const wait = async (milliseconds: number, onAbort?: OnAbort) => {
      // A body can stall after its fault was removed, if its client reads it late.
      if (drops !== this.#drops) return 'dropped'
      if (releases !== fault.releases) return 'released'
      const end = await fault.wait(call, entry, state, milliseconds, onAbort)
      // Released just before a reset, it would write into the rows of the next test.
      return drops === this.#drops ? end : 'dropped'
    }
    return { record, call, state, wait: this.#skipsDelays ? null : wait }
  }
}

/** Rules without the oldest ones that are used up, as many as are too many. @param rules the latest first */
function withoutUsedUp(rules: readonly ActiveFault[], most: number): readonly ActiveFault[] {
  const surplus = Math.max(0, rules.length - most)
  const usedUp = surplus === 0 ? [] : rules.filter((rule) => rule.isUsedUp).toReversed()
  const removed = new Set(usedUp.slice(0, surplus))
  return rules.filter((rule) => !removed.has(rule))
}

const bytesOf = (faults: readonly ActiveFault[]) =>
  faults.reduce((sum, { bytes }) => sum + bytes, 0)

/** A rule that was added, with its counters. It makes requests wait. */
class ActiveFault {
  readonly id: string
  #rule: (FaultRule & { readonly phase: FaultPhase }) | undefined
  readonly preset: string | null
  /** The memory of its text, and of the copy that is made of it. */
  readonly bytes: number
  releases = 0
  #matched = 0
  #applied = 0
  /** When it was applied first, by the clock: milliseconds since 1970 */
  #appliedAt: number | null = null
  /** Seeds its random numbers, so that a rule behaves the same in each run and whatever other rules there are. */
  readonly #seedText: string
  /** How many requests were counted since all rows were last replaced. */
  #draws = 0
  /** When it was counted last, by the number of replacements of all rows. */
  #replaceCount = 0
  /** The requests that it holds or delays, by what ends the wait of each. */
  readonly #waits = new Map<(end: WaitEnd) => void, () => WaitingRequest>()

  constructor(id: string, { rule, preset }: PresetRule) {
    this.id = id
    this.preset = preset
    this.#seedText = JSON.stringify({ ...rule, phase: rule.phase ?? defaultPhase(rule.effect) })
    this.bytes = this.#seedText.length + jsonSize(rule)
  }

  /** A copy, which is made for the first request. */
  get rule() {
    this.#rule ??= JSON.parse(this.#seedText) as FaultRule & { readonly phase: FaultPhase }
    return this.#rule
  }

  get info(): FaultInfo {
    const { id, preset } = this
    const counts = { matched: this.#matched, applied: this.#applied }
    const waiting = Array.from(this.#waits.values(), (describe) => describe())
    return { id, ...JSON.parse(this.#seedText), preset, ...counts, waiting }
  }

  /**
   * Counts a request if it matches. After all rows were replaced, the random numbers start over, so that the rule applies to
   * the same requests again.
   *
   * @returns whether the rule applies to it by its `when`
   */
  count(call: Call, state: FaultedState): boolean {
    if (!matchesRequest(this.rule, call)) return false
    const { replaceCount } = state
    this.#matched += 1
    this.#draws = replaceCount === this.#replaceCount ? this.#draws + 1 : 1
    this.#replaceCount = replaceCount
    const {
      skip = 0,
      every = 1,
      probability = 1,
      times = Number.POSITIVE_INFINITY,
      for_s = Number.POSITIVE_INFINITY,
    } = this.rule.when ?? {}
    const count = this.#matched - skip
    return (
      count > 0 &&
      count % every === 0 &&
      (probability === 1 || this.#draw(state) < probability) &&
      this.#applied < times &&
      (this.#appliedAt === null || state.clock.now() - this.#appliedAt < for_s * 1_000)
    )
  }

  /** Whether it can never apply again, and no request waits for it. */
  get isUsedUp(): boolean {
    const { times = Number.POSITIVE_INFINITY } = this.rule.when ?? {}
    return this.#applied >= times && this.#waits.size === 0
  }

  countApplied({ clock }: Pick<FaultedState, 'clock'>): void {
    this.#appliedAt ??= clock.now()
    this.#applied += 1
  }

  async wait(
    { request }: Call,
    id: number,
    state: FaultedState,
    milliseconds: number,
    onAbort?: OnAbort,
  ): Promise<WaitEnd> {
    const start = performance.now()
    const describe = (): WaitingRequest => ({
      id,
      method: request.method,
      path: maskPath(request.target, state.labels.redactor),
      ms: Math.round(performance.now() - start),
    })
    let how: WaitEnd = 'dropped'
    const isOver = await wait(milliseconds, (finish) => {
      const end = (by: WaitEnd) => {
        how = by
        finish()
      }
      this.#waits.set(end, describe)
      const stop = onAbort?.(finish)
      return () => {
        this.#waits.delete(end)
        stop?.()
      }
    })
    return isOver ? 'over' : how
  }

  endWaits(how: 'released' | 'dropped'): void {
    if (how === 'released') this.releases += 1
    for (const end of [...this.#waits.keys()]) end(how)
  }

  /**
   * A random number from 0 to 1 for the latest counted request. Sandboxes of the same seed differ: else each test with a
   * sandbox of its own would meet the same fault, or none.
   */
  #draw({ seed, number, name }: FaultedState) {
    const world = number === 0 ? '' : ` ${name ?? number}`
    return randomFraction(seed, `when ${this.#seedText}${world}`, this.#draws)
  }
}
