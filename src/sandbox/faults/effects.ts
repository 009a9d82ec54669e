import * as z from 'zod'
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
import { toJsonText, utf8Length } from '../../utils/json.ts'
import { typed } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { type OnAbort, wait } from '../../utils/wait.ts'
import { editRows, type RowEdit, rowEditSchemas } from '../../world/edit/edit-rows.ts'
import { jsonValueSchema } from '../../world/schema/field-schemas.ts'
import type { RequestEvent, Respond } from '../pipeline.ts'
import type { Sandbox } from '../sandbox.ts'
import { responseShape, varyResponse } from './response-variants.ts'
import {
  type EffectName,
  effectNames,
  effectTraits,
  type FaultEffect,
  type FaultPhase,
  mainEffect,
  type ResponseVariant,
  type VariantKind,
  variantKinds,
  variantOf,
} from './rule.ts'

/** A fault that applies to one request. */
interface AppliedFault {
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** In milliseconds */
  readonly delay: number
  /** Holds the request. Resolves to false if it is not to go on */
  readonly hold: (milliseconds: number, onAbort?: OnAbort) => Promise<boolean>
  readonly event: RequestEvent
  /** Runs the endpoint. */
  readonly next: Respond
  readonly sandbox: Sandbox
}

type Schema<T> = z.ZodType<Exclude<T, undefined>>

/** An effect: what it accepts and does. Its traits and words are in `rule.ts`. */
interface Effect<Name extends EffectName> {
  readonly schema: Schema<FaultEffect[Name]>
  /** The fields that are valid only beside it */
  readonly options?: {
    readonly [Option in Exclude<keyof FaultEffect, EffectName>]?: Schema<FaultEffect[Option]>
  }
  /** The effects above it in the table that it can be combined with. By default none. */
  readonly combinesWith?: readonly EffectName[] | 'all'
  /** Responds in place of the endpoint, or after it in phase `after-commit`. By default the endpoint responds. */
  readonly respond?: (fault: AppliedFault) => ApiResponse
  /** Runs the endpoint in another way. */
  readonly run?: (fault: AppliedFault) => ApiResponse
}

/** How long a request is held by default, and at most, in milliseconds. */
const [defaultHold, maxHold] = [30_000, 600_000]

/** A day. Timers cannot wait longer than 24 days. */
const milliseconds = z.number().min(0).max(86_400_000)

const delay = z.union(
  [
    milliseconds,
    z.strictObject({ min: milliseconds, max: milliseconds }).refine(({ min, max }) => max >= min, {
      path: ['max'],
      error: 'expected at least min',
    }),
  ],
  { error: 'expected milliseconds, or { min, max }' },
)

/** The transport sets these headers, which describe the length and the end of the body. */
const transportHeaders = ['content-length', 'transfer-encoding', 'trailer']

/** The schema of the headers of a response. */
const headersSchema = z.record(z.string(), z.string()).refine(areValidHeaders, {
  error: `expected valid HTTP headers other than ${transportHeaders.join(', ')}`,
})

/** Responses with these statuses have no body. */
export const bodilessStatuses: readonly number[] = [204, 205, 304]

const kindNames = Object.keys(variantKinds) as readonly VariantKind[]

const variantSchema = z.union(
  [
    z.enum(kindNames),
    z.strictObject({ kind: z.enum(kindNames), field: z.string().min(1).exactOptional() }),
  ],
  { error: `expected one of ${kindNames.join(', ')}, or { kind, field }` },
)

const rowEdit = z.lazy(() => {
  const { rows, update, delete: deleted } = rowEditSchemas()
  return typed<RowEdit>(
    z
      .strictObject({
        rows: rows.exactOptional(),
        update: update.exactOptional(),
        delete: deleted.exactOptional(),
      })
      .refine((edit) => Object.keys(edit).length === 1, {
        error: 'expected one of rows, update and delete',
      }),
  )
})

const failureNames = Object.keys(failureFormats) as FailureName[]

/** Every effect. If a rule combines effects, the first one in the order of `effectNames` is its main effect. */
const effects: { readonly [Name in EffectName]: Effect<Name> } = {
  error: {
    schema: z.enum(failureNames),
    options: { detail: z.string(), retry_after_s: z.int().min(0) },
    respond({ effect, event, next }) {
      const failure = effectFailure(effect, event.request)
      event.authorize = () => {
        throw failure
      }
      const response = next(event)
      // An earlier check may refuse the request.
      if (response.failure === failure) addEffect(event, 'error')
      return response
    },
  },
  status: {
    schema: z.int().min(200).max(599),
    options: { headers: headersSchema, body: jsonValueSchema },
    respond({ effect, event }) {
      addEffect(event, 'status')
      return effectResponse(effect)
    },
  },
  drop: {
    schema: z.literal(true),
    respond({ event }) {
      addEffect(event, 'drop')
      return networkErrorResponse
    },
  },
  variant: {
    schema: variantSchema,
    run({ effect, event, next, sandbox }) {
      const { endpoint } = event.route
      const { untracked } = sandbox.settingTracker
      const response = next(event)
      // Its response describes the endpoint.
      if (endpoint.method === 'OPTIONS') return response
      const variant = variantOf(effect) as ResponseVariant
      const shape = responseShape(endpoint, untracked)
      const varied = varyResponse(response, variant, shape, event.request.url)
      if (varied !== response) addEffect(event, 'variant')
      return varied
    },
  },
  edit: {
    schema: z.array(rowEdit).min(1),
    run(fault) {
      const response = fault.next(fault.event)
      makeEdits(fault)
      return response
    },
  },
  cut_bytes: {
    schema: z.int().min(0),
    run: (fault) => withCutBody(fault, fault.next(fault.event)),
  },
  hold: {
    schema: z.literal(true),
    options: { timeout_ms: z.int().min(1).max(maxHold) },
    combinesWith: 'all',
  },
  delay_ms: {
    schema: delay,
    combinesWith: 'all',
  },
}

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

/**
 * Responds to a request as a fault says. If the client disconnects during a delay before the endpoint, the endpoint never
 * runs.
 */
export function applyFault(fault: AppliedFault): ApiResponse | Promise<ApiResponse> {
  const { phase, effect, event, next } = fault
  const { respond, run = () => next(event) } = effects[mainEffect(effect)]
  const response = phase === 'after-commit' ? run(fault) : null
  return afterDelay(fault, () => (respond ? respond(fault) : (response ?? run(fault))))
}

/** Runs a function after the hold and the delay. Without them, no timer is used. */
function afterDelay(
  { delay: milliseconds, effect, hold, event }: AppliedFault,
  respond: () => ApiResponse,
): ApiResponse | Promise<ApiResponse> {
  const { request } = event
  const onAbort = request.onAbort?.bind(request)
  const delayed = (): ApiResponse | Promise<ApiResponse> => {
    if (milliseconds === 0) return respond()
    addEffect(event, 'delay_ms')
    return wait(milliseconds, onAbort).then((goesOn) => (goesOn ? respond() : networkErrorResponse))
  }
  if (!effect.hold) return delayed()
  addEffect(event, 'hold')
  const { timeout_ms = defaultHold } = effect
  return hold(timeout_ms, onAbort).then((goesOn) => (goesOn ? delayed() : networkErrorResponse))
}

/** Changes rows after the request. The client of the request sees nothing of an edit that fails. */
function makeEdits({ effect: { edit = [] }, event, sandbox }: AppliedFault): void {
  const id = event.record.fault?.id ?? ''
  try {
    for (const each of edit) editRows(sandbox, each)
    addEffect(event, 'edit')
  } catch (error) {
    const { message } = error as Error
    sandbox.report(new UsageError(`An edit of the fault ${id} failed: ${message}`))
  }
}

/** Notes that an effect of the fault changed the response, or when it arrives. */
function addEffect({ record }: RequestEvent, name: EffectName): void {
  record.fault?.effects.push(name)
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
  const { phases } = effectTraits[main]
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

/** Whether a fault broke the connection within the body of a recorded response. @param length that of the whole body */
export function isBodyCut(
  { method, fault }: { method: string; fault: { effect?: unknown } | null },
  length: number,
): boolean {
  const { cut_bytes = length } = Object(fault?.effect) as FaultEffect
  return method !== 'HEAD' && cut_bytes < length
}

/** Breaks the connection within the body of a response. A shorter body arrives whole. */
function withCutBody(
  { effect: { cut_bytes = 0 }, event }: AppliedFault,
  response: ApiResponse,
): ApiResponse {
  const { body } = response
  if (isChunked(body) || event.request.method === 'HEAD') return response
  const text = bodyText(body)
  if (utf8Length(text) <= cut_bytes) return response
  addEffect(event, 'cut_bytes')
  return { ...response, body: cutBody(text, cut_bytes) }
}

/** A text of which only the first bytes are sent. The exception breaks the connection. */
function cutBody(text: string, bytes: number): WrittenText & AsyncIterable<Uint8Array> {
  return {
    text,
    async *[Symbol.asyncIterator]() {
      // An empty chunk lets the headers be sent.
      yield new TextEncoder().encode(text).subarray(0, bytes)
      throw createNetworkError()
    },
  }
}
