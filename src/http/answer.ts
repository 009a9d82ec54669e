import { Failure } from '../errors.ts'
import type { Body } from '../fields/body.ts'
import { resolve } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { Slice, toWire, Wire } from '../wire.ts'
import { authenticate, type Caller, requireScope } from './access.ts'
import { fromMultipart, isMultipart, type Parsed, parseBody } from './body.ts'
import type { Answer, Call } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { empty, json, toAnswer } from './failure.ts'
import { allow } from './methods.ts'
import { negotiate } from './negotiate.ts'
import { toPage, type Window } from './page.ts'
import { readParameters } from './parameters.ts'
import { locate, type Place } from './place.ts'
import type { Route } from './route.ts'
import type { Sandbox } from './sandbox.ts'

type Params = Readonly<Record<string, string>>

/** Lets a request in: who asks, and where it leads. */
type Enter<W> = (
  endpoint: Endpoint<W>,
  params: Params,
  call: Call,
  sandbox: Sandbox<W>,
  body: () => unknown,
) => Place & { readonly caller?: Caller }

/**
 * Answers a request: the only way to an answer, on every transport. The checks stand in the service's order
 * (observed §1): form of the answer, key, scope, project or organization, membership, rate, method, row,
 * body. It never throws: a refusal is an answer, and so is whatever else goes wrong.
 *
 * @param params the parameters of the path, as `matchRoute` gives them
 * @returns a promise only where the body, or the endpoint, cannot be done at once
 */
export function answer<W>(
  route: Route<W>,
  params: Params,
  call: Call,
  sandbox: Sandbox<W>,
  enter: Enter<W> = enterByKey,
): Answer | Promise<Answer> {
  const fail = (error: unknown) => toAnswer(refusalOf(error, sandbox), sandbox.settings)
  const finish = (given: Answer) => withAllow(given, route, sandbox.settings)
  try {
    if (isMultipart(call, sandbox.settings)) {
      return fromMultipart(call)
        .then((form) => proceed(route, params, form, sandbox, enter))
        .catch(fail)
        .then(finish)
    }
    const given = proceed(route, params, call, sandbox, enter)
    return given instanceof Promise ? given.catch(fail).then(finish) : finish(given)
  } catch (error) {
    return finish(fail(error))
  }
}

function proceed<W>(
  { endpoint }: Route<W>,
  params: Params,
  call: Call,
  sandbox: Sandbox<W>,
  enter: Enter<W>,
): Answer | Promise<Answer> {
  const { settings, world } = sandbox
  let parsed: Parsed | undefined
  const parse = (): Parsed => {
    parsed ??= parseBody(call, settings)
    return parsed
  }
  negotiate(call, params, settings)
  const entered = enter(endpoint, params, call, sandbox, () => parse().value)
  const query = call.query === '' ? null : new URLSearchParams(call.query)
  const input = {
    ...entered,
    method: call.method,
    get url() {
      return call.url
    },
    settings,
    params: readParameters(endpoint.params, (name) => params[name] ?? null, settings),
    query: readParameters(
      endpoint.query ?? {},
      (name) => query?.getAll(name).at(-1) ?? null,
      settings,
    ),
    subject: undefined as unknown,
    body: undefined as unknown,
  }
  input.subject = endpoint.find?.(input as never, world)
  const body = resolve<Body<unknown> | null>(endpoint.body ?? null, settings)
  if (body) {
    const { value, form } = parse()
    const exists = (_list: 'dashboard_items', id: number) => sandbox.directory.hasDashboardItem(id)
    input.body = body.read(value, { settings, form, exists })
  }
  const result = resolve(endpoint.handle, settings)(input as never, world)
  const status = resolve(endpoint.status, settings)
  if (result instanceof Promise) {
    return result.then((given) => success(status, given, input))
  }
  return success(status, result, input)
}

/** By an API key, as every endpoint of the service is entered. */
function enterByKey<W>(
  endpoint: Endpoint<W>,
  params: Params,
  call: Call,
  sandbox: Sandbox<W>,
  body: () => unknown,
): Place & { caller: Caller } {
  const { settings, directory, world } = sandbox
  const caller = authenticate(call, settings, directory, body)
  requireScope(caller.key, resolve(endpoint.scope, settings), settings)
  const place = locate(params, caller, settings, directory)
  if (place.organization) {
    endpoint.admit?.({ organization: place.organization, method: call.method }, world)
  }
  const wait = sandbox.throttle(caller.key.value)
  if (wait > 0) throw throttled(wait)
  return { caller, ...place }
}

function success(
  status: number,
  result: unknown,
  input: { readonly url: string; readonly query: unknown },
): Answer {
  if (result === undefined) return empty(status, {})
  if (result instanceof Slice)
    return json(status, {}, toPage(result, input.url, input.query as Window))
  return json(status, {}, result instanceof Wire ? result : toWire(result))
}

function throttled(seconds: number): Failure {
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`
  return new Failure('throttled', `Request was throttled. Expected available in ${wait}.`, {
    retryAfter: seconds,
  })
}

function refusalOf(error: unknown, sandbox: Pick<Sandbox<unknown>, 'report'>): Failure {
  if (error instanceof Failure) return error
  sandbox.report(error)
  return new Failure('server_error')
}

function withAllow<W>(
  given: Answer,
  { endpoint, siblings }: Route<W>,
  settings: PolicySettings,
): Answer {
  const isAsked = given.status === 405 || endpoint.method === 'OPTIONS'
  if (!isAsked && settings['headers.allow'] === 'on_405') return given
  return {
    ...given,
    headers: { ...given.headers, allow: allow(siblings, settings) },
  }
}
