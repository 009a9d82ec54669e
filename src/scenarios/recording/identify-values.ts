import { mapValues } from '../../utils/json.ts'
import { matchers } from '../format/matchers.ts'
import type { RequestStep } from '../format/scenario.ts'
import { toSpecialValue } from '../format/values.ts'
import { aliasPattern, isAlias } from './aliases.ts'
import type { IdRegistry, ValueId } from './id-registry.ts'
import { isBelowBaseUrl } from './request-parts.ts'

/** What the values of a body may be: the path that was asked says what its objects are. */
export interface ValueContext {
  readonly kinds: ResponseKinds
  readonly baseUrl: string
  readonly origins: Pick<IdRegistry, 'isKnown'>
}

const idPattern = new RegExp(
  `${aliasPattern.source}|\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b`,
  'gi',
)

/** A value of a body that may come back in a later request; null for one that is only itself. */
export function identifyValue(
  leaf: Leaf,
  spot: ValueLocation,
  { kinds, baseUrl }: Pick<ValueContext, 'kinds' | 'baseUrl'>,
): ValueId | null {
  const { field, within } = spot
  if (typeof leaf === 'string') {
    if (isBelowBaseUrl(leaf, baseUrl)) {
      return { key: linkKey(leaf.slice(baseUrl.length)), name: field || 'link' }
    }
    if (isAlias(leaf)) {
      return { key: textKey(leaf), name: field || 'text' }
    }
  } else if (!Number.isInteger(leaf) || leaf <= 0) {
    return null
  }
  const kind = kindOfField(field, within)
  const isId = typeof leaf === 'string' && isUuid(leaf)
  if ((kind === undefined && !isId) || leaf === '') return null
  const called =
    kind ?? (kind === undefined ? singular(field || kinds.kind) : kindOfWhole(leaf, kinds))
  return { key: isId ? textKey(leaf) : `${called} ${leaf}`, name: `${called}_id` }
}

function kindOfWhole(leaf: Leaf, { kind, subject }: ResponseKinds): string {
  return subject?.id === String(leaf) ? subject.kind : kind
}

/** Gives names for keys; null for what has none. */
export type ResolveName = (key: string) => string | null

/** A path and a query with names in place of what is saved. */
export function generalizePath(place: string, resolve: ResolveName): string {
  const [path = '', ...query] = place.split('?')
  const segments = path.split('/')
  const words = segments.filter(Boolean)
  let index = -1
  const named = segments.map((segment) => {
    if (segment === '') return segment
    index += 1
    const kind = kindOfSegment(words, index)
    if (kind === null || isUuid(segment)) return generalizeText(segment, resolve)
    const name = resolve(`${kind} ${segment}`)
    return name === null ? segment : `{${name}}`
  })
  return [named.join('/'), ...query.map((text) => generalizeText(text, resolve))].join('?')
}

/** A text with names in place of the ids and replacements in it that are saved. */
export function generalizeText(text: string, resolve: ResolveName): string {
  return text.replace(idPattern, (found) => {
    const name = resolve(textKey(found))
    return name === null ? found : `{${name}}`
  })
}

/** What a link is told apart by. */
export function linkKey(relative: string): string {
  return `link ${relative}`
}

/** What a text is told apart by that is never two things. */
export function textKey(text: string): string {
  return `text ${text.toLowerCase()}`
}

/** What a segment of a path is the id of, by the word before it; null for one that is no id. */
function kindOfSegment(segments: readonly string[], index: number): string | null {
  const before = segments[index - 1]
  if (before === undefined || !isWord(before) || !isIdText(segments[index] as string)) return null
  return singular(before)
}

/** What the objects of an answer are, by the path that was asked. */
interface ResponseKinds {
  /** Of `/projects/1/annotations/` annotations, of `/plugins/12/upgrade/` an upgrade */
  readonly kind: string
  /** Of `/plugins/12/upgrade/` what is upgraded: it may be what is answered */
  readonly subject?: { readonly kind: string; readonly id: string }
}

/** What the objects of an answer are. */
export function kindsOfResponse(path: string): ResponseKinds {
  const segments = path.split('?')[0]?.split('/').filter(Boolean) ?? []
  const last = segments.at(-1) ?? ''
  const before = kindOfSegment(segments, segments.length - 2)
  const own = kindOfSegment(segments, segments.length - 1)
  if (own !== null) return { kind: own }
  const kind = isWord(last) ? singular(last) : 'value'
  // Lists are called by their rows, in the plural.
  if (before === null || /^[a-z]+s$/i.test(last)) return { kind }
  return { kind, subject: { kind: before, id: segments.at(-2) as string } }
}

/** What an id is the id of, by its field: itself where that is null. */
function kindOfField(field: string, within: readonly string[]): string | null | undefined {
  // Most fields are none: they are told apart before anything is matched.
  if (!field.endsWith('id')) return undefined
  if (field === 'id' || field === 'uuid' || field === 'short_id') {
    const around = within.findLast((name) => !wrappers.includes(name))
    return around === undefined ? null : singular(around)
  }
  return /^(\w+)_(?:id|uuid)$/.exec(field)?.[1]
}

/** Fields that hold the rows of a list. */
const wrappers = ['results', 'data', 'items']

/** A UUID. */
export function isUuid(text: string): boolean {
  return text.length === 36 && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isIdText(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text) || isUuid(text) || /^\{\w+\}$/.test(text)
}

function isWord(text: string): boolean {
  return /^[a-z][\w-]*$/i.test(text) && !isUuid(text)
}

/** A word for one of what another word is for many. */
export function singular(word: string): string {
  const name = word.replace(/\W/g, '_')
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  const isMany = name.endsWith('s') && !name.endsWith('ss') && !name.endsWith('us')
  return isMany ? name.slice(0, -1) : name
}

/** Where a value stands within a body. */
export interface ValueLocation {
  /** JSON Pointer */
  readonly pointer: string
  /** The name of its field; of an item that of its list; empty for the whole */
  readonly field: string
  /** The fields that lead to the object that it is in, without positions */
  readonly within: readonly string[]
}

/** A value that may come back: what is true, false or null tells nothing apart. */
export type Leaf = string | number

/**
 * A JSON value with others in place of its texts and numbers; the same one where none is another. What is literal
 * stays.
 *
 * @param change gives what stands in place of one
 */
export function mapLeaves(
  value: unknown,
  change: (leaf: Leaf, spot: ValueLocation) => unknown,
  spot: ValueLocation = { pointer: '', field: '', within: [] },
): unknown {
  if (isUntracked(value)) return value
  if (typeof value !== 'object') return change(value as Leaf, spot)
  if (toSpecialValue(value)?.keyword === '$literal') return value
  const isList = Array.isArray(value)
  const within = isList || spot.field === '' ? spot.within : [...spot.within, spot.field]
  // Where nothing is told, no place is made up: that is half of the values.
  return mapValues(value, (inner, name) =>
    isUntracked(inner)
      ? inner
      : mapLeaves(inner, change, new LazyLocation(spot, name, isList ? spot.field : name, within)),
  )
}

function isUntracked(value: unknown): value is boolean | null | undefined {
  return value === null || value === undefined || typeof value === 'boolean'
}

/** The pointer is put together when it is asked for: of most values nobody wants to know. */
class LazyLocation implements ValueLocation {
  readonly #around: ValueLocation
  readonly #name: string
  readonly field: string
  readonly within: readonly string[]

  constructor(around: ValueLocation, name: string, field: string, within: readonly string[]) {
    this.#around = around
    this.#name = name
    this.field = field
    this.within = within
  }

  get pointer(): string {
    return `${this.#around.pointer}/${this.#name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  }
}

/** Whether a value is a time, however it is written. */
export function isTime(value: unknown): value is string {
  return matchers.time?.matches(value) === true
}

/** The moments that a request brings, in milliseconds since 1970. */
export function timesIn({ query = {}, body }: RequestStep): number[] {
  const times: number[] = []
  mapLeaves([Object.values(query), body], (leaf) => {
    if (isTime(leaf)) times.push(Date.parse(leaf))
    return leaf
  })
  return times
}
