import * as z from 'zod'
import { isDeeperThan } from '../../utils/foreign-json.ts'
import { parseOptions, typed } from '../../utils/schema-issues.ts'
import type { Json } from '../../world/rows.ts'
import { jsonValueSchema } from '../../world/schema/field-schemas.ts'
import { isJson, maxJsonDepth } from '../../world/world-format.ts'
import { findEffectIssues, headersSchema } from '../faults/effects.ts'
import type { FaultEffect, FaultMethod } from '../faults/rule.ts'
import type { JournalEntry, JournalMessage } from '../journal/entry.ts'
import { findPatternIssue, type RequestPattern, requestPatternFields } from '../request-pattern.ts'
import { type RuleWhen, whenSchema } from '../rule-list.ts'

/**
 * Holds matching requests. Without operation, method, path and key it matches every request to the API.
 *
 * @example { operation: 'createAnnotation', when: { times: 1 }, timeout_ms: 5_000 }
 */
export interface BreakpointRequest extends RequestPattern {
  /** An operation id, such as `createAnnotation`. Excludes `method` and `path`. */
  readonly operation?: string
  /** The method as sent: GET does not include HEAD. */
  readonly method?: FaultMethod | readonly FaultMethod[]
  /** Which of the matching requests are held. By default all of them. */
  readonly when?: RuleWhen
  /** How long a request is held, in milliseconds, from 1 to 600,000. Then it continues. Defaults to 30,000. */
  readonly timeout_ms?: number
}

/** A breakpoint that was added, with its counters. */
export interface BreakpointInfo extends BreakpointRequest {
  readonly id: string
  /** In milliseconds. */
  readonly timeout_ms: number
  /** How many requests it matched. */
  readonly matched: number
  /** How many requests it held, or would have held. */
  readonly applied: number
  /** Why it can never hold a request, or null. */
  readonly warning: string | null
}

/** A request that waits at a breakpoint. Keys are masked. */
export interface HeldRequestInfo
  extends Pick<JournalEntry, 'at' | 'method' | 'path' | 'query' | 'key'> {
  /** The id of its future journal entry. */
  readonly id: number
  /** The id of the breakpoint. */
  readonly breakpoint: string
  /** The time until it continues by itself, in milliseconds. */
  readonly remaining_ms: number
  /** The operation id, or null for a method that the path does not have. */
  readonly operation: string | null
  /** A body of more than 256 KiB is omitted. */
  readonly request: JournalMessage
}

/** The parts of a held request to replace. What is left out stays as the client sent it. */
export interface RequestChanges {
  /** Not HEAD: the client would wait for a body. A HEAD request that becomes another one gets the headers alone. */
  readonly method?: Exclude<FaultMethod, 'HEAD'>
  /** The path with its query, such as `/api/projects/1/annotations/?limit=2`. */
  readonly path?: string
  /** The headers to set. Null removes a header, and the others stay. The sandbox of the request stays, too. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Text is sent as it is, any other value as JSON. An empty text stands for no body, as GET and HEAD need it. */
  readonly body?: Json
}

/** A response in place of that of the service. */
export interface FulfilledResponse {
  /** From 200 to 599. Defaults to 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is, any other value as JSON. */
  readonly body?: Json
}

/** A test can pass a value that no JSON text has: its message does not speak of levels. */
const bodySchema = z
  .unknown()
  .refine((value) => isDeeperThan(maxJsonDepth, value) || isJson(value), {
    error:
      'expected JSON values only: null, booleans, finite numbers, texts, lists and plain objects',
    abort: true,
  })
  .pipe(jsonValueSchema)

/** How long a request is held by default, and at most, in milliseconds. */
const [defaultTimeout, maxTimeout] = [30_000, 600_000]

const breakpointFields = {
  ...requestPatternFields,
  when: whenSchema.optional(),
  timeout_ms: z.int().min(1).max(maxTimeout).optional(),
} satisfies Record<keyof BreakpointRequest, z.ZodType>

export const breakpointSchema = typed<BreakpointRequest>(
  z.strictObject(breakpointFields).superRefine((breakpoint, context) => {
    const issue = findPatternIssue(breakpoint as RequestPattern)
    if (issue) context.addIssue({ code: 'custom', path: [issue[0]], message: issue[1] })
  }),
)

/** A breakpoint as it is listed. */
export const breakpointInfoSchema = typed<BreakpointInfo>(
  z.strictObject({
    id: z.string(),
    ...breakpointFields,
    timeout_ms: z.int(),
    matched: z.int(),
    applied: z.int(),
    warning: z.string().nullable(),
  } satisfies Record<keyof BreakpointInfo, z.ZodType>),
)

/** Removing a header needs no value: an empty one stands for it in the check of the names. */
const requestHeaders = z
  .record(z.string(), z.string().nullable())
  .superRefine((headers, context) => {
    const values = Object.entries(headers).map(([name, value]) => [name, value ?? ''])
    const [issue] = headersSchema.safeParse(Object.fromEntries(values)).error?.issues ?? []
    if (issue) context.addIssue({ code: 'custom', message: issue.message })
  })

export const changesSchema = typed<RequestChanges>(
  z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).optional(),
    path: z
      .string()
      .regex(/^\/api\/[^#]*$/, { error: 'expected a path such as /api/projects/' })
      .optional(),
    headers: requestHeaders.optional(),
    body: bodySchema.optional(),
  } satisfies Record<keyof RequestChanges, z.ZodType>),
)

export const fulfilledSchema = typed<FulfilledResponse>(
  z
    .strictObject({
      status: z.int().min(200).max(599).optional(),
      headers: headersSchema.optional(),
      body: bodySchema.optional(),
    } satisfies Record<keyof FulfilledResponse, z.ZodType>)
    .superRefine((response, context) => {
      for (const [field, message] of findEffectIssues(toEffect(response as FulfilledResponse))) {
        context.addIssue({ code: 'custom', path: field.split('.').slice(1), message })
      }
    }),
)

/** Copies a requested breakpoint. @throws UsageError with every issue */
export function parseBreakpoint(
  request: BreakpointRequest,
): BreakpointRequest & { readonly timeout_ms: number } {
  const parsed = parseOptions(breakpointSchema, request, 'add a breakpoint', 'breakpoint')
  return structuredClone({ timeout_ms: defaultTimeout, ...parsed })
}

/** @throws UsageError with every issue; then the request is still held */
export function parseChanges(changes: RequestChanges): RequestChanges {
  return parseOptions(changesSchema, changes, 'continue the request', 'changes')
}

/** The fault effect that responds in this way. @throws UsageError with every issue; then the request is still held */
export function parseFulfilled(response: FulfilledResponse): FaultEffect {
  const parsed = parseOptions(fulfilledSchema, response, 'fulfill the request', 'response')
  return toEffect(structuredClone(parsed))
}

function toEffect({ status = 200, ...rest }: FulfilledResponse): FaultEffect {
  return { status, ...rest }
}
