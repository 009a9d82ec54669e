import { pathItems, type World } from '../../api/endpoints.ts'
import type { EndpointContext } from '../../http/endpoint.ts'
import { type OnAbort, wait } from '../../utils/wait.ts'
import { forkTables, type Tables } from '../../world/tables.ts'
import type { WriteCause } from '../history/history.ts'
import type { RequestEvent, Stage } from '../pipeline.ts'
import { findEndpoint, matchesPath, unmatchableReason } from '../request-pattern.ts'
import { Rule, RuleList, unmetCondition } from '../rule-list.ts'
import type { Sandbox } from '../sandbox.ts'
import { type AppliedFault, applyFault } from './effects.ts'
import { type FaultRequest, type PresetRule, parseFaultRequest } from './fault-request.ts'
import { isMutantName } from './mutant-name.ts'
import { unmutableReason } from './mutants.ts'
import {
  defaultPhase,
  type FaultDelay,
  type FaultInfo,
  type FaultPhase,
  type FaultRule,
  mutationOf,
} from './rule.ts'

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
  /**
   * The latest first, which is the order of evaluation.
   *
   * @internal
   */
  readonly rules: RuleList<ActiveRule, FaultInfo>
  readonly #staleReads: StaleReads
  /** The rules that `reset` adds again. */
  initial: readonly FaultRequest[] = []
  /** The rules after the last reset. */
  atReset: readonly { readonly id: string }[] = []
  /** Whether delays and holds take no time, as in a replay: its steps wait for responses, and nothing else runs beside them. */
  skipsDelays = false

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.#staleReads = new StaleReads(sandbox)
    this.rules = new RuleList(sandbox, {
      kind: 'fault',
      task: 'add a fault',
      plural: 'rules',
      newRules: 'first',
      toInfo: ({ id, pattern, preset, matched, applied, waiting }: ActiveRule) => {
        // A mutant is about all operations that return its row: some of them may be off.
        const warning = isMutantName(preset) ? null : unreachableRuleReason(pattern, sandbox)
        const held = pattern.effect.hold && { waiting }
        return structuredClone({ id, ...pattern, preset, matched, applied, ...held, warning })
      },
      onChange: () => this.#update(),
    })
    sandbox.events.on('close', () => this.drop())
  }

  /**
   * Adds a rule, or the rules of a preset. New rules take precedence.
   *
   * @returns the added rules. The `warning` of a rule says why it can never apply. It is also printed, once
   * @throws UsageError with every issue; then nothing is added
   * @throws LimitError if there would be more than 1,000 rules; then nothing is added
   */
  add(request: FaultRequest): FaultInfo[] {
    return this.rules.add(parseFaultRequest(request), createRule)
  }

  /** Lists the rules in the order of evaluation. */
  list(): FaultInfo[] {
    return this.rules.list()
  }

  /** Removes a rule. The requests that it holds go on. @returns false for an unknown id */
  remove(id: string): boolean {
    this.rules.rules.find((rule) => rule.id === id)?.endHolds(true)
    return this.rules.remove(id)
  }

  /** Removes all rules. The requests that they hold go on. Ids are not reused. */
  clear(): void {
    this.release()
    this.rules.clear()
  }

  /**
   * Lets the requests go on that are held. The rules stay.
   *
   * @internal
   */
  release(): void {
    for (const rule of this.rules.rules) rule.endHolds(true)
  }

  /**
   * Breaks the connections of the requests that are held. Carried out, they would change the rows of the next test.
   *
   * @internal
   */
  drop(): void {
    for (const rule of this.rules.rules) rule.endHolds(false)
  }

  /** Removes all rules, drops the requests that they hold, and adds the initial rules as new ones. */
  reset(): void {
    this.drop()
    this.clear()
    for (const request of this.initial) {
      this.rules.add(parseFaultRequest(request), createRule, true)
    }
    this.atReset = this.rules.rules
  }

  #update(): void {
    const { rules } = this.rules
    this.#sandbox.pipeline.use('faults', rules.length === 0 ? null : this.#respond)
    const depths = rules.map(({ pattern }) => pattern.effect.stale?.writes ?? 0)
    this.#staleReads.setDepth(Math.max(0, ...depths))
  }

  readonly #respond: Stage = (event, next) => {
    const sandbox = this.#sandbox
    const canApply = ({ pattern }: ActiveRule) =>
      !pattern.effect.stale || this.#staleReads.hasEarlierRows
    const active = this.rules.count(event).find(canApply)
    if (!active) return next(event)
    active.applied += 1
    const { id, pattern } = active
    const { phase, effect } = pattern
    event.record.fault = { id, phase, effect, effects: [] }
    const delay = this.skipsDelays ? 0 : active.delay(sandbox.seed)
    const contextBefore = (writes: number) => this.#staleReads.contextBefore(writes)
    const hold: AppliedFault['hold'] = this.skipsDelays
      ? async () => true
      : active.hold.bind(active)
    return applyFault({ phase, effect, delay, hold, event, next, sandbox, contextBefore })
  }
}

const createRule = (id: string, rule: PresetRule): ActiveRule => new ActiveRule(id, rule)

/** A rule that was added, with its counters. */
export class ActiveRule extends Rule<FaultRule & { readonly phase: FaultPhase }> {
  readonly preset: string | null
  /** Ends the wait of each request that it holds. */
  readonly #holds = new Set<(goesOn: boolean) => void>()

  constructor(id: string, { rule, preset }: PresetRule) {
    super(id, { ...rule, phase: rule.phase ?? defaultPhase(rule.effect) }, rule.when)
    this.preset = preset
  }

  /** Whether the rule matches a request. Only reads can be stale. */
  override matches(event: RequestEvent, sandbox: Sandbox): boolean {
    if (this.pattern.effect.stale && !isReadMethod(event.request.method)) return false
    return super.matches(event, sandbox)
  }

  /** How many requests it holds. */
  get waiting(): number {
    return this.#holds.size
  }

  /** Holds a request, at most so many milliseconds. @returns whether it goes on */
  async hold(milliseconds: number, onAbort?: OnAbort): Promise<boolean> {
    let isReleased = false
    const isOver = await wait(milliseconds, (finish) => {
      const end = (goesOn: boolean): void => {
        isReleased = goesOn
        finish()
      }
      this.#holds.add(end)
      const stop = onAbort?.(finish)
      return () => {
        this.#holds.delete(end)
        stop?.()
      }
    })
    return isOver || isReleased
  }

  /** Ends the wait of the requests that it holds. */
  endHolds(goesOn: boolean): void {
    for (const end of [...this.#holds]) end(goesOn)
  }

  /** Draws the delay of the latest counted request, in milliseconds. */
  delay(seed: number): number {
    const { effect } = this.pattern
    const isSlow = mutationOf(effect)?.kind === 'slow'
    const { delay_ms = isSlow ? slowDelay : undefined } = effect
    if (delay_ms === undefined) return 0
    return drawDelay(delay_ms, [this.draw(seed, 'one'), this.draw(seed, 'two')])
  }
}

function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The 95th percentile of the standard normal distribution. */
const normalP95 = 1.6448536269514722

/** The delay of the mutation `slow`, in milliseconds. */
const slowDelay = 2_000

/** The longest delay of a timer. */
const maxTimeout = 2 ** 31 - 1

/** Draws a delay, in milliseconds. @param random two numbers from 0 to 1 */
export function drawDelay(delay: FaultDelay, [first, second]: readonly [number, number]): number {
  if (typeof delay === 'number') return delay
  if ('min' in delay) return delay.min + (delay.max - delay.min) * first
  const { median, p95 } = delay
  const sigma = Math.log(p95 / median) / normalP95
  // Box-Muller transform: two uniform numbers give a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
  return Math.min(median * Math.exp(sigma * normal), maxTimeout)
}

/** Explains why a rule can never apply in a sandbox as it is now. Returns null if it can. */
function unreachableRuleReason(rule: FaultRule, sandbox: Sandbox): string | null {
  const reason =
    unmatchableReason(rule, sandbox) ??
    neverAppliesReason(rule) ??
    unmutableReason(rule, sandbox.policyTracker.untracked)
  return reason ? `It can never apply: ${reason}` : unknownMethodReason(rule)
}

function neverAppliesReason({ operation, method, when, phase, effect }: FaultRule): string | null {
  const endpoint = findEndpoint(operation)
  if (endpoint && effect.stale && !isReadMethod(endpoint.method)) {
    return `${operation} is not a read, and only reads can be stale.`
  }
  const never = unmetCondition(when)
  if (never !== null || method === undefined) return never
  const methods = [method].flat()
  if (effect.stale && !methods.some(isReadMethod)) return 'only reads can be stale.'
  const isHead = phase === 'mid-body' && methods.every((one) => one === 'HEAD')
  return isHead ? 'responses to HEAD have no body.' : null
}

function unknownMethodReason({ path, method }: FaultRule): string | null {
  if (path === undefined || method === undefined) return null
  const methods: string[] = pathItems
    .filter(({ pattern }) => matchesPath(path, pattern.text))
    .flatMap(({ endpoints }) => endpoints.map((endpoint) => endpoint.method))
  const known = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])]
  if ([method].flat().some((one) => known.includes(one))) return null
  return `It only matches requests that are rejected: the methods of ${path} are ${methods.join(', ')}.`
}

/** The rows after each of the latest writes, for stale reads. Storing a state takes constant time. */
class StaleReads {
  readonly #sandbox: Sandbox
  /** The oldest first. The last state is the current one. */
  #states: Tables[] = []
  #depth = 0
  /** The cause of the latest write. */
  #lastCause: WriteCause | null = null
  #stops: readonly (() => void)[] = []

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Stores the states of this many writes from now on. 0 stops storing. */
  setDepth(writes: number): void {
    this.#depth = writes
    if (writes === 0) {
      for (const stop of this.#stops) stop()
      this.#stops = []
      this.#states = []
    } else if (this.#stops.length === 0) {
      const { events } = this.#sandbox
      this.#restart()
      // Replaced rows have no earlier state.
      this.#stops = [
        events.on('write', () => this.#addState()),
        events.on('replace', () => this.#restart()),
      ]
    }
    this.#trim()
  }

  /** Whether a write came after the first stored state. Until then, a read cannot be stale. */
  get hasEarlierRows(): boolean {
    return this.#states.length > 1
  }

  /**
   * A context with the rows before the latest writes, or the oldest known ones. Keys, projects and policies are the
   * current ones.
   */
  contextBefore(writes: number): EndpointContext<World> {
    const sandbox = this.#sandbox
    const { settings, directory, report } = sandbox
    const tables = this.#states[Math.max(0, this.#states.length - 1 - writes)] ?? sandbox.tables
    const copy = sandbox.fork({ ...sandbox.loaded, tables: forkTables(tables) })
    // The policies that the copy reads are tracked for this request.
    copy.policyTracker = sandbox.policyTracker
    const throttle = (key: string) => sandbox.throttle(key)
    return { settings, directory, world: copy.world, throttle, report }
  }

  #restart(): void {
    this.#states = [forkTables(this.#sandbox.tables)]
    this.#lastCause = null
  }

  /** All writes of one request count as one write. */
  #addState(): void {
    const { tables, history } = this.#sandbox
    if (isSameRequest(history.cause, this.#lastCause)) this.#states.pop()
    this.#states.push(forkTables(tables))
    this.#lastCause = history.cause
    this.#trim()
  }

  #trim(): void {
    this.#states.splice(0, Math.max(0, this.#states.length - 1 - this.#depth))
  }
}

function isSameRequest(one: WriteCause, other: WriteCause | null): boolean {
  return other !== null && 'entry' in one && 'entry' in other && one.entry === other.entry
}
