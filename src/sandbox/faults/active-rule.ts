import { randomFraction } from '../../utils/seeded-random.ts'
import type { RoutedRequest } from '../hooks.ts'
import { matchesRequest } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import type { PresetRule } from './fault-request.ts'
import {
  type FaultDelay,
  type FaultPhase,
  type FaultRule,
  mainEffect,
  phasesByEffect,
} from './rule.ts'

/** A rule that was added, with its counters. */
export class ActiveRule {
  readonly id: string
  readonly rule: FaultRule & { readonly phase: FaultPhase }
  readonly preset: string | null
  matched = 0
  applied = 0
  /** Seeds its random numbers, so that a rule behaves the same in each run and whatever other rules there are. */
  readonly #seedText: string
  /** How many requests were counted since the random numbers last restarted. */
  #draws = 0

  constructor(id: string, { rule, preset }: PresetRule) {
    this.id = id
    this.rule = { ...rule, phase: rule.phase ?? phasesByEffect[mainEffect(rule.effect)][0] }
    this.preset = preset
    this.#seedText = JSON.stringify(this.rule)
  }

  /** Whether the rule matches a request. Only reads can be stale. */
  matches(routed: RoutedRequest, sandbox: Pick<Sandbox, 'tables' | 'policyTracker'>): boolean {
    if (this.rule.effect.stale && !isReadMethod(routed.request.method)) return false
    return matchesRequest(this.rule, routed, sandbox)
  }

  /** Counts a matching request. @returns whether the rule applies to it by its `when` */
  countRequest(seed: number): boolean {
    this.matched += 1
    this.#draws += 1
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
    const { delay_ms } = this.rule.effect
    if (delay_ms === undefined) return 0
    return drawDelay(delay_ms, [this.#draw(seed, 'one'), this.#draw(seed, 'two')])
  }

  /** Repeats the random numbers from the first one on. The counters stay. */
  restartDraws(): void {
    this.#draws = 0
  }

  #draw(seed: number, purpose: string): number {
    return randomFraction(seed, `${purpose} ${this.#seedText}`, this.#draws)
  }
}

export function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The 95th percentile of the standard normal distribution. */
const normalP95 = 1.6448536269514722

/** The longest delay of a timer. */
const maxTimeout = 2 ** 31 - 1

/**
 * Draws a delay.
 *
 * @param random two numbers from 0 to 1
 * @returns milliseconds
 */
export function drawDelay(delay: FaultDelay, [first, second]: readonly [number, number]): number {
  if (typeof delay === 'number') return delay
  if ('min' in delay) return delay.min + (delay.max - delay.min) * first
  const { median, p95 } = delay
  const sigma = Math.log(p95 / median) / normalP95
  // Box-Muller transform: two uniform numbers give a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
  return Math.min(median * Math.exp(sigma * normal), maxTimeout)
}
