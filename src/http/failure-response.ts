import type { PolicySettings } from '../policies/policies.ts'
import { toJsonText } from '../utils/json.ts'
import { Failure, type FailureDetails, failureFormats, toApiError } from './failures.ts'
import { type ApiResponse, htmlResponse, jsonResponse } from './messages.ts'

/** Converts a failure to a response. The policy `errors.body` decides the form of the body. */
export function failureResponse(failure: Failure, settings: PolicySettings): ApiResponse {
  // By policy, a row that a key may not read looks like a missing row.
  const isHidden =
    failure.details.isKeyInsufficient && settings['keys.insufficient.status'] === '404'
  return { ...errorResponse(isHidden ? new Failure('not_found') : failure, settings), failure }
}

function errorResponse(failure: Failure, settings: PolicySettings): ApiResponse {
  const { name, details } = failure
  const { issues } = details
  const envelope = { ...toApiError(failure), ...(issues && { issues }) }
  const { status: usual } = failureFormats[name]
  const status = usual === 401 ? Number(settings['keys.missing.status']) : usual
  const headers = failureHeaders(details, status, settings)
  if (details.hasNoBody) return { status, headers, body: null }
  switch (settings['errors.body']) {
    case 'envelope':
      return jsonResponse(status, toJsonText(envelope), headers)
    case 'detail':
      return jsonResponse(status, toJsonText({ detail: envelope.detail }), headers)
    case 'list':
      return jsonResponse(status, toJsonText([envelope]), headers)
    case 'html':
      return htmlResponse(status, headers)
    case 'empty':
      return { status, headers, body: null }
  }
}

function failureHeaders(
  { retryAfter }: FailureDetails,
  status: number,
  settings: PolicySettings,
): Record<string, string> {
  const headers: Record<string, string> = {}
  if (status === 401 && settings['keys.www_authenticate'] === 'present') {
    headers['www-authenticate'] = 'Bearer realm="api"'
  }
  if (retryAfter !== undefined && settings['limits.retry_after'] === 'present') {
    headers['retry-after'] = String(retryAfter)
  }
  return headers
}
