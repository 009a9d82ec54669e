import { endpoints, type World } from '../../api/endpoints.ts'
import { resolvePath } from '../../api/find-route.ts'
import { type ApiRequest, bodyLength, bodyText, isOmitted } from '../../http/messages.ts'
import type { ResolvedRoute } from '../../http/route.ts'
import { suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath, queryString, requestTarget } from '../../http/url.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { issuesError } from '../../utils/issues.ts'
import { toJsonText } from '../../utils/json.ts'
import { UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import { wait } from '../../utils/wait.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { FaultEffect } from '../faults/rule.ts'
import type {
  HoldOutcome,
  JournalMessage,
  JournalSentRequest,
  MaskedKey,
} from '../journal/entry.ts'
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

/** How a hold ended, and what becomes of the request. */
interface HoldEnd {
  readonly outcome: HoldOutcome
  readonly edited?: Edit
  /** The fault that takes the place of the service */
  readonly effect?: FaultEffect
}

/** An edited request with its route, and what the client sent instead. */
type Edit = Pick<RequestEvent, 'route' | 'request'> & {
  /** Empty if the changes change nothing */
  readonly sent: JournalSentRequest
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

  #replaceRequest({ route, request }: Edit): void {
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

/** The journal stores the body that a client sent, beside the edited one, up to this length in bytes. */
const maxSentBody = 16_384

/**
 * Replaces parts of a request. The API serves the new one as if the client had sent it, in the same sandbox.
 *
 * @throws UsageError for a path that no operation has under these policies
 */
function editRequest(
  original: ApiRequest,
  changes: RequestChanges,
  settings: PolicySettings,
): Edit {
  const oldTarget = requestTarget(original.url)
  const { method = original.method } = changes
  const path =
    changes.path === undefined
      ? withQuery(apiPath(pathOf(oldTarget)), original.query)
      : encodePath(changes.path)
  const route = findEnabledRoute(method, path, settings)
  const headers = new Headers([...original.headers.entries()])
  for (const [name, value] of Object.entries(changes.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  const body = changes.body === undefined ? original.body : encodeBody(changes.body)
  if (changes.body !== undefined) {
    const names = Object.keys(changes.headers ?? {}).map((name) => name.toLowerCase())
    const isTyped = typeof changes.body === 'string' || names.includes('content-type')
    if (!isTyped) headers.set('content-type', 'application/json')
    headers.delete('transfer-encoding')
    if (body === null) headers.delete('content-length')
    else headers.set('content-length', String(bodyLength(body)))
  }
  const isChanged = (changes.method ?? changes.body) !== undefined
  if (isChanged && /^(?:GET|HEAD)$/.test(method) && (bodyLength(body) ?? 0) > 0) {
    throw bodyError(method, body)
  }
  const limit = route.endpoint.bodyLimit ?? settings['limits.body']
  const request: ApiRequest = {
    method,
    url: original.url.slice(0, original.url.indexOf(oldTarget)) + replacePath(oldTarget, path),
    target: replacePath(original.target, path),
    query: queryString(path),
    headers,
    body: body instanceof Uint8Array && body.length > limit ? { omitted: body.length } : body,
    ...(original.onAbort && { onAbort: original.onAbort.bind(original) }),
  }
  return { route, request, sent: findSent(original, request) }
}

/** No client sends a body with GET: `fetch` refuses to. */
function bodyError(method: string, body: ApiRequest['body']): UsageError {
  const text = `expected none with ${method}, got ${bodyLength(body)} bytes. Set body to "" to send none.`
  return issuesError('Failed to continue the request.', [{ path: ['body'], text }])
}

function findEnabledRoute(
  method: string,
  path: string,
  settings: PolicySettings,
): ResolvedRoute<World> {
  const route = resolvePath(method, path, settings)
  if (route) return route
  const expected = 'a path of the API that its policies enable'
  const [nearest] = suggestEndpoints(method, pathOf(path), endpoints, settings)
  throw unexpectedValue('continue the request', expected, path, nearest?.route, 'path')
}

/** The parts in which two requests differ, as the client sent them. */
function findSent(
  original: ApiRequest,
  { method, target, headers, body }: ApiRequest,
): JournalSentRequest {
  const names = new Set([...original.headers.entries(), ...headers.entries()].map(([name]) => name))
  const changed = [...names]
    .map((name) => [name, original.headers.get(name)] as const)
    // It follows from the body.
    .filter(([name, value]) => value !== headers.get(name) && name !== 'content-length')
  return {
    ...(method !== original.method && { method: original.method }),
    ...(target !== original.target && { path: original.target }),
    ...(changed.length > 0 && { headers: Object.fromEntries(changed) }),
    ...(body !== original.body &&
      !isSameBody(body, original.body) && { body: sentBody(original.body) }),
  }
}

function isSameBody(one: ApiRequest['body'], other: ApiRequest['body']): boolean {
  if (isOmitted(one) || isOmitted(other)) return false
  return bodyText(one) === bodyText(other)
}

/** Null for no body, and for one that is too long. */
function sentBody(body: ApiRequest['body']): string | null {
  const bytes = bodyLength(body) ?? 0
  return bytes === 0 || bytes > maxSentBody || isOmitted(body) ? null : bodyText(body)
}

/** An empty text stands for no body. */
function encodeBody(body: RequestChanges['body']): Uint8Array | null {
  const text = typeof body === 'string' ? body : toJsonText(body).text
  return text === '' ? null : new TextEncoder().encode(text)
}

/** Percent-encodes what a URL cannot contain, and resolves `..`. */
function encodePath(path: string): string {
  return requestTarget(new URL(path, 'http://localhost').href)
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

function pathOf(target: string): string {
  return target.split('?')[0] as string
}

/** Replaces the part of a target that is a path of the API, with its query: a mount path and a sandbox stay. */
function replacePath(target: string, path: string): string {
  const old = pathOf(target)
  return old.slice(0, old.length - apiPath(old).length) + path
}
