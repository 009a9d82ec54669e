import type { SettingValues } from '../settings/setting.ts'
import { toJsonText } from '../utils/json.ts'
import { Failure, type FailureDetails, failureFormats, toApiError } from './failures.ts'
import { type ApiResponse, htmlResponse, jsonResponse } from './messages.ts'

/** Converts a failure to a response. The setting `errors.body` decides the form of the body. */
export function failureResponse(failure: Failure, settings: SettingValues): ApiResponse {
  // By setting, a row that a key may not read looks like a missing row.
  const isHidden =
    failure.details.isKeyInsufficient && settings['keys.insufficient.status'] === '404'
  return { ...errorResponse(isHidden ? new Failure('not_found') : failure, settings), failure }
}

function errorResponse(failure: Failure, settings: SettingValues): ApiResponse {
  const { name, details } = failure
  const envelope = { ...toApiError(failure), issues: details.issues }
  const { status: usual = failureFormats[name].status } = details
  const status = usual === 401 ? Number(settings['keys.missing.status']) : usual
  const headers = failureHeaders(details, status, settings)
  if (details.hasNoBody) return { status, headers, body: null }
  const form = settings['errors.body']
  if (form === 'empty') return { status, headers, body: null }
  if (form === 'html') return htmlResponse(status, headers)
  const bodies = { envelope, detail: { detail: envelope.detail }, list: [envelope] }
  return jsonResponse(status, toJsonText(bodies[form]).text, headers)
}

function failureHeaders(
  { retryAfter }: FailureDetails,
  status: number,
  settings: SettingValues,
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
