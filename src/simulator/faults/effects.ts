import * as z from 'zod'
import { isAcceptable, refuse } from '../../http/check.ts'
import type { Call } from '../../http/endpoint.ts'
import { Failure, type FailureName, failureFormats } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyLength,
  bodyText,
  networkErrorResponse,
  type Pace,
} from '../../http/messages.ts'
import { throttledFailure } from '../../http/throttle.ts'
import { UsageError } from '../../utils/errors.ts'
import { utf8Length } from '../../utils/json.ts'
import { listOf, recordOf } from '../../utils/options.ts'
import { withIssues } from '../../utils/schema-issues.ts'
import type { OnAbort } from '../../utils/wait.ts'
import {
  type EditableState,
  editRows,
  findTooMany,
  type RowEdit,
} from '../../world/edit/edit-rows.ts'
import { jsonValueSchema, rowEditSchemas } from '../../world/schema/world-schema.ts'
import type { ChangeLog } from '../journal/changes.ts'
import type { FaultRecord } from '../journal/journal.ts'
import type { KeyLabels } from '../journal/key-labels.ts'
import { type EffectName, effectNames, type FaultEffect, maxFaultSeconds } from './fault.ts'

export interface FaultedState extends EditableState {
  readonly name: string | null
  readonly replaceCount: number
  readonly labels: Pick<KeyLabels, 'redactor'>
  readonly changes: Pick<ChangeLog, 'index' | 'writesSince'>
  readonly onError: (error: unknown) => void
}

/**
 * How a wait ends. `released`: the fault was removed, so that the request waits no more. `dropped`: the client has gone, or
 * a reset broke the connection.
 */
export type WaitEnd = 'over' | 'released' | 'dropped'

export interface AppliedFault {
  /** What the journal keeps of it. Effects are added when they happen */
  readonly record: FaultRecord
  readonly call: Call
  readonly state: FaultedState
  /** Makes the request wait. Null if faults take no time */
  readonly wait: ((milliseconds: number, onAbort?: OnAbort) => Promise<WaitEnd>) | null
}

/** How an effect is written, and what it does. Its words are in fault.ts, which pages import, too. */
interface Effect {
  readonly schema: z.ZodType
  /** The fields that are valid only beside it, or beside another effect that lists them, too */
  readonly options?: { readonly [Name in Exclude<keyof FaultEffect, EffectName>]?: z.ZodType }
  /** How many milliseconds the request or its response waits. */
  readonly wait?: (effect: FaultEffect) => number
  readonly prepare?: (fault: AppliedFault) => void
  /** Responds in place of the service. */
  readonly replace?: (fault: AppliedFault) => ApiResponse | undefined
  /** Changes the response of the service, or rows after it. */
  readonly change?: (fault: AppliedFault, response: ApiResponse) => ApiResponse
}

const timeout_ms = z.int().min(1).max(600_000)

/** The transport sets these headers, which describe the length and the end of the body. */
const transportHeaders = ['content-length', 'transfer-encoding', 'trailer']

const headersSchema = recordOf(z.string()).refine(areValidHeaders, {
  error: `expected valid HTTP headers other than ${transportHeaders.join(', ')}`,
})

/** @note Headers accepts control characters, which servers cannot send. */
function areValidHeaders(values: Readonly<Record<string, string>>) {
  try {
    return [...new Headers(values)].every(
      ([name, value]) =>
        !transportHeaders.includes(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    )
  } catch {
    return false
  }
}

const editSchema = z.lazy(() => {
  const edits = z.strictObject(rowEditSchemas()).partial()
  const error = 'expected one of rows, update and delete'
  const edit = edits.refine((given) => Object.keys(given).length === 1, { error })
  return edit as z.ZodType as z.ZodType<RowEdit>
})

export const effects: { readonly [Name in EffectName]: Effect } = {
  error: {
    schema: z.enum(Object.keys(failureFormats) as FailureName[]),
    options: { detail: z.string(), retry_after_s: z.int().min(0), headers: headersSchema },
    replace: injectedError,
  },
  status: {
    schema: z.int().min(200).max(599),
    options: { headers: headersSchema, body: jsonValueSchema },
    replace({ record, call }) {
      record.effects.push('status')
      return statusResponse(record.effect, call.request)
    },
  },
  drop: {
    schema: z.literal(true),
    replace({ record }) {
      record.effects.push('drop')
      return networkErrorResponse
    },
  },
  edit: {
    schema: withIssues(listOf(editSchema).min(1), (edits) =>
      Array.isArray(edits) ? findTooMany(edits) : [],
    ),
    prepare: editWorld,
    change(fault, response) {
      editWorld(fault)
      return response
    },
  },
  cut_bytes: { schema: z.int().min(0), change: withCutBody },
  hold: {
    schema: z.literal(true),
    options: { timeout_ms },
    wait: ({ timeout_ms = 30_000 }) => timeout_ms,
  },
  stall_bytes: {
    schema: z.int().min(0),
    options: { timeout_ms },
  },
  bytes_per_s: { schema: z.int().min(1) },
  delay_ms: {
    // Timers cannot wait longer than 24 days.
    schema: z
      .number()
      .min(0)
      .max(maxFaultSeconds * 1_000),
    wait: ({ delay_ms = 0 }) => delay_ms,
  },
}

/**
 * Responds to a request as a fault says. If the client disconnects during a wait before the endpoint, the endpoint never
 * runs.
 */
export function applyFault(
  fault: AppliedFault,
  answer: () => ApiResponse,
): ApiResponse | Promise<ApiResponse> {
  const { phase, effect } = fault.record
  const names = effectNames.filter((name) => effect[name] !== undefined)
  const waits = names.map((name) => [name, effects[name].wait?.(effect) ?? 0] as const)
  const replace = names.map((name) => effects[name].replace).find(Boolean)
  if (phase === 'before') {
    return afterWaits(fault, waits, () => {
      for (const name of names) effects[name].prepare?.(fault)
      return replace?.(fault) ?? answer()
    })
  }
  const response = names.reduce(
    (changed, name) => effects[name].change?.(fault, changed) ?? changed,
    answer(),
  )
  return afterWaits(fault, waits, () => replace?.(fault) ?? response)
}

/** Runs a function after the hold and the delay. Without them, no timer is used. */
function afterWaits(
  fault: AppliedFault,
  waits: readonly (readonly [name: EffectName, milliseconds: number])[],
  answer: () => ApiResponse,
) {
  const { wait, record, call } = fault
  const respond = () => withPace(fault, answer())
  const due = waits.filter(([, milliseconds]) => milliseconds > 0)
  if (!wait || due.length === 0) return respond()
  const waitAndRespond = async () => {
    for (const [name, milliseconds] of due) {
      record.effects.push(name)
      const end = await wait(milliseconds, call.request.onAbort?.bind(call.request))
      if (end === 'dropped') return networkErrorResponse
      if (end === 'released') return answer()
    }
    return respond()
  }
  return waitAndRespond()
}

function injectedError({ record, call }: AppliedFault): ApiResponse | undefined {
  const { effect } = record
  if (!isAcceptable(call)) return undefined
  const response = refuse(effectFailure(effect, call.request), call)
  record.effects.push('error')
  return { ...response, headers: { ...response.headers, ...toHeaders(effect, call.request) } }
}

/** The named error of the service. Without a detail, most errors have a fixed sentence. */
function effectFailure(
  { error: name = 'server_error', detail, retry_after_s: seconds }: FaultEffect,
  { method }: ApiRequest,
) {
  const sentence =
    name === 'throttled' && seconds !== undefined
      ? throttledFailure(seconds).detail
      : name === 'method_not_allowed'
        ? `Method "${method}" not allowed.`
        : undefined
  return new Failure(name, detail ?? sentence, seconds === undefined ? {} : { retryAfter: seconds })
}

function statusResponse(effect: FaultEffect, request: ApiRequest): ApiResponse {
  const { status = 200, body } = effect
  const headers = toHeaders(effect, request)
  if (body === undefined) return { status, headers, body: null }
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain;charset=utf-8' : 'application/json'
  return {
    status,
    headers: { 'content-type': type, ...headers },
    body: withLinks(isText ? body : JSON.stringify(body), request),
  }
}

/** Links lead to where a request was sent. */
function withLinks(text: string, { url }: ApiRequest) {
  return text.replaceAll('{base_url}', () => url.split('/api/', 1)[0] as string)
}

/** With names in lower case. */
function toHeaders({ headers = {} }: FaultEffect, request: ApiRequest): Record<string, string> {
  const entries = [...new Headers(headers)]
  return Object.fromEntries(entries.map(([name, value]) => [name, withLinks(value, request)]))
}

/** Changes rows. The client of the request sees nothing of an edit that fails. */
function editWorld({ record, state }: AppliedFault) {
  const { id, effect } = record
  const { index } = state.changes
  try {
    editRows(state, effect.edit ?? [])
    record.changes = state.changes.writesSince(index)
    record.effects.push('edit')
  } catch (error) {
    const { message } = error as Error
    record.failure = message
    state.onError(new UsageError(`An edit of the fault ${id} failed: ${message}`))
  }
}

/** How often a part of a slow body is sent, in milliseconds. */
const partInterval = 100

/** Lets the headers come, and the body stall or come slowly. A body that has no more bytes than that arrives whole. */
function withPace({ record, call, wait }: AppliedFault, response: ApiResponse) {
  const { stall_bytes, timeout_ms = 30_000, bytes_per_s } = record.effect
  const bytes = Math.min(
    bodyLength(response.body) ?? 0,
    response.cutAfter ?? Number.POSITIVE_INFINITY,
  )
  const stalls = stall_bytes !== undefined && stall_bytes < bytes
  const isSlow = bytes_per_s !== undefined && bytes > 0
  if (!(stalls || isSlow) || !wait || response.status === 0 || call.request.method === 'HEAD')
    return response
  const part = isSlow ? Math.ceil((bytes_per_s * partInterval) / 1_000) : bytes
  const pauseOfPart = isSlow ? (part / bytes_per_s) * 1_000 : 0
  if (stalls) record.effects.push('stall_bytes')
  if (isSlow) record.effects.push('bytes_per_s')
  let stallAt = stalls ? stall_bytes : null
  let isReleased = false
  const pace: Pace = async (sent, onAbort) => {
    const isStall = sent === stallAt
    if (isStall) stallAt = null
    for (const pause of isStall ? [timeout_ms, pauseOfPart] : [pauseOfPart]) {
      if (isReleased || pause === 0) continue
      const end = await wait(pause, onAbort)
      if (end === 'dropped') return null
      isReleased = end === 'released'
    }
    return isReleased ? bytes : Math.min(sent + part, stallAt ?? bytes)
  }
  return { ...response, pace }
}

/** Breaks the connection within the body of a response. A shorter body arrives whole. */
function withCutBody({ record, call }: AppliedFault, response: ApiResponse) {
  const { cut_bytes = 0 } = record.effect
  const isWhole = utf8Length(bodyText(response.body)) <= cut_bytes
  if (isWhole || call.request.method === 'HEAD') return response
  record.effects.push('cut_bytes')
  return { ...response, cutAfter: cut_bytes }
}
