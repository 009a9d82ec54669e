import * as z from 'zod'
import type { World } from '../../api/endpoints.ts'
import type { EndpointContext } from '../../http/endpoint.ts'
import {
  Failure,
  type FailureDetails,
  type FailureName,
  failureFormats,
} from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  createNetworkError,
  isChunked,
  networkErrorResponse,
  type WrittenText,
} from '../../http/messages.ts'
import { throttledFailure } from '../../http/throttle.ts'
import { toJsonText } from '../../utils/json.ts'
import { typed } from '../../utils/schema-issues.ts'
import { type OnAbort, wait } from '../../utils/wait.ts'
import { jsonValueSchema } from '../../world/schema/field-schemas.ts'
import type { RequestEvent, Respond } from '../pipeline.ts'
import type { Sandbox } from '../sandbox.ts'
import { respondMutated } from './mutants.ts'
import {
  type EffectName,
  type FaultEffect,
  type FaultPhase,
  type MutantKind,
  type Mutation,
  mutantKinds,
  mutationOf,
} from './rule.ts'

/** A fault that applies to one request. */
export interface AppliedFault {
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** In milliseconds */
  readonly delay: number
  readonly event: RequestEvent
  /** Runs the endpoint. */
  readonly next: Respond
  readonly sandbox: Sandbox
  /** Returns the rows before the latest writes. Called after the delay, since the world can be reset in the meantime */
  readonly contextBefore: (writes: number) => EndpointContext<World>
}

type Schema<T> = z.ZodType<Exclude<T, undefined>>

/** An effect: what it accepts and does. Its words are in `rule.ts`. */
interface Effect<Name extends EffectName> {
  readonly schema: Schema<FaultEffect[Name]>
  /** The fields that are valid only beside it */
  readonly options?: {
    readonly [Option in Exclude<keyof FaultEffect, EffectName>]?: Schema<FaultEffect[Option]>
  }
  /** The phases that it supports. The first one is its default. */
  readonly phases: readonly [FaultPhase, ...FaultPhase[]]
  /** The effects above it in the table that it can be combined with. By default none. */
  readonly combinesWith?: readonly EffectName[] | 'all'
  /** Responds in place of the endpoint, or after it in phase `after-commit`. By default the endpoint responds. */
  readonly respond?: (fault: AppliedFault) => ApiResponse
  /** Runs the endpoint in another way. */
  readonly run?: (fault: AppliedFault) => ApiResponse
  /** How the body is sent in phase `mid-body`. @param length that of the body, in bytes */
  readonly pace?: (fault: AppliedFault, length: number) => BodyPacing
}

/** A day. Timers cannot wait longer than 24 days. */
const milliseconds = z.number().min(0).max(86_400_000)

const delay = z.union(
  [
    milliseconds,
    z.strictObject({ min: milliseconds, max: milliseconds }).refine(({ min, max }) => max >= min, {
      path: ['max'],
      error: 'expected at least min',
    }),
    z
      .strictObject({ median: milliseconds.min(1), p95: milliseconds })
      .refine(({ median, p95 }) => p95 >= median, {
        path: ['p95'],
        error: 'expected at least the median',
      }),
  ],
  { error: 'expected milliseconds, { min, max } or { median, p95 }' },
)

/** The transport sets these headers, which describe the length and the end of the body. */
const transportHeaders = ['content-length', 'transfer-encoding', 'trailer']

/** The schema of the headers of a response. */
export const headersSchema = z.record(z.string(), z.string()).refine(areValidHeaders, {
  error: `expected valid HTTP headers other than ${transportHeaders.join(', ')}`,
})

/** Responses with these statuses have no body. */
export const bodilessStatuses: readonly number[] = [204, 205, 304]

const mutantNames = Object.keys(mutantKinds) as readonly MutantKind[]

const mutation = z.union(
  [
    z.enum(mutantNames),
    z.strictObject({ kind: z.enum(mutantNames), field: z.string().min(1).exactOptional() }),
  ],
  { error: `expected one of ${mutantNames.join(', ')}, or { kind, field }` },
)

const failureNames = Object.keys(failureFormats) as FailureName[]
const anyPhase = ['before', 'after-commit', 'mid-body'] as const

/** Every effect. If a rule combines effects, the first one in this order is its main effect. */
const effects: { readonly [Name in EffectName]: Effect<Name> } = {
  error: {
    schema: z.enum(failureNames),
    options: { detail: z.string(), retry_after_s: z.int().min(0) },
    phases: ['before', 'after-commit'],
    respond({ effect, event, next }) {
      const failure = effectFailure(effect, event.request)
      event.authorize = () => {
        throw failure
      }
      return next(event)
    },
  },
  status: {
    schema: z.int().min(200).max(599),
    options: { headers: headersSchema, body: jsonValueSchema },
    phases: ['before', 'after-commit'],
    respond: ({ effect }) => effectResponse(effect),
  },
  drop: {
    schema: z.literal(true),
    phases: anyPhase,
    respond: () => networkErrorResponse,
    pace: (_fault, length) => ({ cut: Math.ceil(length / 2) }),
  },
  stale: {
    schema: z.strictObject({ writes: z.int().min(1).max(1_000) }),
    phases: ['before'],
    respond({ effect, event, next, contextBefore }) {
      event.context = contextBefore(effect.stale?.writes ?? 0)
      return next(event)
    },
  },
  mutate: {
    schema: mutation,
    phases: ['after-commit'],
    run: ({ effect, event, next, sandbox }) =>
      respondMutated(mutationOf(effect) as Mutation, event, next, sandbox),
  },
  cut_bytes: {
    schema: z.int().min(0),
    phases: ['mid-body'],
    pace: ({ effect }) => ({ cut: effect.cut_bytes }),
  },
  slow_bytes_per_s: {
    schema: z.int().min(1),
    phases: ['mid-body'],
    combinesWith: ['cut_bytes'],
    pace: ({ effect }) => ({ bytesPerSecond: effect.slow_bytes_per_s }),
  },
  delay_ms: {
    schema: delay,
    phases: anyPhase,
    combinesWith: 'all',
    // Beside another effect, it delays the request.
    pace: ({ effect, delay: milliseconds }, length) =>
      mainEffect(effect) === 'delay_ms' && milliseconds > 0
        ? { pause: { milliseconds, after: Math.ceil(length / 2) } }
        : {},
  },
}

/** The names of all effects, in the order of precedence. */
export const effectNames = Object.keys(effects) as readonly EffectName[]

/** Each effect, followed by its options. */
const fieldSchemas = effectNames.flatMap((name): [keyof FaultEffect, z.ZodType][] => {
  const { schema, options = {} } = effects[name]
  return [[name, schema], ...(Object.entries(options) as [keyof FaultEffect, z.ZodType][])]
})

export const effectFields: readonly (keyof FaultEffect)[] = fieldSchemas.map(([name]) => name)

export const effectSchema = typed<FaultEffect>(
  z.strictObject(
    Object.fromEntries(fieldSchemas.map(([name, schema]) => [name, schema.optional()])),
  ),
)

/** The main effect of a valid rule. */
export function mainEffect(effect: FaultEffect): EffectName {
  return effectNames.find((name) => effect[name] !== undefined) as EffectName
}

/** The phase of a valid rule that names none. */
export function defaultPhase(effect: FaultEffect): FaultPhase {
  return effects[mainEffect(effect)].phases[0]
}

/**
 * Responds to a request as a fault says. If the client disconnects during a delay before the endpoint, the endpoint never
 * runs.
 */
export function applyFault(fault: AppliedFault): ApiResponse | Promise<ApiResponse> {
  const { phase, effect, event, next } = fault
  const main = mainEffect(effect)
  if (phase === 'mid-body') {
    const respond = () => withPacedBody(fault, next(event))
    return main === 'delay_ms' ? respond() : afterDelay(fault, respond)
  }
  const { respond, run = () => next(event) } = effects[main]
  const response = phase === 'after-commit' ? run(fault) : null
  return afterDelay(fault, () => (respond ? respond(fault) : (response ?? run(fault))))
}

/** Runs a function after the delay. Without a delay, no timer is used. */
function afterDelay(
  { delay: milliseconds, event: { request } }: AppliedFault,
  respond: () => ApiResponse,
): ApiResponse | Promise<ApiResponse> {
  if (milliseconds === 0) return respond()
  const waiting = wait(milliseconds, request.onAbort?.bind(request))
  return waiting.then((hasPassed) => (hasPassed ? respond() : networkErrorResponse))
}

/** A wrong field of a rule. */
type RuleIssue = readonly [path: string, message: string, meant?: string | undefined]

/** Finds the effects, options and phases that cannot be combined. */
export function findEffectIssues(effect: FaultEffect, phase?: FaultPhase): RuleIssue[] {
  const [main, ...others] = effectNames.filter((name) => effect[name] !== undefined)
  if (main === undefined) return [['effect', `expected one of ${effectNames.join(', ')}`]]
  const issues: RuleIssue[] = []
  for (const other of others) {
    const { combinesWith = [] } = effects[other]
    if (combinesWith === 'all' || combinesWith.includes(main)) continue
    issues.push([`effect.${other}`, `expected no ${other} beside ${main}`])
  }
  for (const name of effectNames.filter((each) => effect[each] === undefined)) {
    for (const option of Object.keys(effects[name].options ?? {})) {
      if (effect[option as keyof FaultEffect] === undefined) continue
      issues.push([`effect.${option}`, `expected ${option} only with ${name}`])
    }
  }
  if (effect.body !== undefined && bodilessStatuses.includes(effect.status ?? 0)) {
    issues.push(['effect.body', `expected no body with status ${effect.status}`])
  }
  if (effect.delay_ms !== undefined && mutationOf(effect)?.kind === 'slow') {
    issues.push(['effect.delay_ms', 'expected no delay_ms beside slow'])
  }
  const { phases } = effects[main]
  if (phase !== undefined && !phases.includes(phase)) {
    issues.push(['phase', `expected ${phases.join(' or ')} for ${main}`])
  }
  return issues
}

/** @note Headers accepts control characters, which servers cannot send. */
function areValidHeaders(values: Readonly<Record<string, string>>): boolean {
  try {
    return [...new Headers(values)].every(
      ([name, value]) =>
        !transportHeaders.includes(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    )
  } catch {
    return false
  }
}

/** The named error of the service. Without a detail, most errors have a fixed sentence. */
function effectFailure(
  { error, detail, retry_after_s }: FaultEffect,
  { method }: ApiRequest,
): Failure {
  const name = error as NonNullable<typeof error>
  const details: FailureDetails = retry_after_s === undefined ? {} : { retryAfter: retry_after_s }
  const sentence =
    name === 'throttled' && retry_after_s !== undefined
      ? throttledFailure(retry_after_s).detail
      : name === 'method_not_allowed'
        ? `Method "${method}" not allowed.`
        : undefined
  return new Failure(name, detail ?? sentence, details)
}

/** A response with the status, headers and body of an effect. */
function effectResponse({ status = 200, headers = {}, body }: FaultEffect): ApiResponse {
  const customHeaders = Object.fromEntries(new Headers(headers))
  if (body === undefined) return { status, headers: customHeaders, body: null }
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain;charset=utf-8' : 'application/json'
  return {
    status,
    headers: { 'content-type': type, ...customHeaders },
    body: isText ? body : toJsonText(body),
  }
}

/** Sends the body of a response in another way. */
function withPacedBody(fault: AppliedFault, response: ApiResponse): ApiResponse {
  const { effect, event } = fault
  const text = bodyText(response.body)
  if (text === '' || isChunked(response.body)) return response
  const active = effectNames.filter((name) => effect[name] !== undefined)
  const pacing = (length: number): BodyPacing =>
    Object.assign({}, ...active.map((name) => effects[name].pace?.(fault, length)))
  const { request } = event
  return { ...response, body: pacedBody(text, pacing, request.onAbort?.bind(request)) }
}

/** How a body is sent. */
interface BodyPacing {
  /** Breaks the connection after this many bytes. */
  readonly cut?: number | undefined
  readonly bytesPerSecond?: number | undefined
  /** Pauses after this many bytes. */
  readonly pause?: { readonly milliseconds: number; readonly after: number }
}

/** How many chunks a slow body is split into, per second. */
const chunksPerSecond = 10

/**
 * A text that is sent in chunks. An exception breaks the connection. The stream ends early if the client disconnects.
 *
 * @param pacing how to send a body of a length in bytes
 */
function pacedBody(
  text: string,
  pacing: (length: number) => BodyPacing,
  onAbort?: OnAbort,
): WrittenText & AsyncIterable<Uint8Array> {
  return {
    text,
    [Symbol.asyncIterator]() {
      const cancellation = new AbortController()
      const { signal } = cancellation
      const onCancel: OnAbort = (listener) => {
        signal.addEventListener('abort', listener)
        const stopListening = onAbort?.(listener)
        return () => {
          signal.removeEventListener('abort', listener)
          stopListening?.()
        }
      }
      const chunks = createChunks(text, pacing, onCancel)
      return {
        next: () => chunks.next(),
        // Without the cancellation, a waiting generator would return only when its time has passed.
        return() {
          cancellation.abort()
          return chunks.return(undefined)
        },
      }
    },
  }
}

async function* createChunks(
  text: string,
  pacing: (length: number) => BodyPacing,
  onCancel: OnAbort,
): AsyncGenerator<Uint8Array, undefined> {
  const body = new TextEncoder().encode(text)
  const { cut = body.length, bytesPerSecond, pause } = pacing(body.length)
  const end = Math.min(cut, body.length)
  const step = bytesPerSecond ? Math.max(1, Math.floor(bytesPerSecond / chunksPerSecond)) : end
  // An empty chunk, so that the headers are sent.
  if (end === 0) yield body.subarray(0, 0)
  for (let start = 0; start < end; ) {
    const stop = Math.min(start + step, end, pause && start < pause.after ? pause.after : end)
    yield body.subarray(start, stop)
    if (stop === pause?.after && !(await wait(pause.milliseconds, onCancel)))
      throw createNetworkError()
    const seconds = bytesPerSecond && stop < end ? (stop - start) / bytesPerSecond : 0
    if (seconds > 0 && !(await wait(seconds * 1_000, onCancel))) throw createNetworkError()
    start = stop
  }
  if (end < body.length) throw createNetworkError()
  return undefined
}
