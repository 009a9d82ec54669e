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

/** A rule in force, and what it has counted. */
export class ActiveRule {
  readonly id: string
  readonly rule: FaultRule & { readonly phase: FaultPhase }
  readonly preset: string | null
  matched = 0
  applied = 0
  /** What its dice are told by: the same rule falls the same in each run, whatever stands beside it. */
  readonly #name: string
  /** How many requests it has counted since the dice began. */
  #throws = 0

  constructor(id: string, { rule, preset }: PresetRule) {
    this.id = id
    this.rule = { ...rule, phase: rule.phase ?? phasesByEffect[mainEffect(rule.effect)][0] }
    this.preset = preset
    this.#name = JSON.stringify(this.rule)
  }

  /** Whether a request is one that the rule is about. */
  matches(asked: RoutedRequest, sandbox: Pick<Sandbox, 'tables' | 'policyTracker'>): boolean {
    if (this.rule.effect.stale && !isReadMethod(asked.request.method)) return false
    return matchesRequest(this.rule, asked, sandbox)
  }

  /** Counts a request that it matches. @returns whether the rule would disturb it */
  countRequest(seed: number): boolean {
    this.matched += 1
    this.#throws += 1
    const { skip = 0, every = 1, probability = 1, times } = this.rule.when ?? {}
    const after = this.matched - skip
    return (
      after > 0 &&
      after % every === 0 &&
      (probability === 1 || this.#dice(seed, 'when') < probability) &&
      (times === undefined || this.applied < times)
    )
  }

  /** How long the request that was counted last is held up, in milliseconds. */
  delay(seed: number): number {
    const { delay_ms } = this.rule.effect
    if (delay_ms === undefined) return 0
    return drawDelay(delay_ms, [this.#dice(seed, 'one'), this.#dice(seed, 'two')])
  }

  /** Its dice fall again as they did from the first request on; what it has counted stays. */
  resetDice(): void {
    this.#throws = 0
  }

  #dice(seed: number, purpose: string): number {
    return randomFraction(seed, `${purpose} ${this.#name}`, this.#throws)
  }
}

export function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** How far the 95th percentile of the normal distribution is from its middle. */
const p95OfNormal = 1.6448536269514722

/** Timers take no more. */
const maxTimeout = 2 ** 31 - 1

/**
 * A delay drawn by dice.
 *
 * @param dice two numbers from 0 to 1
 * @returns milliseconds
 */
export function drawDelay(delay: FaultDelay, [first, second]: readonly [number, number]): number {
  if (typeof delay === 'number') return delay
  if ('min' in delay) return delay.min + (delay.max - delay.min) * first
  const { median, p95 } = delay
  const sigma = Math.log(p95 / median) / p95OfNormal
  // Box and Muller: two even numbers make a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
  return Math.min(median * Math.exp(sigma * normal), maxTimeout)
}
