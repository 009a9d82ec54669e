import { decodeBase64 } from '../../http/exchange.ts'
import { Failure, failureResponse } from '../../http/failures.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import { networkErrorResponse } from '../../http/messages.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { JsonText } from '../../utils/json-text.ts'
import { parseTextBody } from '../run/compare-response.ts'
import { saveValues } from '../run/save-values.ts'
import type { ReceivedResponse } from '../run/target.ts'
import { type CompletedRecording, placeholderOrigin } from './complete-recording.ts'
import { completeResponse, hasExpectedStatus, matchesRecording } from './complete-response.ts'
import type { UnexpectedRequest } from './match-request.ts'
import type { TrackedRequest } from './recorded-requests.ts'
import type { Simulation } from './simulation.ts'

/** What a recorded request is answered from. */
interface RecordingSource {
  readonly call: ApiRequest
  readonly target: string
  readonly tape: CompletedRecording
  /** Carries the request out, too; null where nothing is simulated */
  readonly simulation: Simulation | null
  readonly saved: Map<string, unknown>
}

/**
 * The answer to a recorded request: as it was completed, or where a simulation carries it out, too, completed by
 * what that answers now. So a row has the id that it has in the simulation.
 */
export async function respondFromRecording(
  { index, step }: TrackedRequest,
  { call, target, tape, simulation, saved }: RecordingSource,
): Promise<ApiResponse> {
  const recorded = tape.responses.get(index) as ReceivedResponse
  const base = callerBaseUrl(call, target)
  if (!simulation) return toApiResponse(recorded, base)
  await simulation.applyChangesUntil(index, saved)
  const simulated = await simulation.respond(call, target)
  const { expect, save = {} } = step
  const live = toReceivedResponse(simulated)
  // A body that comes in pieces is sent as it comes.
  if (simulated.stream && (!expect || expect.broken)) return simulated
  const given = !expect || hasExpectedStatus(expect, live) ? live : recorded
  const completed = completeResponse(expect, given, saved, () => undefined)
  const heard = matchesRecording(expect, completed, saved) ? completed : recorded
  saveValues(save, parseTextBody(heard.text), saved)
  return toApiResponse(heard, base)
}

/**
 * A recorded answer as it is sent.
 *
 * @param base where the API begins for the caller, which stands in its links
 */
function toApiResponse(
  { status, headers, text, base64, broken }: ReceivedResponse,
  base: string,
): ApiResponse {
  if (broken) return networkErrorResponse
  const wire = new JsonText(text.replaceAll(placeholderOrigin, base))
  const sent: Record<string, string> = {}
  for (const [name, value] of headers) sent[name] = value.replaceAll(placeholderOrigin, base)
  delete sent['content-length']
  if (base64 !== undefined)
    return createBytesResponse({ status, headers: sent }, decodeBase64(base64))
  if (status !== 204 && status !== 304) sent['content-length'] = String(wire.bytes)
  return { status, headers: sent, text: wire.text, ascii: wire.bytes === wire.text.length }
}

/** A body that is no text goes out as a stream of one piece. */
function createBytesResponse(
  { status, headers }: Pick<ApiResponse, 'status' | 'headers'>,
  bytes: Uint8Array,
): ApiResponse {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  const sent = { ...headers, 'content-length': String(bytes.length) }
  return { status, headers: sent, text: '', ascii: true, stream: pieces() }
}

/** A simulated answer as one that was heard. */
function toReceivedResponse({ status, headers, text }: ApiResponse): ReceivedResponse {
  return { status, headers: new Headers(headers), text, broken: status === 0 }
}

/** Where the API begins for a caller: the address without the path and the query. */
function callerBaseUrl({ url }: ApiRequest, target: string): string {
  const whole = url.replace(/#.*$/s, '')
  return whole.endsWith(target) ? whole.slice(0, whole.length - target.length) : new URL(url).origin
}

/** The answer to a request that is not recorded: an error of the service that names the nearest one. */
export function createNotRecordedResponse(unexpected: UnexpectedRequest): ApiResponse {
  const { method, path, nearest } = unexpected
  const near = nearest ? `Nearest: ${formatNearest(nearest)}.` : 'The recording has no request.'
  const detail =
    `Failed to replay ${method} ${path}: expected a request that was recorded, got one that was not. ${near} ` +
    'Record it, or have the simulation answer it with the mode fallback.'
  const given = createErrorResponse(detail, 'not_recorded')
  if (!nearest) return given
  const header = `step ${nearest.step}`
  return { ...given, headers: { ...given.headers, 'understudy-nearest': header } }
}

/** `step 3, GET /api/projects/ (query.limit: expected "1", got nothing)` */
export function formatNearest({
  step,
  title,
  differences,
}: NonNullable<UnexpectedRequest['nearest']>): string {
  return `step ${step}, ${title} (${differences.join('; ')})`
}

/** The answer to every request of a recording that cannot be replayed. */
export function createNotReplayableResponse(message: string): ApiResponse {
  return createErrorResponse(message, 'not_replayable')
}

/** In the usual form, whatever the policies say: it is read by people. */
function createErrorResponse(detail: string, code: string): ApiResponse {
  return failureResponse(new Failure('server_error', detail, { code }), resolvePolicies())
}
