import { Failure } from '../errors.ts'
import type { ApiResponse } from '../http/call.ts'
import { failureResponse } from '../http/failure.ts'
import { resolvePolicies } from '../policies/settings.ts'
import type { UnexpectedRequest } from './nearest-recorded.ts'

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
