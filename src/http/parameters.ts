import { choose, type PerSetting, type SettingId, type SettingValues } from '../settings/setting.ts'
import { type JsonText, joinJsonRows } from '../utils/json.ts'
import { parseInteger } from '../utils/python.ts'
import { JsonPage, type KeptPages, type ShownPage } from '../world/response-texts.ts'
import type { OrderedRows } from '../world/table.ts'
import { Failure, notFound, quote } from './failures.ts'
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
  readonly schema: JsonSchema | null | ((settings: SettingValues) => JsonSchema)
  /** Whether a query must have it. A path always has its parameters. */
  readonly required?: boolean
  /**
   * Parses the text of the parameter.
   *
   * @param text the last value if the parameter is repeated; null if it is missing
   * @param notes gets what is ignored of the text
   * @throws Failure for a text that the service refuses
   */
  read(text: string | null, settings: SettingValues, notes?: ParameterNotes): T
}

/** What is ignored of a parameter: a value that counts as the default, or a part of a limit. */
export interface ParameterNote {
  readonly why: 'invalid' | 'lowered'
  /** The value that was sent, or the limit that the service reads */
  readonly value: string
}

/** What is ignored of parameters, by name. */
export type ParameterNotes = Map<string, ParameterNote>

/** Parameters by name. A setting can decide between several ways to parse one. */
export type Parameters = { readonly [name: string]: PerSetting<Parameter<unknown>> }

export type ParameterValues<P> = {
  readonly [Name in keyof P]: P[Name] extends PerSetting<Parameter<infer T>> ? T : never
}

/**
 * Parses all parameters.
 *
 * @param texts by name. A missing parameter has none
 * @param notes gets what is ignored of them
 */
export function readParameters(
  parameters: Parameters,
  texts: Readonly<Record<string, string>>,
  settings: SettingValues,
  notes?: ParameterNotes,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name in parameters) {
    const parameter = choose(parameters[name] as PerSetting<Parameter<unknown>>, settings)
    values[name] = parameter.read(texts[name] ?? null, settings, notes)
  }
  return values
}

/** A part of a path that is read as it is sent. @param schema what clients send */
export function pathParameter(
  description: string,
  schema: Parameter<string>['schema'],
): Parameter<string> {
  return { description, schema, read: (text) => text ?? '' }
}

/** The id of a project or an organization. By setting, a word stands for that of the user of the key. */
export function placeParameter(description: string, schema: JsonSchema): Parameter<string> {
  const accepted = { const: '@current', description: 'The current one of the user of the key.' }
  return pathParameter(description, (settings) =>
    settings['paths.current'] === 'on' ? { ...schema, 'x-accepts': [accepted] } : schema,
  )
}

/** The id of a row in a path. A text that is not an integer is a 404, as in the live service. */
export function integerIdParameter(description: string): Parameter<number> {
  return {
    description,
    schema: { type: 'integer' },
    read(text) {
      const id = parseInteger(text ?? '')
      if (id !== undefined) return id
      throw notFound(() => `${quote(text ?? '')} is not an id, which is a whole number`)
    },
  }
}

/** A parameter whose text is ignored. @param value its value in every request */
export function ignoredParameter<T>(value: T): Parameter<T> {
  return { description: 'Not read.', schema: null, read: () => value }
}

/**
 * The number of results per page. A text that is not a positive integer counts as the default, as in the live service.
 * There is no maximum unless the setting `lists.limit.maximum` sets one.
 *
 * @param defaultLimit a number, or the setting that sets it
 */
export function limitParameter(defaultLimit: SettingId | number): Parameter<number> {
  const resolveDefault = (settings: SettingValues) =>
    typeof defaultLimit === 'number' ? defaultLimit : Number(settings[defaultLimit])
  return {
    description: 'Results per page.',
    schema: (settings) =>
      numberOrDefault({ type: 'integer', minimum: 1, default: resolveDefault(settings) }, settings),
    read(text, settings, notes) {
      const sent = parseInRange('limit', text, 1, settings, notes)
      const limit = sent ?? resolveDefault(settings)
      const maximum = settings['lists.limit.maximum']
      if (maximum === 'none' || limit <= Number(maximum)) return limit
      if (sent !== undefined) notes?.set('limit', { why: 'lowered', value: String(maximum) })
      return Number(maximum)
    },
  }
}

/** The index of the first result. A text that is not an integer from 0 on counts as 0, as in the live service. */
export const offsetParameter: Parameter<number> = {
  description: 'Initial index.',
  schema: (settings) => numberOrDefault({ type: 'integer', minimum: 0, default: 0 }, settings),
  read: (text, settings, notes) => parseInRange('offset', text, 0, settings, notes) ?? 0,
}

/** The setting `lists.limit.invalid` decides whether any other text counts as the default. */
function numberOrDefault(number: JsonSchema, settings: SettingValues): JsonSchema {
  if (settings['lists.limit.invalid'] === 'refused') return number
  return { ...number, 'x-accepts': [otherAsDefault] }
}

/** What a parameter of numbers accepts as well. */
const otherAsDefault: JsonSchema = {
  type: 'string',
  description: 'Any other value counts as the default.',
}

function parseInRange(
  name: string,
  text: string | null,
  minimum: number,
  settings: SettingValues,
  notes?: ParameterNotes,
): number | undefined {
  if (text === null) return undefined
  const number = parseInteger(text)
  if (number !== undefined && number >= minimum) return Math.min(number, Number.MAX_SAFE_INTEGER)
  if (settings['lists.limit.invalid'] === 'default') {
    notes?.set(name, { why: 'invalid', value: text })
    return undefined
  }
  const reason = () => `?${name}: A valid integer is required`
  throw new Failure('validation_error', 'A valid integer is required.', { attr: name, reason })
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

interface LimitOffset {
  readonly limit: number
  readonly offset: number
}

/** Which rows of a list a page has, and the URL that was requested, from which its links are made. */
export interface LinkedWindow extends LimitOffset {
  readonly url: string
}

/** The pages that were made of a list. */
interface MadePages {
  readonly pages: KeptPages
  /** What they depend on beside the list and their window */
  readonly key: string
}

/** The rows of longer pages are not kept for the rules about clients. */
const maxShownRows = 10_000

/**
 * Makes a page of rows in order, with links to the pages next to it.
 *
 * @param write writes a row as responses have it
 * @param made a page that is one of them is not made again
 */
export function toPage<Row extends { readonly id: number }>(
  ordered: OrderedRows<Row>,
  window: LinkedWindow,
  write: (row: Row) => JsonText<unknown>,
  made?: MadePages,
): JsonPage {
  const { limit, offset, url } = window
  const key = `${made?.key} ${limit} ${offset} ${url}`
  const known = made?.pages.get(key)
  if (known !== undefined) return known
  const rows = ordered.slice(offset, limit)
  const [before] = offset > 0 ? ordered.slice(offset - 1, 1) : []
  const shown = { rows, ...linksOf(ordered.size, window), before: before?.id }
  const body = writePage(ordered.size, shown, rows.map(write))
  const page = new JsonPage(body, rows.length <= maxShownRows ? shown : undefined)
  made?.pages.set(key, page)
  return page
}

/** Makes a page of rows that are written already, of which the rules about clients know nothing. */
export function toTextPage(rows: readonly JsonText<unknown>[], window: LinkedWindow): JsonPage {
  const { limit, offset } = window
  const links = linksOf(rows.length, window)
  return new JsonPage(writePage(rows.length, links, rows.slice(offset, offset + limit)))
}

type Links = Pick<ShownPage, 'next' | 'previous'>

function linksOf(count: number, { limit, offset, url }: LinkedWindow): Links {
  return {
    next: offset + limit < count ? pageLink(url, limit, offset + limit) : null,
    previous: offset > 0 ? pageLink(url, limit, offset - limit) : null,
  }
}

function writePage(count: number, { next, previous }: Links, rows: readonly JsonText<unknown>[]) {
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  return joinJsonRows(rows, `{"count":${count},${links},"results":[`, ']}')
}

/**
 * Returns the URL of a request with another offset. It always contains the effective limit, it omits an offset of 0 or
 * less, and it keeps all other parameters, sorted by name. Seen by running Django REST Framework.
 */
function pageLink(url: string, limit: number, offset: number): string {
  const query = new URLSearchParams(queryString(url))
  query.set('limit', String(limit))
  if (offset > 0) query.set('offset', String(offset))
  else query.delete('offset')
  return withQuery(url, query)
}
