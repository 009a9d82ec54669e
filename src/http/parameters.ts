import { type Resolvable, resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicyId, PolicySettings } from '../policies/policies.ts'
import { quoteJson } from '../utils/json.ts'
import { JsonPage, type Slice } from '../utils/json-page.ts'
import { integerDigits, parseInteger } from '../utils/python/text.ts'
import { Failure, notFound } from './failures.ts'
import {
  anyText,
  integer,
  type JsonSchema,
  listOf,
  nullableShape,
  objectOf,
  type Shape,
} from './fields/body-fields.ts'
import { queryString, withQuery } from './url.ts'

export interface Parameter<T> {
  readonly description: string
  /** The schema in the OpenAPI document, or null to leave the parameter out of it. */
  readonly schema: JsonSchema | null | ((settings: PolicySettings) => JsonSchema)
  /** Whether a query must have it. A path always has its parameters. */
  readonly required?: boolean
  /**
   * Parses the text of the parameter.
   *
   * @param text the last value if the parameter is repeated; null if it is missing
   * @throws Failure for a text that the service refuses
   */
  read(text: string | null, settings: PolicySettings): T
}

/** Parameters by name. A policy can decide between several ways to parse one. */
export type Parameters = { readonly [name: string]: Resolvable<Parameter<unknown>> }

export type ParameterValues<P> = {
  readonly [Name in keyof P]: P[Name] extends Resolvable<Parameter<infer T>> ? T : never
}

/** Parses all parameters. @param getText returns the text of a parameter, or null */
export function readParameters(
  parameters: Parameters,
  getText: (name: string) => string | null,
  settings: PolicySettings,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name in parameters) {
    const parameter = resolveByPolicy(parameters[name] as Resolvable<Parameter<unknown>>, settings)
    values[name] = parameter.read(getText(name), settings)
  }
  return values
}

export function pathParameter(description: string): Parameter<string> {
  return { description, schema: { type: 'string' }, read: (text) => text ?? '' }
}

/** The id of a row in a path. A text that is not an integer is a 404, as in the live service. */
export function integerIdParameter(description: string): Parameter<number> {
  return {
    description,
    schema: { type: 'integer' },
    read(text) {
      const id = parseInteger(text ?? '')
      if (id === undefined) throw notFound({ id: 'id.invalid' })
      return id
    },
  }
}

/** A parameter whose text is ignored. @param value its value in every request */
export function ignoredParameter<T>(value: T): Parameter<T> {
  return { description: 'Not read.', schema: null, read: () => value }
}

/**
 * The number of results per page. A text that is not a positive integer counts as the default, as in the live service.
 * There is no maximum unless the policy `lists.limit.maximum` sets one.
 *
 * @param defaultLimit a number, or the policy that sets it
 */
export function limitParameter(defaultLimit: PolicyId | number): Parameter<number> {
  const resolveDefault = (settings: PolicySettings) =>
    typeof defaultLimit === 'number' ? defaultLimit : Number(settings[defaultLimit])
  return {
    description: 'Results per page.',
    schema: (settings) =>
      numberOrDefault({ type: 'integer', minimum: 1, default: resolveDefault(settings) }, settings),
    read(text, settings) {
      const limit = parseInRange('limit', text, 1, settings) ?? resolveDefault(settings)
      const maximum = settings['lists.limit.maximum']
      return maximum === 'none' ? limit : Math.min(limit, Number(maximum))
    },
  }
}

/** The index of the first result. A text that is not an integer from 0 on counts as 0, as in the live service. */
export const offsetParameter: Parameter<number> = {
  description: 'Initial index.',
  schema: (settings) => numberOrDefault({ type: 'integer', minimum: 0, default: 0 }, settings),
  read: (text, settings) => parseInRange('offset', text, 0, settings) ?? 0,
}

/** The policy `lists.limit.invalid` decides whether any other text counts as the default. */
function numberOrDefault(number: JsonSchema, settings: PolicySettings): JsonSchema {
  if (settings['lists.limit.invalid'] === 'refused') return number
  return {
    anyOf: [number, { type: 'string', description: 'Any other value counts as the default.' }],
  }
}

function parseInRange(
  name: string,
  text: string | null,
  minimum: number,
  settings: PolicySettings,
): number | undefined {
  if (text === null) return undefined
  const number = parseInteger(text)
  if (number !== undefined && number >= minimum) return Math.min(number, Number.MAX_SAFE_INTEGER)
  if (settings['lists.limit.invalid'] === 'default') return undefined
  throw new Failure('validation_error', 'A valid integer is required.', { attr: name })
}

/** One page of a list. */
export interface Page<T> {
  /** The number of results on all pages. */
  count: number
  /** The absolute URL of the next page; null on the last page. */
  next: string | null
  /** The absolute URL of the previous page; null on the first page. */
  previous: string | null
  results: T[]
}

export function pageShape<T>(row: Shape<T>): Shape<Page<T>> {
  return objectOf({
    count: integer,
    next: nullableShape(anyText),
    previous: nullableShape(anyText),
    results: listOf(row),
  })
}

export interface LimitOffset {
  readonly limit: number
  readonly offset: number
}

/** Creates a page from a slice of a list, with links to the pages next to it. The last page of a slice is cached. */
export function toJsonPage<T>(
  slice: Slice<T>,
  url: string,
  position: LimitOffset,
): JsonPage<Page<T>> {
  if (slice.lastPage?.url !== url) {
    slice.lastPage = { url, page: createJsonPage(slice, url, position) }
  }
  return slice.lastPage.page as JsonPage<Page<T>>
}

function createJsonPage<T>(
  slice: Slice<T>,
  url: string,
  { limit, offset }: LimitOffset,
): JsonPage<Page<T>> {
  const next = offset + limit < slice.count ? pageLink(url, limit, offset, 1n) : null
  const previous = offset > 0 ? pageLink(url, limit, offset, -1n) : null
  const head = `{"count":${slice.count},"next":${quoteJson(next)},"previous":${quoteJson(previous)},"results":`
  return new JsonPage(head, slice)
}

/**
 * Returns the URL of a request with another offset. It always contains the effective limit, it omits an offset of 0 or
 * less, and it keeps all other parameters, sorted by name. Seen by running Django REST Framework, with numbers of any
 * size.
 */
function pageLink(url: string, limit: number, offset: number, pages: 1n | -1n): string {
  const text = queryString(url)
  if (usualQuery.test(text)) {
    const newOffset = offset + Number(pages) * limit
    const start = newOffset > 0 ? `&offset=${newOffset}` : ''
    const end = url.search(/[?#]/)
    return `${end < 0 ? url : url.slice(0, end)}?limit=${limit}${start}`
  }
  const query = new URLSearchParams(text)
  const exactLimit = exactNumber(query, 'limit', limit)
  const newOffset = exactNumber(query, 'offset', offset) + pages * exactLimit
  query.set('limit', String(exactLimit))
  if (newOffset > 0n) query.set('offset', String(newOffset))
  else query.delete('offset')
  return withQuery(url, query)
}

/** A query without other parameters, whose numbers lose no digits. Its links are written without parsing it. */
const usualQuery = /^(?:limit=\d{1,14})?(?:(?:^|&)offset=\d{1,14})?$/

/** The number of a parameter with all of its digits, since it is limited when it is read. */
function exactNumber(query: URLSearchParams, name: string, number: number): bigint {
  const isExact = number < Number.MAX_SAFE_INTEGER
  return BigInt(isExact ? number : (integerDigits(query.getAll(name).at(-1) ?? '') ?? number))
}
