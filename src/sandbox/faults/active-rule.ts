import { pathItems } from '../../api/endpoints.ts'
import { randomFraction } from '../../utils/seeded-random.ts'
import type { RoutedRequest } from '../hooks.ts'
import { findEndpoint, matchesPath, matchesRequest, unmatchableReason } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import { defaultPhase } from './effects.ts'
import type { PresetRule } from './fault-request.ts'
import { unmutableReason } from './mutated-response.ts'
import { type FaultDelay, type FaultPhase, type FaultRule, mutationOf } from './rule.ts'

/** A rule that was added, with its counters. */
export class ActiveRule {
  readonly id: string
  readonly rule: FaultRule & { readonly phase: FaultPhase }
  readonly preset: string | null
  matched = 0
  applied = 0
  /** Seeds its random numbers, so that a rule behaves the same in each run and whatever other rules there are. */
  readonly #seedText: string
  /** How many requests were counted since all rows were last replaced. */
  #draws = 0
  #restoreCount = 0

  constructor(id: string, { rule, preset }: PresetRule) {
    this.id = id
    this.rule = { ...rule, phase: rule.phase ?? defaultPhase(rule.effect) }
    this.preset = preset
    this.#seedText = JSON.stringify(this.rule)
  }

  /** Whether the rule matches a request. Only reads can be stale. */
  matches(routed: RoutedRequest, sandbox: Sandbox): boolean {
    if (this.rule.effect.stale && !isReadMethod(routed.request.method)) return false
    return matchesRequest(this.rule, routed, sandbox)
  }

  /**
   * Counts a matching request. After all rows were replaced, the random numbers start over, so that the same requests
   * meet the same faults again.
   *
   * @returns whether the rule applies to it by its `when`
   */
  countRequest({ seed, restoreCount }: Pick<Sandbox, 'seed' | 'restoreCount'>): boolean {
    this.matched += 1
    this.#draws = restoreCount === this.#restoreCount ? this.#draws + 1 : 1
    this.#restoreCount = restoreCount
    const { skip = 0, every = 1, probability = 1, times } = this.rule.when ?? {}
    const count = this.matched - skip
    return (
      count > 0 &&
      count % every === 0 &&
      (probability === 1 || this.#draw(seed, 'when') < probability) &&
      (times === undefined || this.applied < times)
    )
  }

  /** Draws the delay of the latest counted request, in milliseconds. */
  delay(seed: number): number {
    const { effect } = this.rule
    const isSlow = mutationOf(effect)?.kind === 'slow'
    const { delay_ms = isSlow ? slowDelay : undefined } = effect
    if (delay_ms === undefined) return 0
    return drawDelay(delay_ms, [this.#draw(seed, 'one'), this.#draw(seed, 'two')])
  }

  #draw(seed: number, purpose: string): number {
    return randomFraction(seed, `${purpose} ${this.#seedText}`, this.#draws)
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
export function unreachableRuleReason(rule: FaultRule, sandbox: Sandbox): string | null {
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
  if (when?.times === 0) return 'when.times is 0.'
  if (when?.probability === 0) return 'when.probability is 0.'
  if (method === undefined) return null
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
