import type { World } from '../beginning.ts'
import { keyOf } from '../http/access.ts'
import type { Call } from '../http/call.ts'
import type { Route } from '../http/route.ts'
import { randomShare } from '../world/random.ts'
import type { Tables } from '../world/tables.ts'
import { drawDelay } from './delay.ts'
import { fitsPath } from './paths.ts'
import { mainEffect, phases } from './phases.ts'
import type { NamedRule } from './request.ts'
import type { FaultMethod, FaultPhase, FaultRule } from './rule.ts'

/** A request that faults may disturb. */
export interface Disturbable {
  readonly route: Route<World>
  readonly params: Readonly<Record<string, string>>
  readonly call: Call
}

/** A rule in force, and what it has counted. */
export class RunningRule {
  readonly id: string
  readonly rule: FaultRule & { readonly phase: FaultPhase }
  readonly preset: string | null
  matched = 0
  applied = 0
  /** What its dice are told by: the same rule falls the same in each run, whatever stands beside it. */
  readonly #name: string

  constructor(id: string, { rule, preset }: NamedRule) {
    this.id = id
    this.rule = { ...rule, phase: rule.phase ?? phases[mainEffect(rule.effect)][0] }
    this.preset = preset
    this.#name = JSON.stringify(this.rule)
  }

  /** Whether a request is one that the rule is about. */
  matches({ route, params, call }: Disturbable, keys: Tables['keys']): boolean {
    const { operation, method, path, key, effect } = this.rule
    if (operation !== undefined && operation !== route.endpoint.id) return false
    if (method !== undefined && !methodsOf(method).includes(call.method)) return false
    if (path !== undefined && !fitsPath(path, route.endpoint.path, (name) => params[name]))
      return false
    if (effect.stale && !isRead(call.method)) return false
    if (key === undefined) return true
    const value = keyOf(call)
    return value !== null && (value === key || keys.get(value)?.label === key)
  }

  /** Counts a request that it matches. @returns whether the rule would disturb it */
  count(seed: number): boolean {
    this.matched += 1
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

  #dice(seed: number, purpose: string): number {
    return randomShare(seed, `${purpose} ${this.#name}`, this.matched)
  }
}

export function methodsOf(method: FaultMethod | readonly FaultMethod[]): readonly string[] {
  return typeof method === 'string' ? [method] : method
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
