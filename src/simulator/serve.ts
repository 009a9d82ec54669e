import { endpoints, pathItems } from '../api/endpoints.ts'
import { answerCall } from '../http/check.ts'
import { Call } from '../http/endpoint.ts'
import { describeFailure } from '../http/failures.ts'
import { findIgnoredInput } from '../http/ignored-input.ts'
import { type ApiRequest, type ApiResponse, networkErrorResponse } from '../http/messages.ts'
import { type ApiHandler, apiPath, isApiPath } from '../http/route.ts'
import { endpointNotFound, suggestEndpoints } from '../http/unknown-path.ts'
import { SettingReads, track } from '../settings/setting.ts'
import type { Mutable } from '../utils/json.ts'
import { applyFault } from './faults/effects.ts'
import { type Arrival, type DelayedRequest, JournalRecord, keptLength } from './journal/journal.ts'
import { findSentKey } from './journal/messages.ts'
import type { SharedOptions } from './options.ts'
import type { Sandboxes } from './sandboxes/sandboxes.ts'
import type { State } from './state.ts'

/** @param worlds know that of a request: that of the simulator, or of one of its sandboxes */
export function createApiHandlers(
  worlds: Pick<Sandboxes<unknown>, 'resolve'>,
  base: SharedOptions['base'],
): ApiHandler[] {
  return pathItems.map((item) => ({
    base,
    path: item.path,
    methods: item.endpoints.map(({ method }) => method),
    open({ params, sandboxId }, head) {
      const state = worlds.resolve(sandboxId, head)
      if (!state) return null
      // Others can get their response before the body of this request is read.
      const arrival = state.deliveries.arrive(head.began)
      return new Call(item, params, state, (call) => serve(call, state, arrival))
    },
  }))
}

/**
 * Responds to a request to the API: a fault that matches answers or delays it, else the endpoint answers. The journal gets
 * its entry when everything is known. It never throws: errors become responses.
 */
function serve(call: Call, state: State, arrival: Arrival) {
  const { journal, faults } = state
  const start = performance.now()
  const record: Mutable<JournalRecord> = new JournalRecord(call.request, state, arrival, call.reads)
  record.operation = call.endpoint.operation
  record.requestBody = call.request.body
  const { brokenOff } = call.request
  if (brokenOff !== undefined) {
    record.refusal = `the client failed to send the body: ${brokenOff}`
    return add(state, record, networkErrorResponse)
  }
  const fault = faults.active.length === 0 ? null : faults.match(call, record.id, state)
  let isCarriedOut = fault === null
  const finish = (response: ApiResponse) => {
    if (!isCarriedOut) {
      record.settings = state.settings
      record.changeIndex = state.changes.index
    }
    // A request that is sent again before its client has this response is no repetition. Reads may be sent again anyway.
    if (call.endpoint.method !== 'GET' || response.status >= 400)
      call.request.onSent?.(state.deliveries.depart(journal.position))
    record.position = journal.position
    record.ms = Math.round((performance.now() - start) * 1_000) / 1_000
    // The text of the world lives anyway.
    record.sentKey = call.caller?.key.value ?? call.sentKey?.value
    return add(state, record, response, call)
  }
  if (!fault) return finish(carryOut(call, state, record))
  record.fault = fault.record
  // Only what is carried out depends on how it was routed.
  const { reads: ofRoute } = call
  call.reads = record.settingReads = new SettingReads()
  const answered = applyFault(fault, () => {
    isCarriedOut = true
    call.reads.addAll(ofRoute.ids)
    record.response = carryOut(call, state, record)
    return record.response
  })
  if (!('then' in answered)) return finish(answered)
  const waiting = record as DelayedRequest
  journal.waiting.add(waiting)
  // Meanwhile nothing stays that was parsed: its values take many times the memory of the body.
  call.parsed = undefined
  record.settle(record.response)
  const finished = answered.then((late) => {
    journal.waiting.delete(waiting)
    return finish(late)
  })
  const bytes = record.keptBytes - keptLength(record.requestBody)
  const hasRoom = bytes === 0 || (call.request.hold?.(bytes) ?? true)
  return hasRoom ? finished : networkErrorResponse
}

/** Runs the checks and the endpoint, and notes what they did. While a fault delayed the request, others were answered. */
function carryOut(call: Call, state: State, record: Mutable<JournalRecord>) {
  const { settings, changes } = state
  const { index } = changes
  state.isServing = true
  const response = answerCall(call)
  state.isServing = false
  const { failure, status } = response
  record.settings = settings
  record.changeIndex = index
  record.changes = changes.byRequestSince(index)
  record.failure = failure
  const { reads } = call
  call.reads = state.readsOfSentences
  try {
    record.refusal = failure && describeFailure(failure)
    // A request that was refused for another reason than its input may have been read in part.
    record.ignored = status > 400 ? none : findIgnoredInput(call)
  } finally {
    call.reads = reads
  }
  return response
}

const none = [] as const

/** Adds the entry of a request to the journal. @returns the response */
function add(state: State, record: Mutable<JournalRecord>, response: ApiResponse, call?: Call) {
  // Not known of a request that was refused before its key was checked.
  record.sentKey ??= findSentKey(record)?.value
  record.settle(response)
  // A long one takes memory, also in the call, which a slow response needs.
  const parsed = keptLength(record.requestBody) < 500 ? call?.parsed : undefined
  if (call) call.parsed = undefined
  state.addRecord(record, parsed)
  return response
}

/**
 * The response to a path that is not of the API, or unknown in it. A header lists the closest endpoints. The journal
 * records it, unless it is one of the admin API, without its body, which is never read and so can have any size.
 *
 * @param path the path below the base URL and the prefix of a sandbox
 */
export function serveUnknownPath(
  state: State,
  request: Omit<ApiRequest, 'body'>,
  path: string,
): ApiResponse {
  const { settings, journal } = state
  const reads = new SettingReads()
  const tracked = track({ world: state, reads })
  const suggestions = suggestEndpoints(request.method, apiPath(path), endpoints, settings)
  const ofApi = isApiPath(path) ? request : undefined
  const response = endpointNotFound(path, suggestions, tracked, ofApi)
  const isControl = /^\/__admin(\/|$)/.test(path)
  if (isControl || journal.isOff) return response
  const { failure } = response
  const arrival = state.deliveries.arrive(request.began)
  const record: Mutable<JournalRecord> = new JournalRecord(request, state, arrival, reads)
  record.failure = failure
  record.refusal = failure && describeFailure(failure)
  return add(state, record, response)
}
