import { decodeBase64 } from '../../http/exchange.ts'
import { Failure, failureResponse } from '../../http/failures.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import { networkErrorResponse } from '../../http/messages.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { JsonText } from '../../utils/json-text.ts'
import { parseTextBody } from '../run/compare-response.ts'
import { saveValues } from '../run/execute-step.ts'
import type { ReceivedResponse } from '../run/target.ts'
import { type CompletedRecording, placeholderOrigin } from './complete-recording.ts'
import { completeResponse, hasExpectedStatus, matchesRecording } from './complete-response.ts'
import type { TrackedRequest, UnexpectedRequest } from './match-request.ts'
import type { Simulation } from './simulation.ts'

interface RecordingSource {
  readonly request: ApiRequest
  readonly target: string
  readonly recording: CompletedRecording
  /** Also simulates the request. Null in the modes without a simulation */
  readonly simulation: Simulation | null
  readonly saved: Map<string, unknown>
}

/**
 * Creates the response to a recorded request. With a simulation, the recorded response is completed with the current
 * one of the simulation, so that rows have the ids of the simulation.
 */
export async function respondFromRecording(
  { index, step }: TrackedRequest,
  { request, target, recording, simulation, saved }: RecordingSource,
): Promise<ApiResponse> {
  const recorded = recording.responses.get(index) as ReceivedResponse
  const baseUrl = clientBaseUrl(request, target)
  if (!simulation) return toApiResponse(recorded, baseUrl)
  await simulation.applyChangesUntil(index, saved)
  const simulated = await simulation.respond(request, target)
  const { expect, save = {} } = step
  const live = toReceivedResponse(simulated)
  // A streamed body is passed on.
  if (simulated.stream && (!expect || expect.broken)) return simulated
  const base = !expect || hasExpectedStatus(expect, live) ? live : recorded
  const completed = completeResponse(expect, base, saved, () => undefined)
  const response = matchesRecording(expect, completed, saved) ? completed : recorded
  saveValues(save, parseTextBody(response.text), saved)
  return toApiResponse(response, baseUrl)
}

/**
 * Converts a recorded response.
 *
 * @param baseUrl the base URL for the client, used in links
 */
function toApiResponse(
  { status, headers, text, base64, broken }: ReceivedResponse,
  baseUrl: string,
): ApiResponse {
  if (broken) return networkErrorResponse
  const sent: Record<string, string> = {}
  for (const [name, value] of headers) sent[name] = value.replaceAll(placeholderOrigin, baseUrl)
  delete sent['content-length']
  if (base64 !== undefined) {
    const bytes = decodeBase64(base64)
    sent['content-length'] = String(bytes.length)
    return { status, headers: sent, text: '', ascii: true, stream: new Blob([bytes]).stream() }
  }
  const json = new JsonText(text.replaceAll(placeholderOrigin, baseUrl))
  if (status !== 204 && status !== 304) sent['content-length'] = String(json.bytes)
  return { status, headers: sent, text: json.text, ascii: json.bytes === json.text.length }
}

function toReceivedResponse({ status, headers, text }: ApiResponse): ReceivedResponse {
  return { status, headers: new Headers(headers), text, broken: status === 0 }
}

/** The base URL that the client uses: the URL of its request without the target. */
function clientBaseUrl({ url }: ApiRequest, target: string): string {
  const whole = url.replace(/#.*$/s, '')
  return whole.endsWith(target) ? whole.slice(0, whole.length - target.length) : new URL(url).origin
}

/** The response to a request that is not recorded: an error that names the most similar recorded request. */
export function createNotRecordedResponse(unexpected: UnexpectedRequest): ApiResponse {
  const { method, path, nearest } = unexpected
  const hint = nearest ? `Nearest: ${formatNearest(nearest)}.` : 'The recording has no requests.'
  const detail =
    `${method} ${path} is not recorded. ${hint} ` +
    'Record it, or use the mode fallback to simulate the response.'
  const response = createErrorResponse(detail, 'not_recorded')
  if (!nearest) return response
  const header = `step ${nearest.step}`
  return { ...response, headers: { ...response.headers, 'understudy-nearest': header } }
}

/** `step 3, GET /api/projects/ (query.limit: expected "1", got nothing)` */
export function formatNearest({
  step,
  title,
  differences,
}: NonNullable<UnexpectedRequest['nearest']>): string {
  return `step ${step}, ${title} (${differences.join('; ')})`
}

/** Uses the default error format with any policies, as the message is for developers. */
export function createErrorResponse(detail: string, code: string): ApiResponse {
  return failureResponse(new Failure('server_error', detail, { code }), resolvePolicies())
}
