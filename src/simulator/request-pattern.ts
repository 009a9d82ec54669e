import * as z from 'zod'
import { pathItems } from '../api/endpoints.ts'
import { findApiKey } from '../http/check.ts'
import type { Call, PathParams } from '../http/endpoint.ts'
import { tryParseBody } from '../http/input.ts'
import { type OperationId, operationIds } from '../http/operation-id.ts'
import { splitPath } from '../http/route.ts'
import { isLike } from '../utils/diff.ts'
import { didYouMean, maxIssues } from '../utils/errors.ts'
import { mapValues } from '../utils/json.ts'
import { listOf, recordOf } from '../utils/options.ts'
import { parseQuery } from '../utils/query.ts'
import type { Json } from '../world/rows.ts'

export const requestMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

type RequestMethod = (typeof requestMethods)[number]

/** The requests that a fault rule matches. A request must match all fields that are set. */
export interface RequestPattern {
  /** The id of an operation, such as `listAnnotations`, or several. Excludes `method` and `path`. */
  readonly operation?: OperationId | readonly OperationId[]
  /** The method as sent: GET does not include HEAD. */
  readonly method?: RequestMethod | readonly RequestMethod[]
  /** A path below the base URL, such as `/api/projects/1/annotations`. `*` is any segment, `:name` any value of a parameter. */
  readonly path?: string
  /** The value or the label of a key. */
  readonly key?: string
  /** Parameters of the query, as the last value of each: `{ offset: 2 }`. Null for one that is not sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | null>>
  /** A part of the body: other fields are ignored, but no items of lists. */
  readonly body?: Json
}

const methodSchema = z.enum(requestMethods)

const paths = pathItems.map(({ path }) => path)

/** The id of an operation. A misspelt one would never match. */
export const operationSchema = z
  .string()
  .superRefine(checkOperation) as z.ZodType as z.ZodType<OperationId>

const operationsSchema = z
  .union([z.string(), listOf(z.string()).min(1)], {
    error: 'expected the id of an operation, or several',
  })
  .superRefine((ids, context) => {
    if (typeof ids === 'string') checkOperation(ids, context)
    else for (const [index, id] of ids.entries()) checkOperation(id, context, [index])
  })

function checkOperation(id: string, context: z.RefinementCtx, path: PropertyKey[] = []) {
  const ids: readonly string[] = operationIds
  if (ids.includes(id) || context.issues.length >= maxIssues) return
  // The verb or the resource alone names several.
  const near = ids.filter((known) => known.toLowerCase().includes(id.toLowerCase()))
  const params = { meant: near.join(' or ') || didYouMean(id, ids) }
  const message = 'expected the id of an operation, such as listAnnotations'
  context.addIssue({ code: 'custom', path, message, params })
}

const pathSchema = z
  .string()
  .regex(/^\/[^?#]*$/, {
    error: 'expected a path that starts with a slash, without a query',
    abort: true,
  })
  .refine(
    (path) => splitPath(path).every((segment) => segment === '*' || !/[*()[\]|^$+]/.test(segment)),
    {
      error: 'expected segments that are texts, :name or *, each of which is one segment',
      abort: true,
    },
  )
  .superRefine((path, context) => {
    if (paths.some((text) => matchesPath(path, text))) return
    const params = { meant: didYouMean(path, paths) }
    context.addIssue({ code: 'custom', message: 'expected the path of an operation', params })
  })

const parameterSchema = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'expected text, a number, true, false or null',
})

/** What rules and expectations say of the query and the body of a request. */
export const sentFields = {
  /** Parameters of the query, as the last value of each: `{ search: 'spring' }`. Null for one that is not sent */
  query: recordOf(parameterSchema).optional(),
  /** A part of the body: other fields are ignored, but no items of lists. */
  body: z.unknown().optional(),
}

/** The texts that are expected of the parameters of a query. Undefined for one that is not sent */
export function expectedTexts(query: NonNullable<RequestPattern['query']>): object {
  return mapValues(query, (value) => (value === null ? undefined : String(value)))
}

/** The fields of a pattern, for the schemas of rules. */
export const requestPatternFields: Readonly<Record<keyof RequestPattern, z.ZodOptional>> = {
  operation: operationsSchema.optional(),
  method: z
    .union([methodSchema, listOf(methodSchema).min(1)], {
      error: `expected ${requestMethods.join(', ')}`,
    })
    .optional(),
  path: pathSchema.optional(),
  key: z.string().optional(),
  ...sentFields,
}

export function matchesRequest(
  { operation, method, path, key, query, body }: RequestPattern,
  { endpoint, params, request, world }: Call,
): boolean {
  if (operation !== undefined && ![operation].flat().some((id) => id === endpoint.operation))
    return false
  if (method !== undefined && ![method].flat().some((name) => name === request.method)) return false
  if (path !== undefined && !matchesPath(path, endpoint.path, params)) return false
  if (query && !isLike(expectedTexts(query), Object.fromEntries(parseQuery(request.query))))
    return false
  // Not those of the call: the response does not depend on what a fault looks for.
  const { tables, settings } = world
  if (body !== undefined && !isLike(body, tryParseBody(request, settings))) return false
  if (key === undefined) return true
  const value = findApiKey(request, settings, () => tryParseBody(request, settings))?.value
  return value !== undefined && (value === key || tables.keys.get(value)?.label === key)
}

/**
 * Whether the path of a pattern matches the path of an endpoint. Its segments are literals, `*`, `:name` or `{name}`.
 *
 * @param endpointPath such as `/api/projects/:project_id`
 * @param params the values of its parameters. Without a value, any literal matches
 */
export function matchesPath(path: string, endpointPath: string, params: PathParams = {}): boolean {
  const [segments, endpointSegments] = [splitPath(path), splitPath(endpointPath)]
  return (
    segments.length === endpointSegments.length &&
    endpointSegments.every((endpointSegment, index) => {
      const segment = segments[index] as string
      if (!endpointSegment.startsWith(':')) return segment === '*' || segment === endpointSegment
      const value = params[endpointSegment.slice(1)]
      return /^([:{]|\*$)/.test(segment) || value === undefined || value === segment
    })
  )
}
