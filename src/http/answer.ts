import { resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { JsonText, Slice, toJsonText } from '../utils/json-text.ts'
import type { ApiCaller } from './authenticate.ts'
import { type Authorize, authorizeByKey, type ProjectContext } from './authorize.ts'
import { type ParsedBody, parseBody } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { Failure, failureResponse } from './failures.ts'
import type { BodySchema } from './fields/body-schema.ts'
import type { ApiRequest, ApiResponse } from './messages.ts'
import { allowHeader } from './methods.ts'
import { type LimitOffset, toJsonPage } from './page.ts'
import { type Parameters, readParameters } from './parameters.ts'
import { jsonResponse, responseWithoutBody, StreamedBody, streamResponse } from './responses.ts'
import type { EndpointRoute } from './route.ts'
import type { EndpointContext } from './sandbox.ts'

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

/** What `handle` is given, as far as it is known. Its address is put together only when somebody asks. */
class HandlerInput {
  readonly #call: ApiRequest
  readonly settings: PolicySettings
  readonly caller: ApiCaller | undefined
  readonly project: ProjectContext['project']
  readonly organization: ProjectContext['organization']
  params: unknown = undefined
  query: unknown = undefined
  subject: unknown = undefined
  body: unknown = undefined

  constructor(
    call: ApiRequest,
    settings: PolicySettings,
    entered: ProjectContext & { caller?: ApiCaller },
  ) {
    this.#call = call
    this.settings = settings
    this.caller = entered.caller
    this.project = entered.project
    this.organization = entered.organization
  }

  get method(): string {
    return this.#call.method
  }

  header(name: string): string | null {
    return this.#call.headers.get(name)
  }

  get url(): string {
    return this.#call.url
  }
}

/**
 * Whether the caller takes JSON, the only form of an answer (observed §1, §7).
 *
 * @throws Failure `not_acceptable` by the header Accept; `not_found` by a suffix or `?format=`, where the
 *   policy `paths.format` has them
 */
function negotiate(
  call: ApiRequest,
  params: Readonly<Record<string, string>>,
  settings: PolicySettings,
): void {
  const accept = call.headers.get('accept')
  if (accept !== null && accept !== '*/*' && !acceptsJson(accept))
    throw new Failure('not_acceptable')
  if (settings['paths.format'] === 'off') return
  const format = params.format ?? new URLSearchParams(call.query).getAll('format').at(-1) ?? null
  if (format !== null && format !== '' && format !== 'json') throw new Failure('not_found')
}

function acceptsJson(accept: string): boolean {
  return accept
    .split(',')
    .map((range) => range.split(';')[0]?.trim().toLowerCase())
    .some((range) => range === '*/*' || range === 'application/*' || range === 'application/json')
}
