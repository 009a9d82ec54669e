import type { ApiRequest, ApiResponse } from '../http/call.ts'
import { parseTextBody } from '../scenarios/compare.ts'
import { saveValues } from '../scenarios/keep.ts'
import type { ReceivedResponse } from '../scenarios/target.ts'
import { completeResponse, hasExpectedStatus, matchesRecording } from './complete.ts'
import type { TrackedRequest } from './recorded.ts'
import { callerBaseUrl, toApiResponse, toReceivedResponse } from './sent.ts'
import type { Simulation } from './simulation.ts'
import type { CompletedRecording } from './tape.ts'

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
