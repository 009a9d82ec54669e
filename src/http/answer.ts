import { Failure } from '../errors.ts'
import type { Body } from '../fields/body.ts'
import { resolve } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { Slice, toWire, Wire } from '../wire.ts'
import { Asked } from './asked.ts'
import { type Parsed, parseBody } from './body.ts'
import type { Answer, Call } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { type Enter, enterByKey } from './enter.ts'
import { toAnswer } from './failure.ts'
import { empty, json, streamed } from './make-answer.ts'
import { allow } from './methods.ts'
import { negotiate } from './negotiate.ts'
import { toPage, type Window } from './page.ts'
import { type Parameters, readParameters } from './parameters.ts'
import type { Route } from './route.ts'
import type { Sandbox } from './sandbox.ts'
import { Streamed } from './streamed.ts'

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
  route: Route<W>,
  params: Params,
  call: Call,
  sandbox: Sandbox<W>,
  enter: Enter<W> = enterByKey,
): Answer | Promise<Answer> {
  const fail = (error: unknown) => toAnswer(refusalOf(error, sandbox), sandbox.settings)
  const finish = (given: Answer) => withAllow(given, route, sandbox.settings)
  try {
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
  const input = new Asked(call, settings, entered)
  input.params = readParameters(endpoint.params, (name) => params[name] ?? null, settings)
  input.query = readQuery(endpoint, call.query, settings)
  input.subject = endpoint.find?.(input as never, world)
  const body = resolve<Body<unknown> | null>(endpoint.body ?? null, settings)
  if (body) {
    const { value, form } = parse()
    const exists = (_list: 'dashboard_items', id: number) => sandbox.directory.hasDashboardItem(id)
    input.body = body.read(value, { settings, form, exists })
  }
  const result = resolve(endpoint.handle, settings)(input as never, world)
  const status = resolve(endpoint.status, settings)
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

function success(status: number, result: unknown, input: Asked): Answer {
  if (result === undefined) return empty(status, {})
  if (result instanceof Streamed) return streamed(status, result)
  if (result instanceof Slice) return json(status, toPage(result, input.url, input.query as Window))
  return json(status, result instanceof Wire ? result : toWire(result))
}

function refusalOf(
  error: unknown,
  sandbox: Pick<Sandbox<unknown>, 'report' | 'refusalOf'>,
): Failure {
  if (error instanceof Failure) return error
  const refusal = sandbox.refusalOf?.(error)
  if (refusal) return refusal
  sandbox.report(error)
  return new Failure('server_error')
}

function withAllow<W>(
  given: Answer,
  { endpoint, family }: Route<W>,
  settings: PolicySettings,
): Answer {
  const isAsked = given.status === 405 || endpoint.method === 'OPTIONS'
  if (!isAsked && settings['headers.allow'] === 'on_405') return given
  return {
    ...given,
    headers: { ...given.headers, allow: allow(family.siblings, settings) },
  }
}
