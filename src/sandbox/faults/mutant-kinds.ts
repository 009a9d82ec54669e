import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { queryString, withQuery } from '../../http/url.ts'
import { isObject, type Json } from '../../utils/json.ts'
import { annotation } from '../../world/entities/annotation.ts'
import { plugin } from '../../world/entities/plugin.ts'
import {
  isPage,
  isRecord,
  isTime,
  mapFields,
  type ResponseField,
  rowShapeOf,
} from './response-fields.ts'
import type { MutantKind } from './rule.ts'

/** Changes fields. A change that has no effect returns the same value. */
export interface FieldMutant {
  readonly canChange: (field: ResponseField) => boolean
  readonly change: (value: unknown, field: ResponseField) => unknown
  /** Whether a changed value means what the value meant, so that a client that wrote it may get it */
  readonly keepsMeaning?: (value: unknown, changed: unknown) => boolean
}

/** Fields of a fixed set of values that the documentation does not show, and some that were seen. */
const openSets: Readonly<Record<string, readonly string[]>> = {
  plugin_type: ['local', 'custom', 'repository', 'source'],
  creation_type: ['USR', 'GIT'],
  scope: ['dashboard_item', 'project', 'organization'],
}

/** The value that the documentation does not show. */
export const newValue = 'new_value'

/** Fields that people write, with the longest text that the service stores, or a long one if it is unlimited. */
const freeTexts: Readonly<Record<string, number>> = {
  content: annotation.fields.content.max ?? 0,
  name: plugin.fields.name.max ?? 0,
  ...{ description: 1_000, insight_name: 400, organization_name: 1_000 },
  ...{ first_name: 150, last_name: 150 },
}

const isFreeText = ({ name }: ResponseField) => Object.hasOwn(freeTexts, name)

export const fieldMutants: Partial<Record<MutantKind, FieldMutant>> = {
  null: { canChange: canBeNull, change: () => null },
  new_value: {
    canChange: ({ name }) => Object.hasOwn(openSets, name),
    change: () => newValue,
  },
  extra_field: {
    canChange: isRecord,
    change: (value) => (isObject(value) ? { ...value, added_field: 'added' } : value),
    keepsMeaning: () => true,
  },
  empty_text: { canChange: isFreeText, change: replaceText(() => '') },
  long_text: {
    canChange: isFreeText,
    change: replaceText(({ name }) => 'A very long text. '.repeat(60).slice(0, freeTexts[name])),
  },
  right_to_left: {
    canChange: isFreeText,
    change: replaceText(() => 'نص من اليمين إلى اليسار (טקסט, 1.0)'),
  },
  empty_map: {
    canChange: (field) => !isRecord(field) && isMap(field),
    change: (value) => (isObject(value) && Object.keys(value).length > 0 ? {} : value),
  },
  milliseconds: {
    canChange: isTime,
    change: withFraction((digits) => `.${digits.slice(0, 3)}`),
    keepsMeaning: isSameTime,
  },
  seconds: { canChange: isTime, change: withFraction(() => ''), keepsMeaning: isSameTime },
  offset: {
    canChange: isTime,
    change: (value) =>
      typeof value === 'string' && /\d\dT.*Z$/.test(value) ? `${value.slice(0, -1)}+00:00` : value,
    keepsMeaning: isSameTime,
  },
  other_value: {
    canChange: ({ path }) => path !== '' && path !== 'id',
    // The fields of an object change with it.
    change: (value, field) => (isRecord(field) ? value : otherValue(value as Json, field)),
  },
}

/** The documentation says of structured values that they may be null. They can have any JSON value. */
function canBeNull({ schema }: ResponseField): boolean {
  const { type, anyOf } = schema as { type?: unknown; anyOf?: readonly JsonSchema[] }
  if (Array.isArray(type)) return type.includes('null')
  return anyOf ? anyOf.some((each) => each.type === 'null') : Object.keys(schema).length === 0
}

/** Whether a field has any JSON value, or an object whose keys are free. */
function isMap({ schema }: ResponseField): boolean {
  const { anyOf = [schema] } = schema as { anyOf?: readonly JsonSchema[] }
  return anyOf.some((each) => 'additionalProperties' in each || Object.keys(each).length === 0)
}

function replaceText(text: (field: ResponseField) => string): FieldMutant['change'] {
  return (value, field) => (typeof value === 'string' ? text(field) : value)
}

/** Replaces the fraction of the seconds of a time. @param change gets at least three digits */
function withFraction(change: (digits: string) => string): FieldMutant['change'] {
  return (value) => {
    if (typeof value !== 'string') return value
    return value.replace(
      /(:\d\d)(?:\.(\d+))?Z$/,
      (_, seconds: string, digits = '') => `${seconds}${change(digits.padEnd(3, '0'))}Z`,
    )
  }
}

/** Whether two times are the same moment, to the microsecond. */
function isSameTime(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((time) =>
    String(time)
      .replace(/(\+00:00|Z)$/, '')
      .replace(/(\.\d*?)0*$/, '$1')
      .replace(/\.$/, ''),
  )
  return first === second
}

/** Another ordinary value of the same form: a client that fails with it, too, rests on this very value. */
function otherValue(value: Json, field: ResponseField): unknown {
  if (typeof value === 'number') return value + 1
  if (isTime(field)) return anotherDay(value)
  if (typeof value === 'string') {
    const others = openSets[field.name]?.filter((each) => each !== value) ?? []
    return others[0] ?? otherText(value)
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value as Record<string, Json>)
  return Object.fromEntries(entries.map(([key, each]) => [key, otherValue(each, field)]))
}

/** Replaces each letter and digit by another one, so that texts that differ still do. */
function otherText(text: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) {
    return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`
  }
  return text.replace(/[a-z\d]/gi, (character) => {
    if (/\d/.test(character)) return String((Number(character) + 5) % 10)
    const first = character < 'a' ? 65 : 97
    return String.fromCharCode(((character.charCodeAt(0) - first + 13) % 26) + first)
  })
}

/** A time on the day before. */
function anotherDay(value: Json): unknown {
  const [day, time] = String(value).split('T')
  const milliseconds = Date.parse(`${day}T00:00:00Z`) - 86_400_000
  if (time === undefined || Number.isNaN(milliseconds)) return value
  return `${new Date(milliseconds).toISOString().slice(0, 10)}T${time}`
}

/** Reads a page with other parameters, in the same moment. */
export type ReadPage = (query: URLSearchParams) => unknown

/** Changes a body as a whole. A change that has no effect returns the same body. */
interface BodyMutant {
  readonly canChange: (shape: JsonSchema) => boolean
  /** Whether it reads the list by limit and offset */
  readonly needsOffset?: boolean
  /**
   * @param url the absolute URL of the request
   * @param read by default returns the body, to find out whether there is a change
   */
  readonly change: (body: unknown, shape: JsonSchema, url: string, read: ReadPage) => unknown
}

interface PageBody {
  readonly count: number
  readonly next: string | null
  readonly results: readonly unknown[]
}

/** Marks the requests that followed a mutated link. The service ignores unknown parameters, and its links keep them. */
const marker = 'cursor'

/** The rows of a page that is smaller than the limit, as of a service with a low maximum. */
const shortPage = 2

/** A limit above each maximum that was ever heard of is a wish for all rows. */
const wishForAll = 100

export const bodyMutants: Partial<Record<MutantKind, BodyMutant>> = {
  empty_page: pageMutant((page, query, url) => {
    if (query.has(marker) || page.results.length === 0) return page
    query.set(marker, '1')
    return { ...page, next: withQuery(url, query), results: [] }
  }),
  short_page: listMutant((page, query, _url, read) => {
    if (numberOf(query, 'limit') <= wishForAll || page.results.length <= shortPage) return page
    query.set('limit', String(shortPage))
    return { ...(read(query) as PageBody) }
  }),
  row_order: listMutant((page, query, _url, read) => {
    const { count, results } = page
    if (count < 2 || results.length === 0) return page
    const offset = numberOf(query, 'offset')
    query.set('offset', String(Math.max(0, count - offset - results.length)))
    query.set('limit', String(results.length))
    return { ...page, results: [...(read(query) as PageBody).results].reverse() }
  }),
  repeated_row: listMutant((page, query, url, read) => {
    const offset = numberOf(query, 'offset')
    if (offset === 0) return page
    query.set('offset', String(offset - 1))
    const { results } = read(query) as PageBody
    if (results.length === 0) return page
    const count = page.count + 1
    const end = offset + results.length
    query.set('offset', String(end))
    const next = page.next ?? (end < count ? withQuery(url, query) : null)
    return { ...page, count, next, results }
  }),
  next_parameters: {
    canChange: isPage,
    change(body) {
      if (!isObject(body) || typeof body.next !== 'string') return body
      const query = new URLSearchParams(queryString(body.next))
      query.set(marker, '1')
      // The last value of a repeated parameter counts, so its values keep their order.
      const pairs = [...query].sort(([one], [other]) => (one < other ? 1 : one > other ? -1 : 0))
      return { ...body, next: body.next.replace(/\?.*/s, `?${new URLSearchParams(pairs)}`) }
    },
  },
  key_order: {
    canChange: (shape) => rowShapeOf(shape) !== undefined,
    change(body, shape) {
      const reversed = mapFields(body, shape, (value, field) =>
        isRecord(field) ? reverseFields(value) : value,
      )
      return isPage(shape) ? reverseFields(reversed) : reversed
    },
  },
}

/** A mutant of pages. */
function pageMutant(
  change: (page: PageBody, query: URLSearchParams, url: string, read: ReadPage) => unknown,
): BodyMutant {
  return {
    canChange: isPage,
    change(body, _shape, url, read) {
      if (!isObject(body) || !Array.isArray(body.results)) return body
      const query = new URLSearchParams(queryString(url))
      return change(body as object as PageBody, query, url, read)
    },
  }
}

/** A mutant of pages that are selected by limit and offset. */
function listMutant(change: Parameters<typeof pageMutant>[0]): BodyMutant {
  return { ...pageMutant(change), needsOffset: true }
}

/** The last value of a parameter counts. Any other text than a number counts as none. */
function numberOf(query: URLSearchParams, name: string): number {
  return Number(query.getAll(name).at(-1)) || 0
}

function reverseFields(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value
}
