import { endpoints } from '../api/endpoints.ts'
import { findRoute } from '../api/find-route.ts'
import { answer } from '../http/answer.ts'
import { describeIgnoredInput, ReadInput } from '../http/ignored-input.ts'
import type { ApiRequest, ApiResponse } from '../http/messages.ts'
import { type ResolvedRoute, resolveRoute } from '../http/route.ts'
import { endpointNotFound, suggestEndpoints } from '../http/unknown-path.ts'
import { apiPath, isApiPath } from '../http/url.ts'
import type { SettingValues } from '../settings/setting.ts'
import type { RequestEvent } from './faults/effects.ts'
import type { RequestSummary } from './journal/entry-writer.ts'
import { JournalRecord } from './journal/journal.ts'
import type { State } from './state.ts'

interface RespondOptions {
  /** Whether a header says why a request was refused, and what was ignored */
  readonly explains: boolean
  /** Replaces the response before it is recorded, as a recording does */
  readonly replace?: ((response: ApiResponse) => ApiResponse) | undefined
}

/**
 * Responds to a request to the API, and records it: a fault that matches answers or delays it, else the endpoint answers.
 * It never throws: errors become responses.
 *
 * @param arrival the position in the journal when the request arrived: others can get their response before its body is
 *   read
 */
export function respond(
  state: State,
  route: ResolvedRoute,
  request: ApiRequest,
  options: RespondOptions,
  arrival = state.arrival,
): ApiResponse | Promise<ApiResponse> {
  const { journal, faults } = state
  const { operation } = route.endpoint
  const record = new JournalRecord(journal.nextId(), operation, request, state, arrival)
  const event: RequestEvent = { route, request, record }
  const start = performance.now()
  const response = faults.apply(event, state, () => answerEvent(event, state))
  if (!(response instanceof Promise)) return complete(event, response, start, state, options)
  journal.waiting.add(record)
  return response.then((completed) => {
    journal.waiting.delete(record)
    return complete(event, completed, start, state, options)
  })
}

/** Runs the checks and the endpoint. Attributes setting reads and writes to the request. */
function answerEvent(event: RequestEvent, state: State): ApiResponse {
  const { route, request, record, authorize } = event
  const { settings, settingTracker, changes } = state
  // While the body arrived, or a fault delayed this request, others were answered.
  settingTracker.takeReads()
  readRouteSettings(route, request, settings)
  record.place = changes.place
  const read = new ReadInput()
  const response = answer(route, request, state, authorize, read)
  const writes = changes.writesOfRequest(record.place)
  const ignored = () => describeIgnoredInput({ route, request, settings, read })
  record.attach(response, settingTracker, writes, ignored)
  return response
}

/** Reads the settings again that were read to find the route: reading is what tracks them. */
function readRouteSettings(
  { pathItem, params }: ResolvedRoute,
  { method, body }: ApiRequest,
  settings: SettingValues,
): void {
  resolveRoute(pathItem, method, { params, suffix: params.format }, settings)
  if (body !== null) void settings['limits.body']
}

function complete(
  { request, record }: RequestEvent,
  answered: ApiResponse,
  start: number,
  state: State,
  { explains, replace }: RespondOptions,
): ApiResponse {
  if (!record.isAnswered) record.place = state.changes.place
  const response = replace ? replace(answered) : answered
  record.isReplaced = response !== answered
  if (response.status !== answered.status) record.replaceResult()
  state.record(record.complete(request, response, performance.now() - start))
  return explains ? withWhy(response, state.writer.summary(record)) : response
}

/**
 * The response to a path that is not of the API, or unknown in it. A header lists the closest endpoints. The journal
 * records unknown paths of the API, without their bodies, which are never read and so can have any size.
 *
 * @param path the path below the base URL and the prefix of a sandbox
 */
export function respondToUnknownPath(
  state: State,
  request: Pick<ApiRequest, 'method' | 'url' | 'target' | 'query' | 'headers'>,
  path: string,
  { explains }: RespondOptions,
): ApiResponse {
  const { journal, settingTracker, settings } = state
  const { method } = request
  settingTracker.takeReads()
  // A path of the API is unknown if the settings disable its operation.
  findRoute({ method, target: path }, settings)
  const suggestions = suggestEndpoints(method, apiPath(path), endpoints, settingTracker.untracked)
  const response = endpointNotFound(
    path,
    suggestions,
    settings,
    isApiPath(path) ? request : undefined,
  )
  const isControl = /^\/__admin(\/|$)/.test(path)
  if (isControl || (journal.isOff && !explains)) return response
  const record = new JournalRecord(journal.nextId(), null, request, state)
  record.attach(response, settingTracker, [])
  state.record(record.complete({ body: null }, response, 0))
  return explains ? withWhy(response, state.writer.summary(record)) : response
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
