import * as z from 'zod'
import { Failure } from '../http/failures.ts'
import type { ServedRun } from '../report/usage.ts'
import type { ScenarioLibrary } from '../scenarios/format/scenario.ts'
import { unknownSandboxReason } from '../simulator/sandboxes/sandboxes.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { ConflictError, issuesIn, isUsageError, LimitError, suggestWord } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import { parseOptions } from '../utils/schema-issues.ts'

export interface AdminCall<Body = unknown, Query = object> {
  /** That of the server, or of the sandbox in the URL. */
  readonly simulator: Simulator
  /** The server's own simulator, which holds the sandboxes. */
  readonly server: Simulator
  /** What the clients of the server and of all its sandboxes used and did wrong. */
  readonly run: ServedRun
  /** The fixture or file that is served, if it is known. */
  readonly world: string | undefined
  /** The scenarios of the package and of the server's folder. */
  readonly scenarios: ScenarioLibrary
  /** The origin of the URL that the client used. */
  readonly origin: string
  /** Numbers and booleans are read as such, by the schema of the operation. The simulator checks them. */
  readonly query: Query
  readonly body: Body
  /** The id of the last event that a client received. */
  readonly lastEventId: string | null
  readonly setHeader: (name: string, value: number) => void
  readonly closed: AbortSignal
}

export interface AdminOperation<Body, Params extends readonly string[], Result, Query = object> {
  readonly summary: string
  /** A missing body is read as `{}`, which is all that an operation without a body takes. Null for such an operation. */
  readonly body: z.ZodType<Body> | null
  /** Null for no query. The simulator checks it. */
  readonly query: z.ZodObject | null
  /** Whether everybody may call it, without a token. Its query and its body are not read. */
  readonly isOpen: boolean
  /**
   * Its result is sent as JSON, and chunks of bytes as server-sent events. Nothing is a 204.
   *
   * @param params those of the path
   * @throws UsageError for a wrong value, which the client receives as a 400
   * @throws Failure for a resource that is not there
   */
  readonly run: (call: AdminCall<Body, Query>, ...params: Params) => Result
}

/** Defines an operation. @param body what it takes; it may leave the checks to the simulator */
export function operation<Params extends readonly string[], Result>(
  summary: string,
  run: (call: AdminCall<undefined>, ...params: Params) => Result,
): AdminOperation<undefined, Params, Result>
export function operation<Body, Params extends readonly string[], Result>(
  summary: string,
  body: z.ZodType<Body>,
  run: (call: AdminCall<Body>, ...params: Params) => Result,
): AdminOperation<Body, Params, Result>
export function operation(summary: string, ...rest: readonly unknown[]): object {
  const [body, run] = rest.length === 1 ? [null, ...rest] : rest
  return { summary, body, query: null, isOpen: false, run }
}

/** @param query the schema of its parameters in the query, with which the simulator checks them */
export function queryOperation<Query extends object, Params extends readonly string[], Result>(
  summary: string,
  query: z.ZodObject & z.ZodType<Query>,
  run: (call: AdminCall<undefined, Query>, ...params: Params) => Result,
): AdminOperation<undefined, Params, Result, Query> {
  return { summary, body: null, query, isOpen: false, run }
}

/** A value of the wrong type stays a text, for the simulator to refuse. */
export function readQuery(
  schema: z.ZodObject | null,
  query: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const shape = (schema?.shape ?? {}) as Readonly<Record<string, z.ZodOptional<z.ZodType>>>
  const typeOf = (name: string): string | undefined =>
    Object.hasOwn(shape, name) ? shape[name]?.unwrap()._zod.def.type : undefined
  const pairs = [...query].map(([name, text]) => {
    const type = typeOf(name)
    if (type === 'number' && /^-?\d+$/.test(text)) return [name, Number(text)]
    if (type === 'boolean' && /^(?:true|false)$/.test(text)) return [name, text === 'true']
    return [name, text]
  })
  return Object.fromEntries(pairs)
}

/** An object whose fields the simulator checks. */
export function unchecked<Body>(): z.ZodType<Body> {
  return z.custom<Body>(isObject, 'expected an object')
}

/**
 * Returns a resource that a parameter of the path names.
 *
 * @param parameter its name, which is the field of the error: so clients can tell a missing resource from a wrong URL
 * @param name what the client sent, and `known` lists the names that exist, one of which the message may suggest
 * @throws Failure `not_found` for undefined and false
 */
export function found<T>(
  resource: T | undefined | false,
  parameter: string,
  what: string,
  name = '',
  known: readonly string[] = [],
): T {
  if (resource !== undefined && resource !== false) return resource
  const detail = `${what} not found: it never existed, or was removed.`
  throw new Failure('not_found', detail + suggestWord(name, known), { attr: parameter })
}

export type AnyOperation = AdminOperation<unknown, string[], unknown>

const nothing = z.strictObject({})

/** @param call its query and its body as they were sent @throws Failure for what the client did wrong */
export async function runOperation(
  operation: AnyOperation,
  call: AdminCall,
  params: readonly string[],
): Promise<unknown> {
  try {
    // Whoever asks for the health may add a parameter against caches.
    if (!operation.query && !operation.isOpen) parseOptions(nothing, call.query, 'read the query')
    const body = parseOptions(operation.body ?? nothing, call.body, 'read the body')
    return await operation.run({ ...call, body }, ...params)
  } catch (error) {
    throw toFailure(error)
  }
}

/** @throws Failure for an unknown sandbox */
export function simulatorOf(server: Simulator, sandboxId: string | undefined): Simulator {
  const simulator = sandboxId === undefined ? server : server.sandboxes.get(sandboxId)
  if (simulator) return simulator
  throw new Failure('not_found', `Sandbox ${sandboxId} not found: ${unknownSandboxReason}.`)
}

function toFailure(error: unknown) {
  if (!isUsageError(error)) return error
  const { message, field } = error
  if (error instanceof LimitError) return new Failure('throttled', message)
  return new Failure('validation_error', message, {
    ...(error instanceof ConflictError && { status: 409, code: 'conflict' }),
    ...(field !== null && { attr: field }),
    issues: issuesIn(error).map(({ path, text }) => ({ path, text })),
  })
}
