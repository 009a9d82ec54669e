import { Failure } from '../errors.ts'
import type { BodySchema } from '../fields/body.ts'
import { resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { JsonText, Slice, toJsonText } from '../wire.ts'
import { HandlerInput } from './asked.ts'
import { type ParsedBody, parseBody } from './body.ts'
import type { ApiRequest, ApiResponse } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { type Authorize, authorizeByKey } from './enter.ts'
import { failureResponse } from './failure.ts'
import { jsonResponse, responseWithoutBody, streamResponse } from './make-answer.ts'
import { allowHeader } from './methods.ts'
import { negotiate } from './negotiate.ts'
import { type LimitOffset, toJsonPage } from './page.ts'
import { type Parameters, readParameters } from './parameters.ts'
import type { EndpointRoute } from './route.ts'
import type { EndpointContext } from './sandbox.ts'
import { StreamedBody } from './streamed.ts'

type Params = Readonly<Record<string, string>>

/**
 * Answers a request: the only way to an answer, on every transport. The checks stand in the service's order
 * (observed §1): form of the answer, key, scope, project or organization, membership, rate, method, row,
 * body. It never throws: a refusal is an answer, and so is whatever else goes wrong.
 *
 * @param params the parameters of the path, as `matchRoute` gives them
 * @returns a promise only where the endpoint cannot be done at once
 */
export function answer<W>(
  route: EndpointRoute<W>,
  params: Params,
  call: ApiRequest,
  sandbox: EndpointContext<W>,
  enter: Authorize<W> = authorizeByKey,
): ApiResponse | Promise<ApiResponse> {
  const fail = (error: unknown) => failureResponse(refusalOf(error, sandbox), sandbox.settings)
  const finish = (given: ApiResponse) => withAllow(given, route, sandbox.settings)
  try {
    const given = proceed(route, params, call, sandbox, enter)
    return given instanceof Promise ? given.catch(fail).then(finish) : finish(given)
  } catch (error) {
    return finish(fail(error))
  }
}

function proceed<W>(
  { endpoint }: EndpointRoute<W>,
  params: Params,
  call: ApiRequest,
  sandbox: EndpointContext<W>,
  enter: Authorize<W>,
): ApiResponse | Promise<ApiResponse> {
  const { settings, world } = sandbox
  let parsed: ParsedBody | undefined
  const parse = (): ParsedBody => {
    parsed ??= parseBody(call, settings)
    return parsed
  }
  negotiate(call, params, settings)
  const entered = enter(endpoint, params, call, sandbox, () => parse().value)
  const input = new HandlerInput(call, settings, entered)
  input.params = readParameters(endpoint.params, (name) => params[name] ?? null, settings)
  input.query = readQuery(endpoint, call.query, settings)
  input.subject = endpoint.find?.(input as never, world)
  const body = resolveByPolicy<BodySchema<unknown> | null>(endpoint.body ?? null, settings)
  if (body) {
    const { value, isForm } = parse()
    const exists = (_list: 'dashboard_items', id: number) => sandbox.directory.hasDashboardItem(id)
    input.body = body.read(value, { settings, isForm, exists })
  }
  const result = resolveByPolicy(endpoint.handle, settings)(input as never, world)
  const status = resolveByPolicy(endpoint.status, settings)
  return result instanceof Promise
    ? result.then((given) => success(status, given, input))
    : success(status, result, input)
}

const none: Parameters = {}

function readQuery(endpoint: Endpoint<never>, text: string, settings: PolicySettings): unknown {
  const query = text === '' ? null : new URLSearchParams(text)
  const last = (name: string) => query?.getAll(name).at(-1) ?? null
  return readParameters(endpoint.query ?? none, last, settings)
}

function success(status: number, result: unknown, input: HandlerInput): ApiResponse {
  if (result === undefined) return responseWithoutBody(status, {})
  if (result instanceof StreamedBody) return streamResponse(status, result)
  if (result instanceof Slice)
    return jsonResponse(status, toJsonPage(result, input.url, input.query as LimitOffset))
  return jsonResponse(status, result instanceof JsonText ? result : toJsonText(result))
}

function refusalOf(
  error: unknown,
  sandbox: Pick<EndpointContext<unknown>, 'report' | 'toFailure'>,
): Failure {
  if (error instanceof Failure) return error
  const refusal = sandbox.toFailure?.(error)
  if (refusal) return refusal
  sandbox.report(error)
  return new Failure('server_error')
}

function withAllow<W>(
  given: ApiResponse,
  { endpoint, pathItem }: EndpointRoute<W>,
  settings: PolicySettings,
): ApiResponse {
  const isAsked = given.status === 405 || endpoint.method === 'OPTIONS'
  if (!isAsked && settings['headers.allow'] === 'on_405') return given
  return {
    ...given,
    headers: { ...given.headers, allow: allowHeader(pathItem.endpoints, settings) },
  }
}
