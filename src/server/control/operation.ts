import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import type { Endpoint, EndpointInput, Method } from '../../http/endpoint.ts'
import { Failure, type FailureName } from '../../http/failures.ts'
import type { BodySchema } from '../../http/fields/body-fields.ts'
import type { StreamedBody } from '../../http/messages.ts'
import type { Parameter, Parameters } from '../../http/parameters.ts'
import { queryString } from '../../http/url.ts'
import type { ScenarioLibrary } from '../../scenarios/format/scenario.ts'
import type { Simulator } from '../../simulator.ts'
import { issuesError } from '../../utils/issues.ts'
import type { JsonText } from '../../utils/json.ts'
import { parseOptions, typed } from '../../utils/schema-issues.ts'
import { suggestWord } from '../../utils/usage-error.ts'
import { nextTurn } from '../../utils/wait.ts'

export interface ControlContext {
  /** The simulator that is controlled: the server's own, or that of the sandbox in the URL. */
  readonly simulator: Simulator
  /** The server's own simulator, which holds the sandboxes. */
  readonly root: Simulator
  /** The scenarios of the package and of the server's folder. */
  readonly scenarios: ScenarioLibrary
  /** Aborts when the server closes. */
  readonly closed: AbortSignal
}

type ControlOperations = Readonly<Record<string, ControlOperation>>

type ControlOperation = Omit<Endpoint<ControlContext>, 'id'>

interface OperationSpec<P, Q, B, R>
  extends Pick<ControlOperation, 'summary' | 'bodyLimit' | 'mediaType'> {
  /** `anyone` can read without a token and from any machine. By default only the operator has access. */
  readonly scope?: 'anyone'
  readonly params?: P & Parameters
  readonly query?: Q & Parameters
  readonly body?: BodySchema<B>
  /** By default 200, or 204 without a response schema */
  readonly status?: number
  readonly response?: z.ZodType<R>
  /** Failures besides those of any body */
  readonly errors?: readonly FailureName[]
  /** @throws UsageError for a wrong value, which the client receives as a 400 */
  handle(
    input: OperationInput<P, Q, B>,
    simulator: Simulator,
    context: ControlContext,
  ): NoInfer<Result<R> | Promise<Result<R>>>
}

interface OperationInput<P, Q, B>
  extends Pick<
    EndpointInput<P, Q, B, never>,
    'url' | 'header' | 'params' | 'query' | 'body' | 'settings'
  > {}

/** A value in which nothing can be changed, at any depth. A tuple keeps its length. */
type Immutable<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly Immutable<Item>[]
    : Readonly<T>
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T

type Result<R> = Immutable<R> | JsonText<R> | StreamedBody<R>

export const anyObject = typed<object>(z.record(z.string(), z.unknown()))

export function operation<P, Q, B, R = void>(
  method: Method,
  path: string,
  spec: OperationSpec<P, Q, B, R>,
): ControlOperation {
  return {
    scope: 'operator',
    params: {},
    status: spec.response ? 200 : 204,
    response: z.undefined(),
    ...spec,
    method,
    path,
    errors: [...(spec.body ? bodyFailures : []), ...(spec.errors ?? [])],
    handle: (input: never, context) => spec.handle(input, context.simulator, context),
  }
}

export function toEndpoints(operations: ControlOperations): Endpoint<ControlContext>[] {
  return Object.entries(operations).map(([id, spec]) => ({ ...spec, id }))
}

/** A body that a schema checks. A missing body counts as `{}`. Every issue is reported with its path. */
export function jsonBody<T>(schema: z.ZodType<T>): BodySchema<T> {
  return {
    fields: {},
    required: [],
    schema,
    read(value = {}) {
      // Schemas drop this field silently.
      if (Object.hasOwn(Object(value), '__proto__')) {
        const issue = { path: [], root: 'body', text: 'unknown field "__proto__"' }
        throw issuesError('Failed to read the body.', [issue], '__proto__')
      }
      return parseOptions(schema, value, 'read the body', 'body')
    },
  }
}

/** A body that the simulator checks itself. @param schema for documents */
export function uncheckedBody<T>(schema?: z.ZodType): BodySchema<T> {
  return { fields: {}, required: [], ...(schema && { schema }), read: (value) => value as T }
}

/**
 * Returns a resource that a parameter names.
 *
 * @param parameter its name and its value
 * @param known lists the names that exist, one of which the message may suggest
 * @throws Failure `not_found` for undefined and false. It names the parameter, so that clients can tell a missing
 *   resource from a wrong URL.
 */
export function found<T>(
  resource: T | undefined | false,
  parameter: Readonly<Record<string, unknown>>,
  name: string,
  reason: string,
  known: () => readonly string[] = () => [],
): T {
  if (resource !== undefined && resource !== false) return resource
  const [[attr = '', value] = []] = Object.entries(parameter)
  const hint = suggestWord(String(value), known())
  throw new Failure('not_found', `${name} not found: ${reason}.${hint}`, { attr })
}

export function textParameter(description: string): Parameter<string | null> {
  return { description, schema: { type: 'string' }, read: (text) => text }
}

type QueryTypes = Readonly<Record<string, 'number' | 'boolean'>>

/** Parses a query without checking it. A value of the wrong type stays a string, for the simulator to reject. */
export function parseQuery(url: string, types: QueryTypes = {}): object {
  const pairs = [...new URLSearchParams(queryString(url))]
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, parseQueryValue(value, types[name])]),
  )
}

function parseQueryValue(value: string, type: QueryTypes[string] | undefined): unknown {
  if (type === 'number' && /^-?\d+$/.test(value)) return Number(value)
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true'
  return value
}

/** Returns a function that lets other events run, if they have waited for some milliseconds. */
export function createPause(): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < 5) return
    await nextTurn()
    last = performance.now()
  }
}
