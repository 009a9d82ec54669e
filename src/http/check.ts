import { choose } from '../settings/per-setting.ts'
import type { SettingValues } from '../settings/setting.ts'
import { LimitError } from '../utils/errors.ts'
import { JsonText, toJsonText } from '../utils/json.ts'
import { JsonPage } from '../world/response-texts.ts'
import { authorize } from './authorize.ts'
import type { EndpointContext } from './endpoint.ts'
import { failureResponse } from './failure-response.ts'
import { Failure, notFound, quote } from './failures.ts'
import { type ApiRequest, type ApiResponse, jsonResponse } from './messages.ts'
import { ReadInput } from './read-input.ts'
import { allowHeader, type ResolvedRoute } from './route.ts'
import type { PathParams } from './url.ts'

/**
 * Checks a request, and answers it by its endpoint. Every transport calls this function, and there is no other way to a
 * response. The checks run in the order seen in the live service: Accept header, key, scope, syntax of the body, project or
 * organization, membership, rate limit, method, row, fields. It never throws: failures and unexpected errors become
 * responses.
 *
 * @param input reads the request. Afterwards it knows what was read
 */
export function check(
  route: ResolvedRoute,
  request: ApiRequest,
  context: EndpointContext,
  input: ReadInput = new ReadInput(request, route.params, context.settings),
): ApiResponse {
  const { endpoint, params } = route
  const { settings } = context
  try {
    negotiate(request, params)
    const result = endpoint.run(authorize(endpoint, input, context), input, context)
    const response = toApiResponse(choose(endpoint.status, settings), result)
    return withAllowHeader(response, route, settings)
  } catch (error) {
    return refuse(toFailure(error, context), route, settings)
  }
}

/** The response to a request that is refused. */
export function refuse(
  failure: Failure,
  route: ResolvedRoute,
  settings: SettingValues,
): ApiResponse {
  return withAllowHeader(failureResponse(failure, settings), route, settings)
}

function toApiResponse(status: number, result: unknown): ApiResponse {
  if (result === undefined) return { status, headers: {}, body: null }
  if (result instanceof JsonPage)
    return { ...jsonResponse(status, result.body), page: result.shown }
  const text = result instanceof JsonText ? result : toJsonText(result)
  return jsonResponse(status, text, text.headers)
}

function toFailure(error: unknown, { session }: EndpointContext): Failure {
  if (error instanceof Failure) return error
  if (error instanceof LimitError) return new Failure('validation_error', error.message)
  session.onError(error)
  const reason = () => 'an unexpected exception was thrown, and passed to onError'
  return new Failure('server_error', undefined, { reason })
}

function withAllowHeader(
  response: ApiResponse,
  { endpoint, pathItem }: ResolvedRoute,
  settings: SettingValues,
): ApiResponse {
  const isRequired = response.status === 405 || endpoint.method === 'OPTIONS'
  if (!isRequired && settings['headers.allow'] === 'on_405') return response
  const allow = allowHeader(pathItem.endpoints, settings)
  return { ...response, headers: { ...response.headers, allow } }
}

/**
 * Checks that the client accepts JSON.
 *
 * @throws Failure `not_acceptable` for the Accept header; `not_found` for a suffix or `?format=` that is not json
 */
export function negotiate(
  { headers, query }: Pick<ApiRequest, 'headers' | 'query'>,
  params: PathParams,
): void {
  const accept = headers.get('accept')
  if (accept !== null && accept !== '*/*' && !acceptsJson(accept))
    throw new Failure('not_acceptable', undefined, {
      reason: () => `the Accept header ${quote(accept)} does not allow application/json`,
    })
  const format = params.format ?? formatIn(query)
  if (!format || format === 'json') return
  throw notFound(() => `the format ${quote(format)} is not supported, only json`, 'accept')
}

/** Whether the client accepts JSON. Every response has to be acceptable, an injected error, too. */
export function isAcceptable(request: ApiRequest, params: PathParams): boolean {
  try {
    negotiate(request, params)
    return true
  } catch {
    return false
  }
}

function formatIn(query: string): string | undefined {
  // A name can be percent-encoded.
  if (!/format|%/i.test(query)) return undefined
  return new URLSearchParams(query).getAll('format').at(-1)
}

function acceptsJson(accept: string): boolean {
  return accept
    .split(',')
    .some((range) => jsonRanges.includes((range.split(';')[0] ?? '').trim().toLowerCase()))
}

const jsonRanges: readonly string[] = ['*/*', 'application/json', 'application/*']
