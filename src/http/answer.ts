import { choose } from '../settings/per-setting.ts'
import type { SettingValues } from '../settings/setting.ts'
import { LimitError } from '../utils/errors.ts'
import { JsonText, toJsonText } from '../utils/json.ts'
import { type Authorize, authorizeByKey } from './authorize.ts'
import { type ParsedBody, parseBody } from './body.ts'
import type { EndpointContext } from './endpoint.ts'
import { failureResponse } from './failure-response.ts'
import { Failure, notFound, quote } from './failures.ts'
import type { BodySchema } from './fields/body-fields.ts'
import { ReadInput } from './ignored-input.ts'
import { type ApiRequest, type ApiResponse, jsonResponse } from './messages.ts'
import { type LimitOffset, readParameters, Slice, toJsonPage } from './parameters.ts'
import { allowHeader, type ResolvedRoute } from './route.ts'
import type { PathParams } from './url.ts'

/**
 * Answers a request. Every transport calls this function, and there is no other way to a response. The checks run in
 * the order seen in the live service: Accept header, key, scope, syntax of the body, project or organization,
 * membership, rate limit, method, row, fields. It never throws: failures and unexpected errors become responses.
 *
 * @param read gets what the checks read of the request
 */
export function answer(
  route: ResolvedRoute,
  request: ApiRequest,
  context: EndpointContext,
  authorize: Authorize = authorizeByKey,
  read: ReadInput = new ReadInput(),
): ApiResponse {
  const { settings } = context
  try {
    const response = runEndpoint(route, request, context, authorize, read)
    return withAllowHeader(response, route, settings)
  } catch (error) {
    return withAllowHeader(failureResponse(toFailure(error, context), settings), route, settings)
  }
}

/** @throws Failure for a request that the service refuses */
function runEndpoint(
  { endpoint, params }: ResolvedRoute,
  request: ApiRequest,
  context: EndpointContext,
  authorize: Authorize,
  read: ReadInput,
): ApiResponse {
  const { settings } = context
  const parse = (): ParsedBody => {
    read.body ??= parseBody(request, settings)
    return read.body
  }
  negotiate(request, params)
  const query = new URLSearchParams(request.query)
  const input: Record<string, unknown> = {
    method: request.method,
    url: request.url,
    ...authorize(endpoint, params, request, context, parse),
  }
  input.params = readParameters(endpoint.params, (name) => params[name] ?? null, settings)
  read.query = query
  const getText = (name: string) => lastValue(query, name)
  input.query = readParameters(endpoint.query ?? {}, getText, settings, read.notes)
  input.subject = endpoint.find?.(input as never, context)
  read.isBodyRead = true
  const schema = choose<BodySchema<unknown> | null>(endpoint.body ?? null, settings)
  if (schema) {
    const { value, isForm = false, numbers } = parse()
    const exists = (list: 'dashboard_items', id: number) =>
      context.tables[list].get(id) !== undefined
    input.body = schema.read(value, { settings, isForm, exists, ...(numbers && { numbers }) })
  }
  const result = endpoint.handle(input as never, context)
  const status = choose(endpoint.status, settings)
  return toResponse(status, result, request.url, input.query as LimitOffset)
}

/** A parameter that is repeated has its last value. */
function lastValue(query: URLSearchParams, name: string): string | null {
  return query.getAll(name).at(-1) ?? null
}

function toResponse(
  status: number,
  result: unknown,
  url: string,
  limitOffset: LimitOffset,
): ApiResponse {
  if (result === undefined) return { status, headers: {}, body: null }
  if (result instanceof Slice) {
    const page = toJsonPage(result, url, limitOffset)
    return { ...jsonResponse(status, page), page: page.page }
  }
  const text = result instanceof JsonText ? result : toJsonText(result)
  return jsonResponse(status, text, text.headers)
}

function toFailure(error: unknown, context: Pick<EndpointContext, 'report'>): Failure {
  if (error instanceof Failure) return error
  if (error instanceof LimitError) return new Failure('validation_error', error.message)
  context.report(error)
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
  request: Pick<ApiRequest, 'headers' | 'query'>,
  params: PathParams,
): void {
  const accept = request.headers.get('accept')
  if (accept !== null && accept !== '*/*' && !acceptsJson(accept))
    throw new Failure('not_acceptable', undefined, {
      reason: () => `the Accept header ${quote(accept)} does not allow application/json`,
    })
  const format = params.format ?? lastValue(new URLSearchParams(request.query), 'format')
  if (!format || format === 'json') return
  throw notFound(() => `the format ${quote(format)} is not supported, only json`, 'accept')
}

function acceptsJson(accept: string): boolean {
  return accept
    .split(',')
    .some((range) => jsonRanges.includes((range.split(';')[0] ?? '').trim().toLowerCase()))
}

const jsonRanges: readonly string[] = ['*/*', 'application/json', 'application/*']
