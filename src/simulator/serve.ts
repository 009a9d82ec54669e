import { endpoints } from '../api/endpoints.ts'
import { answerCall } from '../http/check.ts'
import type { Call } from '../http/endpoint.ts'
import { describeFailure } from '../http/failures.ts'
import { findIgnoredInput } from '../http/ignored-input.ts'
import type { ApiRequest, ApiResponse } from '../http/messages.ts'
import { type FoundPath, openCall } from '../http/route.ts'
import { endpointNotFound, suggestEndpoints } from '../http/unknown-path.ts'
import { apiPath, isApiPath } from '../http/url.ts'
import { type SettingId, track } from '../settings/setting.ts'
import { isPromise } from '../utils/kinds.ts'
import { applyFault } from './faults/effects.ts'
import type { Arrival, FaultRecord, JournalRecord } from './journal/journal.ts'
import { type RequestSummary, WrittenEntry } from './journal/written-entry.ts'
import type { State } from './state.ts'

interface ServeOptions {
  /** Whether a header says why a request was refused, and what was ignored */
  readonly sendsWhy: boolean
  /** Replaces the response before it is recorded, as a recording does */
  readonly replace?: ((response: ApiResponse) => ApiResponse) | undefined
}

/**
 * Responds to a request to the API: a fault that matches answers or delays it, else the endpoint answers. The journal gets
 * its entry when everything is known. It never throws: errors become responses.
 *
 * @param arrival that of the journal when the request arrived: others can get their response before its body is read
 */
export function serve(
  state: State,
  path: FoundPath,
  request: ApiRequest,
  options: ServeOptions,
  arrival = state.journal.arrivalOf(request.began),
): ApiResponse | Promise<ApiResponse> {
  const { journal, faults } = state
  const start = performance.now()
  const head = headOf(request, state, arrival)
  const call = openCall(path, request, state)
  let outcome: Outcome | undefined
  const answer = (): ApiResponse => {
    outcome = carryOut(call, state)
    return outcome.response
  }
  const finish = (answered: ApiResponse, fault: FaultRecord | null): ApiResponse => {
    const response = options.replace ? options.replace(answered) : answered
    // A response with another status has other reasons.
    const reasons = response.status === answered.status ? outcome : undefined
    // A request that is sent again before its client has this response is no repetition. Reads may be sent again anyway.
    if (call.endpoint.method !== 'GET' || response.status >= 400)
      request.onSent?.(journal.startSending())
    // One literal: the way of each request ends here, and a spread takes much longer.
    return add(state, options, {
      id: head.id,
      at: head.at,
      arrival,
      position: journal.position,
      ms: performance.now() - start,
      operation: call.endpoint.operation,
      method: request.method,
      url: head.url,
      target: request.target,
      requestHeaders: request.headers,
      requestBody: request.body,
      restoreCount: head.restoreCount,
      response,
      isReplaced: response !== answered,
      settings: outcome?.settings ?? state.settings,
      settingReads: reasons?.settingReads ?? (fault ? [...call.reads] : []),
      changeIndex: outcome?.changeIndex ?? state.changes.index,
      changes: outcome?.changes ?? [],
      failure: reasons?.response.failure,
      refusal: reasons?.refusal,
      ignored: reasons?.ignored ?? [],
      fault,
    })
  }
  const fault = faults.isEmpty ? null : faults.match(call, head.id, state)
  if (!fault) return finish(answer(), null)
  const { record } = fault
  const answered = applyFault(fault, answer)
  if (!isPromise(answered)) return finish(answered, record)
  const waiting = { ...head, fault: record }
  journal.waiting.add(waiting)
  return answered.then((late) => {
    journal.waiting.delete(waiting)
    return finish(late, record)
  })
}

/** What is known of a request when it arrives. */
function headOf(request: Omit<ApiRequest, 'body'>, state: State, arrival: Arrival) {
  const { method, url, target, headers } = request
  const { journal, clock, restoreCount, settings } = state
  return {
    id: journal.nextId(),
    at: clock.now(),
    arrival,
    restoreCount,
    settings,
    method,
    url: url.includes('#') ? (url.split('#', 1)[0] as string) : url,
    target,
    requestHeaders: headers,
  }
}

/** What the service did with a request. A fault can answer in its place. */
interface Outcome
  extends Pick<
    JournalRecord,
    'response' | 'settings' | 'settingReads' | 'changeIndex' | 'changes' | 'refusal' | 'ignored'
  > {}

/** Runs the checks and the endpoint. While the body arrived, or a fault delayed the request, others were answered. */
function carryOut(call: Call, state: State): Outcome {
  const { settings, changes } = state
  const changeIndex = changes.index
  state.isServing = true
  const response = answerCall(call)
  state.isServing = false
  const { failure, status } = response
  return {
    response,
    settings,
    // Before the sentences, which read more settings than the response depends on.
    settingReads: [...call.reads],
    changeIndex,
    changes: changes.byRequestSince(changeIndex),
    refusal: failure && describeFailure(failure),
    // A request that was refused for another reason than its input may have been read in part.
    ignored: status > 400 ? [] : findIgnoredInput(call),
  }
}

/** Adds the entry of a request to the journal. @returns the response, with the header that says why */
function add(state: State, { sendsWhy }: ServeOptions, entry: JournalRecord): ApiResponse {
  state.addRecord(entry)
  return sendsWhy
    ? withWhy(entry.response, new WrittenEntry(entry, state).summary())
    : entry.response
}

/**
 * The response to a path that is not of the API, or unknown in it. A header lists the closest endpoints. The journal
 * records unknown paths of the API, without their bodies, which are never read and so can have any size.
 *
 * @param path the path below the base URL and the prefix of a sandbox
 */
export function serveUnknownPath(
  state: State,
  request: Omit<ApiRequest, 'body'>,
  path: string,
  options: ServeOptions,
): ApiResponse {
  const { settings, journal } = state
  const reads = new Set<SettingId>()
  const tracked = track(state, reads)
  const suggestions = suggestEndpoints(request.method, apiPath(path), endpoints, settings)
  const ofApi = isApiPath(path) ? request : undefined
  const response = endpointNotFound(path, suggestions, tracked, ofApi)
  const isControl = /^\/__admin(\/|$)/.test(path)
  if (isControl || (journal.isOff && !options.sendsWhy)) return response
  const { failure } = response
  return add(state, options, {
    ...unserved(request, response, state),
    settingReads: [...reads],
    failure,
    refusal: failure && describeFailure(failure),
  })
}

/** The record of a request that no endpoint got. */
export function unserved(
  request: Omit<ApiRequest, 'body'>,
  response: ApiResponse,
  state: State,
): JournalRecord {
  return {
    ...headOf(request, state, state.journal.arrivalOf(request.began)),
    position: state.journal.position,
    operation: null,
    requestBody: null,
    ms: 0,
    response,
    isReplaced: false,
    settingReads: [],
    changeIndex: state.changes.index,
    changes: [],
    failure: undefined,
    refusal: undefined,
    ignored: [],
    fault: null,
  }
}

/** In characters. Some clients and proxies refuse longer headers. */
const maxWhyLength = 1_000

/** Adds the header `understudy-why` to a response that the journal explains. */
function withWhy(response: ApiResponse, summary: RequestSummary): ApiResponse {
  const why = formatWhy(summary)
  // A broken connection has no headers.
  if (response.status === 0 || why === '') return response
  return { ...response, headers: { ...response.headers, 'understudy-why': why } }
}

/** Formats the reason and the ignored input as one line of ASCII. */
function formatWhy({ reason, ignored }: Pick<RequestSummary, 'reason' | 'ignored'>): string {
  const texts = ignored.map((text) => `ignored: ${text}`)
  const line = [...(reason === null ? [] : [reason]), ...texts]
    .join('; ')
    .replaceAll('…', '...')
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return line.length > maxWhyLength ? `${line.slice(0, maxWhyLength - 3)}...` : line
}
