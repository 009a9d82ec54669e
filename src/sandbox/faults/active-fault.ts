import { randomFraction } from '../../utils/seeded-random.ts'
import { type OnAbort, wait } from '../../utils/wait.ts'
import type { RequestEvent } from '../pipeline.ts'
import { matchesRequest } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import type { PresetRule } from './fault-request.ts'
import { defaultPhase, type FaultInfo, type FaultPhase, type FaultRule } from './rule.ts'

/**
 * A rule that was added. It counts the requests that match its pattern, decides by its `when` which of them it applies to,
 * and holds requests.
 */
export class ActiveFault {
  readonly id: string
  readonly rule: FaultRule & { readonly phase: FaultPhase }
  readonly preset: string | null
  matched = 0
  applied = 0
  /** Seeds its random numbers, so that a rule behaves the same in each run and whatever other rules there are. */
  readonly #seedText: string
  /** How many requests were counted since all rows were last replaced. */
  #draws = 0
  /** When it was counted last, by the number of replacements of all rows. */
  #restoreCount = 0
  /** Ends the wait of each request that it holds. */
  readonly #holds = new Set<(goesOn: boolean) => void>()

  constructor(id: string, { rule, preset }: PresetRule) {
    this.id = id
    this.rule = { ...rule, phase: rule.phase ?? defaultPhase(rule.effect) }
    this.preset = preset
    this.#seedText = JSON.stringify(this.rule)
  }

  get info(): FaultInfo {
    const { id, rule, preset, matched, applied } = this
    const waiting = rule.effect.hold && { waiting: this.#holds.size }
    return structuredClone({ id, ...rule, preset, matched, applied, ...waiting })
  }

  /**
   * Counts a request if it matches. After all rows were replaced, the random numbers start over, so that the rule applies to
   * the same requests again.
   *
   * @returns whether the rule applies to it by its `when`
   */
  count(event: RequestEvent, sandbox: Sandbox): boolean {
    if (!matchesRequest(this.rule, event, sandbox)) return false
    const { seed, restoreCount } = sandbox
    this.matched += 1
    this.#draws = restoreCount === this.#restoreCount ? this.#draws + 1 : 1
    this.#restoreCount = restoreCount
    const {
      skip = 0,
      every = 1,
      probability = 1,
      times = Number.POSITIVE_INFINITY,
    } = this.rule.when ?? {}
    const count = this.matched - skip
    return (
      count > 0 &&
      count % every === 0 &&
      (probability === 1 || this.#draw(seed, 'when') < probability) &&
      this.applied < times
    )
  }

  /** Draws the delay of the latest counted request, in milliseconds. */
  delay(seed: number): number {
    const { delay_ms = 0 } = this.rule.effect
    if (typeof delay_ms === 'number') return delay_ms
    return delay_ms.min + (delay_ms.max - delay_ms.min) * this.#draw(seed, 'delay')
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

  /** A random number from 0 to 1 for the latest counted request. */
  #draw(seed: number, purpose: string): number {
    return randomFraction(seed, `${purpose} ${this.#seedText}`, this.#draws)
  }
}
