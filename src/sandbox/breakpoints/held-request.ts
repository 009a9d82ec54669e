import { bodyLength } from '../../http/messages.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { wait } from '../../utils/wait.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { FaultEffect } from '../faults/rule.ts'
import type { HoldOutcome, JournalMessage, MaskedKey } from '../journal/entry.ts'
import { renderRequest } from '../journal/render-parts.ts'
import { documentedOperation, Renderer } from '../journal/renderer.ts'
import type { RequestEvent } from '../pipeline.ts'
import type { Sandbox } from '../sandbox.ts'
import {
  type FulfilledResponse,
  type HeldRequestInfo,
  parseChanges,
  parseFulfilled,
  type RequestChanges,
} from './breakpoint-request.ts'
import { type EditedRequest, editRequest } from './edit-request.ts'

/** How a hold ended, and what becomes of the request. */
interface HoldEnd {
  readonly outcome: HoldOutcome
  readonly edited?: EditedRequest
  /** The fault that takes the place of the service */
  readonly effect?: FaultEffect
}

/** Larger bodies are omitted when a held request is shown, in bytes. */
const maxShownBody = 256 * 1024

/**
 * A request that waits at a breakpoint. It ends once: with `continue`, `fulfill` or `drop`, or by itself when its time is
 * over or when the client disconnects.
 *
 * @example
 * const held = await simulator.breakpoints.next({ operation: 'createAnnotation' })
 * held.request.body // { content: 'Launch' }
 * held.fulfill({ status: 503 })
 */
export class HeldRequest implements Omit<HeldRequestInfo, 'remaining_ms'> {
  readonly id: number
  readonly breakpoint: string
  readonly at: string
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly key: MaskedKey | null
  readonly request: JournalMessage
  readonly #event: RequestEvent
  readonly #sandbox: Sandbox
  readonly #start = performance.now()
  readonly #timeout: number
  readonly #onEnd: (held: HeldRequest) => void
  #end: HoldEnd | null = null
  #finish: (() => void) | null = null

  constructor(
    event: RequestEvent,
    breakpoint: { readonly id: string; readonly timeout: number },
    sandbox: Sandbox,
    onEnd: (held: HeldRequest) => void,
  ) {
    const renderer = new Renderer(sandbox)
    const { record, request } = event
    // The journal sets it again when the request is complete. Until then, a key in the body is found by it.
    record.requestBody = request.body
    const shown =
      (bodyLength(request.body) ?? 0) > maxShownBody
        ? { omitted: bodyLength(request.body) as number }
        : request.body
    const { requestHeaders } = record
    this.id = record.id
    this.breakpoint = breakpoint.id
    this.at = formatIsoTime(record.at)
    this.operation = documentedOperation(record)
    this.method = record.method
    this.path = renderer.path(record)
    this.query = renderer.query(record)
    this.key = renderer.key(record)
    this.request = renderRequest({ requestHeaders, requestBody: shown }, renderer.redactor).message
    this.#event = event
    this.#sandbox = sandbox
    this.#timeout = breakpoint.timeout
    this.#onEnd = onEnd
  }

  /** The time until it continues by itself, in milliseconds. 0 if it has ended. */
  get remaining_ms(): number {
    const remaining = this.#timeout - (performance.now() - this.#start)
    return this.#end ? 0 : Math.max(0, Math.round(remaining))
  }

  /**
   * Lets the request go on: to the faults, then to the service.
   *
   * @param changes the parts to replace. By default the request stays as it is
   * @throws UsageError for invalid changes, and for a path that no operation has; then the request is still held
   * @throws UsageError if the request has ended
   * @example held.continue({ body: { content: 'Edited' } })
   */
  continue(changes: RequestChanges = {}): void {
    this.#checkOpen('continue')
    const parsed = parseChanges(changes)
    // Untracked, since the response depends only on what is read when the request is carried out.
    const { untracked } = this.#sandbox.policyTracker
    const edited = editRequest(this.#event.request, parsed, untracked)
    const isEdited = Object.keys(edited.sent).length > 0
    this.end(isEdited ? { outcome: 'edited', edited } : { outcome: 'continued' })
  }

  /**
   * Responds in place of the service. The request is not carried out.
   *
   * @throws UsageError for an invalid response; then the request is still held
   * @throws UsageError if the request has ended
   * @example held.fulfill({ status: 409, body: { detail: 'Taken.' } })
   */
  fulfill(response: FulfilledResponse = {}): void {
    this.#checkOpen('fulfill')
    this.end({ outcome: 'fulfilled', effect: parseFulfilled(response) })
  }

  /** Breaks the connection. The request is not carried out. @throws UsageError if the request has ended */
  drop(): void {
    this.#checkOpen('drop')
    this.end({ outcome: 'dropped', effect: { drop: true } })
  }

  /** The request as JSON, for the control API. */
  toJSON(): HeldRequestInfo {
    const { id, breakpoint, at, remaining_ms, operation, method, path, query, key, request } = this
    return { id, breakpoint, at, remaining_ms, operation, method, path, query, key, request }
  }

  /**
   * Waits until the hold ends, then replaces the request if it was edited. Called once.
   *
   * @internal
   */
  async wait(): Promise<HoldEnd> {
    const { request, record } = this.#event
    const hasPassed = await wait(this.#timeout, (finish) => {
      this.#finish = finish
      if (this.#end) finish()
      return request.onAbort?.(() => this.end({ outcome: 'disconnected' })) ?? (() => {})
    })
    if (hasPassed) this.end({ outcome: 'timeout' })
    const end = this.#end as HoldEnd
    const { outcome, edited, effect } = end
    record.breakpoint = {
      id: this.breakpoint,
      outcome,
      held_ms: Math.round(performance.now() - this.#start),
      ...(edited && { sent: edited.sent }),
    }
    if (effect) record.fault = { id: this.breakpoint, phase: 'before', effect, effects: [] }
    if (edited) this.#replaceRequest(edited)
    return end
  }

  /**
   * Ends the hold, unless it has ended already.
   *
   * @internal
   */
  end(end: HoldEnd): void {
    if (this.#end) return
    this.#end = end
    this.#onEnd(this)
    this.#finish?.()
  }

  #replaceRequest({ route, request }: EditedRequest): void {
    const { record } = this.#event
    Object.assign(this.#event, { route, request })
    Object.assign(record, {
      operation: route.endpoint.id,
      method: request.method,
      target: request.target,
      requestHeaders: request.headers,
    })
  }

  #checkOpen(task: string): void {
    if (!this.#end) return
    const { outcome } = this.#end
    throw new UsageError(
      `Failed to ${task} the request: it has ended already (${outcome}). A held request ends once.`,
    )
  }
}
