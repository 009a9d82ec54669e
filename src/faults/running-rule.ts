import type { Sandbox } from '../sandbox.ts'
import { randomFraction } from '../world/random.ts'
import { drawDelay } from './delay.ts'
import { matchesRequest, type RoutedRequest } from './matching.ts'
import { mainEffect, phasesByEffect } from './phases.ts'
import type { PresetRule } from './request.ts'
import type { FaultPhase, FaultRule } from './rule.ts'

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
  matches(asked: RoutedRequest, sandbox: Pick<Sandbox, 'tables' | 'noted'>): boolean {
    if (this.rule.effect.stale && !isReadMethod(asked.call.method)) return false
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
