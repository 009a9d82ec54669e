import { networkErrorResponse } from '../../http/messages.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { type OnAbort, wait } from '../../utils/wait.ts'
import { applyFault } from '../faults/effects.ts'
import type { RequestEvent, Respond, Stage } from '../pipeline.ts'
import { unmatchableReason } from '../request-pattern.ts'
import { Rule, RuleList, unmetCondition } from '../rule-list.ts'
import type { Sandbox } from '../sandbox.ts'
import {
  type BreakpointInfo,
  type BreakpointRequest,
  parseBreakpoint,
} from './breakpoint-request.ts'
import { HeldRequest } from './held-request.ts'

/** How many requests of a sandbox are held at once. Further ones pass. */
const maxHeld = 100

/**
 * Breakpoints hold the requests of a client, so that a test or a person can look at them first, and decide how they go on.
 * A held request blocks no other. If several breakpoints match, the one that was added first holds the request, and each of
 * them counts it.
 *
 * @example
 * const saving = simulator.breakpoints.next({ operation: 'createAnnotation' })
 * await button.click()
 * const held = await saving
 * expect(button.disabled).toBe(true)
 * held.continue()
 */
export class Breakpoints {
  readonly #sandbox: Sandbox
  readonly #list: RuleList<Rule<ParsedBreakpoint>, BreakpointInfo>
  /** By the ids of their journal entries. */
  readonly #held = new Map<number, HeldRequest>()
  /** What waits for the next request of a breakpoint. */
  readonly #waiting = new Map<string, Waiting>()
  /** Counts the changes of the breakpoints and of the requests that they hold. */
  version = 0

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.#list = new RuleList(sandbox, {
      kind: 'breakpoint',
      task: 'add a breakpoint',
      plural: 'breakpoints',
      newRules: 'last',
      toInfo: ({ id, pattern, matched, applied }: Rule<ParsedBreakpoint>) => {
        const reason = unmatchableReason(pattern, sandbox) ?? unmetCondition(pattern.when)
        const warning = reason && `It can never hold a request: ${reason}`
        return structuredClone({ id, ...pattern, matched, applied, warning })
      },
      onChange: () => this.#update(),
    })
    sandbox.events.on('close', () => this.reset())
  }

  /**
   * Adds a breakpoint. It holds each matching request, or those that `when` selects. With `when.times` it is removed when its
   * last request has ended.
   *
   * @returns the breakpoint. Its `warning` says why it can never hold a request. It is also printed, once
   * @throws UsageError with every issue; then nothing is added
   * @throws LimitError if there are 1,000 breakpoints; then nothing is added
   * @example simulator.breakpoints.add({ method: 'POST', timeout_ms: 5_000 })
   */
  add(request: BreakpointRequest): BreakpointInfo {
    const create = (id: string, parsed: ParsedBreakpoint) => new Rule(id, parsed, parsed.when)
    return this.#list.add([parseBreakpoint(request)], create)[0] as BreakpointInfo
  }

  /**
   * Holds the next matching request, or the one that `when` selects. Several calls hold one request after the other.
   *
   * @returns the request when it arrives. Rejects if the breakpoint is removed before
   * @throws UsageError as `add` does
   * @example (await simulator.breakpoints.next({ path: '/api/projects/1/annotations' })).continue()
   */
  next(request: BreakpointRequest = {}): Promise<HeldRequest> {
    const { id } = this.add({ ...request, when: { ...request.when, times: 1 } })
    const held = new Promise<HeldRequest>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
    })
    // A test that no longer waits for it must not fail.
    held.catch(() => {})
    return held
  }

  /** Lists the breakpoints in the order in which they were added. */
  list(): BreakpointInfo[] {
    return this.#list.list()
  }

  /** Lists the requests that are held, the oldest first. */
  held(): HeldRequest[] {
    return [...this.#held.values()]
  }

  /** Removes a breakpoint. The requests that it holds continue. @returns false for an unknown id */
  remove(id: string): boolean {
    const isKnown = this.#list.remove(id)
    this.#release([id], 'continued')
    return isKnown
  }

  /** Removes all breakpoints. The requests that they hold continue. Ids are not reused. */
  clear(): void {
    const ids = this.#list.rules.map(({ id }) => id)
    this.#list.clear()
    this.#release(ids, 'continued')
  }

  /**
   * Removes all breakpoints, and drops the requests that they hold: carried out, a request of a former test would change the
   * rows of the next one.
   */
  reset(): void {
    const ids = this.#list.rules.map(({ id }) => id)
    if (ids.length === 0) return
    this.#list.clear()
    this.#release(ids, 'reset')
  }

  /**
   * Waits until a condition is met, which is checked after each change.
   *
   * @param milliseconds the longest time to wait
   */
  async waitUntil(
    condition: () => boolean,
    milliseconds: number,
    onAbort?: OnAbort,
  ): Promise<void> {
    if (milliseconds === 0 || condition()) return
    const { events } = this.#sandbox
    await wait(milliseconds, (finish) => {
      const stops = [
        events.on('hold', () => condition() && finish()),
        events.on('close', finish),
        onAbort?.(finish),
      ]
      return () => {
        for (const stop of stops) stop?.()
      }
    })
  }

  #release(ids: readonly string[], outcome: 'continued' | 'reset'): void {
    for (const held of this.held()) {
      if (!ids.includes(held.breakpoint)) continue
      held.end(outcome === 'reset' ? { outcome, effect: { drop: true } } : { outcome })
    }
    const reason = outcome === 'reset' ? 'the sandbox was reset or ended' : 'it was removed'
    for (const id of ids) this.#disappoint(id, reason)
  }

  /** Rejects what waits for the next request of a breakpoint. */
  #disappoint(id: string, reason: string): void {
    this.#waiting.get(id)?.reject(new UsageError(`${id} held no request: ${reason}.`))
    this.#waiting.delete(id)
  }

  /** Removes a breakpoint after its last request. */
  #removeIfDone(id: string): void {
    const isHolding = this.held().some(({ breakpoint }) => breakpoint === id)
    const isDone = this.#list.rules.some((breakpoint) => breakpoint.id === id && breakpoint.isDone)
    if (isDone && !isHolding) this.#list.remove(id)
  }

  #update(): void {
    this.#sandbox.pipeline.use('breakpoints', this.#list.rules.length === 0 ? null : this.#respond)
    this.#notify()
  }

  #notify(): void {
    this.version += 1
    this.#sandbox.events.emit('hold')
  }

  readonly #respond: Stage = (event, next) => {
    const [breakpoint] = this.#list.count(event)
    if (!breakpoint) return next(event)
    breakpoint.applied += 1
    const { id, pattern } = breakpoint
    if (this.#held.size >= maxHeld) {
      event.record.breakpoint = { id, outcome: 'limit', held_ms: 0 }
      this.#disappoint(id, `${maxHeld} other requests were held when it arrived`)
      this.#removeIfDone(id)
      return next(event)
    }
    const held = new HeldRequest(
      event,
      { id, timeout: pattern.timeout_ms },
      this.#sandbox,
      this.#forget,
    )
    this.#held.set(held.id, held)
    const response = this.#hold(held, event, next)
    this.#waiting.get(id)?.resolve(held)
    this.#waiting.delete(id)
    this.#notify()
    return response
  }

  /** Called at the end of a hold, before the request goes on. */
  readonly #forget = ({ id, breakpoint }: HeldRequest): void => {
    this.#held.delete(id)
    this.#removeIfDone(breakpoint)
    this.#notify()
  }

  async #hold(held: HeldRequest, event: RequestEvent, next: Respond) {
    const { outcome, effect } = await held.wait()
    const sandbox = this.#sandbox
    if (outcome === 'disconnected') return networkErrorResponse
    if (!effect) return next(event)
    const contextBefore = () => sandbox
    return applyFault({ phase: 'before', effect, delay: 0, event, next, sandbox, contextBefore })
  }
}

interface Waiting {
  readonly resolve: (held: HeldRequest) => void
  readonly reject: (error: Error) => void
}

type ParsedBreakpoint = ReturnType<typeof parseBreakpoint>
