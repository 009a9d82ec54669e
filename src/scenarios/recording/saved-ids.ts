import { mapValues } from '../../utils/json.ts'
import { aliasPattern, isAlias } from '../../utils/redaction/aliases.ts'
import type { RequestStep } from '../format/scenario.ts'
import { escapeBraces, fillForSending, matchers, toSpecialValue } from '../format/values.ts'

// Why a recorded id became `{annotation_id}`: `identifyValue` recognizes ids, links and aliases, in responses and in
// requests, and gives equal values equal keys. `IdRegistry` notes where each key occurs. If a request uses a value that
// an earlier response introduced, the step of that response saves it, and every other place names it.

/** A value that a later request may use. */
interface ValueId {
  /** Equal for equal values of the same kind, such as `annotation 12` */
  readonly key: string
  /** The preferred name of the saved value, such as `annotation_id` */
  readonly name: string
}

/** Where a response introduces a value. */
export interface ValueOrigin {
  readonly pointer: string
  readonly name: string
  /** As `typeof` says */
  readonly type: string
}

interface KnownValue {
  /** The first step whose request contains the value, unless an earlier response introduced it */
  readonly sentBy?: number
  /** The first step whose response contains the value */
  readonly introducedBy?: number
  readonly origin?: ValueOrigin
  /** Later steps that contain the value, in order */
  readonly mentions: number[]
  /** Set once a request has used the value */
  name?: string
}

/**
 * Tracks which response each value of a recording comes from. If a later request uses the value, the step of that
 * response saves it. Values that a request introduces are never saved.
 */
export class IdRegistry {
  readonly #values = new Map<string, KnownValue>()
  readonly #usedNames = new Set(['base_url'])
  readonly #saves = new Map<number, Record<string, string>>()
  #changedSteps = new Set<number>()

  isKnown(key: string): boolean {
    return this.#values.has(key)
  }

  addFromResponse(key: string, step: number, locate: () => ValueOrigin): void {
    if (this.#values.has(key)) this.addMention(key, step)
    else this.#values.set(key, { introducedBy: step, origin: locate(), mentions: [] })
  }

  /** Adds a value that occurs within another value of a response, such as an id in a link. */
  addMention(key: string, step: number): void {
    const { introducedBy = step, mentions = [] } = this.#values.get(key) ?? {}
    if (introducedBy !== step && mentions.at(-1) !== step) mentions.push(step)
  }

  /** Adds a value that a request introduces. */
  addSent(key: string, step: number): void {
    if (!this.#values.has(key)) this.#values.set(key, { sentBy: step, mentions: [] })
  }

  /** Returns the name under which the response of an earlier step is saved. Null if the request introduces the value. */
  useInRequest(key: string, step: number, type = 'string'): string | null {
    this.addSent(key, step)
    const value = this.#values.get(key) as KnownValue
    const { introducedBy, origin, mentions } = value
    if (introducedBy === undefined || !origin) return null
    if (type !== 'string' && type !== origin.type) return null
    if (value.name !== undefined) return value.name
    value.name = this.#reserveName(origin.name)
    this.#saves.set(introducedBy, {
      ...this.#saves.get(introducedBy),
      [value.name]: origin.pointer,
    })
    for (const changed of [introducedBy, ...mentions]) this.#changedSteps.add(changed)
    return value.name
  }

  /** The name of a value in a step, or null if no earlier step saves it. */
  nameAt(key: string, step: number): string | null {
    const { introducedBy = step, name = null } = this.#values.get(key) ?? {}
    return introducedBy < step ? name : null
  }

  /** The preferred name of a value that a response introduced. */
  originName(key: string | undefined): string | undefined {
    return this.#values.get(key ?? '')?.origin?.name
  }

  /** Whether the request of this step or of an earlier one introduced the value. */
  isSentBy(key: string, step: number): boolean {
    return (this.#values.get(key)?.sentBy ?? Number.POSITIVE_INFINITY) <= step
  }

  /** The values that a step saves: JSON Pointers by name. */
  savesOf(step: number): Readonly<Record<string, string>> | undefined {
    return this.#saves.get(step)
  }

  /** The steps that changed since the last call. */
  takeChanged(): Set<number> {
    const changed = this.#changedSteps
    this.#changedSteps = new Set()
    return changed
  }

  #reserveName(preferred: string): string {
    const base = preferred.replace(/\W/g, '_')
    let name = base
    for (let count = 2; this.#usedNames.has(name); count++) name = `${base}_${count}`
    this.#usedNames.add(name)
    return name
  }
}

/** The facts that identifying the values of a body needs. The kinds of its objects follow from the path. */
export interface ValueContext {
  readonly kinds: ResponseKinds
  readonly baseUrl: string
}

const idPattern = new RegExp(
  `${aliasPattern.source}|\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b`,
  'gi',
)

/** Identifies a value that a later request may use: an id, a link or an alias. Returns null for any other value. */
export function identifyValue(
  leaf: Leaf,
  { field, within }: Pick<ValueLocation, 'field' | 'within'>,
  { kinds, baseUrl }: ValueContext,
): ValueId | null {
  if (typeof leaf === 'string') {
    if (isBelowBaseUrl(leaf, baseUrl)) {
      return { key: linkKey(leaf.slice(baseUrl.length)), name: field || 'link' }
    }
    if (isAlias(leaf)) return { key: textKey(leaf), name: field || 'text' }
  } else if (!Number.isInteger(leaf) || leaf <= 0) {
    return null
  }
  const fieldKind = kindOfField(field, within)
  const isUuidText = typeof leaf === 'string' && isUuid(leaf)
  if ((fieldKind === undefined && !isUuidText) || leaf === '') return null
  const kindOfBody = kinds.subject?.id === String(leaf) ? kinds.subject.kind : kinds.kind
  const kind = fieldKind === undefined ? singular(field || kinds.kind) : (fieldKind ?? kindOfBody)
  return { key: isUuidText ? textKey(leaf) : `${kind} ${leaf}`, name: `${kind}_id` }
}

/** Returns the name of a saved value by its key, or null. A number only matches a saved number. */
export type ResolveName = (key: string, type?: string) => string | null

export function generalizePath(target: string, resolve: ResolveName): string {
  const [path = '', ...query] = target.split('?')
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

export function generalizeText(text: string, resolve: ResolveName): string {
  return text.replace(idPattern, (match) => {
    const name = resolve(textKey(match))
    return name === null ? match : `{${name}}`
  })
}

/** Replaces the base URL of the links in a text, and the ids in their paths. The text itself if it has no links. */
export function generalizeLinks(
  text: string,
  baseUrl: string,
  resolve: ResolveName,
): string | { $text: string } {
  const [before = '', ...targets] = text.split(`${baseUrl}/`)
  if (targets.length === 0) return text
  const links = targets.map(
    (target) => `{base_url}${generalizePath(`/${escapeBraces(target)}`, resolve)}`,
  )
  return { $text: escapeBraces(before) + links.join('') }
}

export function isBelowBaseUrl(address: string, baseUrl: string): boolean {
  return address.startsWith(baseUrl) && address[baseUrl.length] === '/'
}

/** The key of a link. @param target its path and query below the base URL */
export function linkKey(target: string): string {
  return `link ${target}`
}

function textKey(text: string): string {
  return `text ${text.toLowerCase()}`
}

/** Whether a key is that of a hidden value. */
export function isAliasKey(key: string): boolean {
  return key.startsWith(textKey('replaced-'))
}

/** What a path segment is the id of, by the segment before it. Null if the segment is not an id. */
function kindOfSegment(segments: readonly string[], index: number): string | null {
  const before = segments[index - 1]
  if (before === undefined || !isWord(before) || !isIdText(segments[index] as string)) return null
  return singular(before)
}

interface ResponseKinds {
  /** `annotation` for `/projects/1/annotations/`, `upgrade` for `/plugins/12/upgrade/` */
  readonly kind: string
  /** The object of an action such as `/plugins/12/upgrade/`: the response may contain it */
  readonly subject?: { readonly kind: string; readonly id: string }
}

export function kindsOfResponse(path: string): ResponseKinds {
  const segments = path.split('?')[0]?.split('/').filter(Boolean) ?? []
  const last = segments.at(-1) ?? ''
  const subjectKind = kindOfSegment(segments, segments.length - 2)
  const rowKind = kindOfSegment(segments, segments.length - 1)
  if (rowKind !== null) return { kind: rowKind }
  const kind = isWord(last) ? singular(last) : 'value'
  // A plural word is a list of rows, not an action.
  if (subjectKind === null || /^[a-z]+s$/i.test(last)) return { kind }
  return { kind, subject: { kind: subjectKind, id: segments.at(-2) as string } }
}

/** What an id is the id of, by its field. Null for the object of the whole body, undefined if the field is not an id. */
function kindOfField(field: string, within: readonly string[]): string | null | undefined {
  // Most fields are not ids. This test is faster than a pattern.
  if (!field.endsWith('id')) return undefined
  if (field === 'id' || field === 'uuid' || field === 'short_id') {
    const parent = within.findLast((name) => !listFields.includes(name))
    return parent === undefined ? null : singular(parent)
  }
  return /^(\w+)_(?:id|uuid)$/.exec(field)?.[1]
}

const listFields = ['results', 'data', 'items']

export function isUuid(text: string): boolean {
  return text.length === 36 && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isIdText(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text) || isUuid(text) || /^\{\w+\}$/.test(text)
}

function isWord(text: string): boolean {
  return /^[a-z][\w-]*$/i.test(text) && !isUuid(text)
}

export function singular(word: string): string {
  const name = word.replace(/\W/g, '_')
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  const isPlural = name.endsWith('s') && !name.endsWith('ss') && !name.endsWith('us')
  return isPlural ? name.slice(0, -1) : name
}

export interface ValueLocation {
  /** The name of its field. An item has the field of its list. Empty for the whole body */
  readonly field: string
  /** The fields that lead to its object, without list positions */
  readonly within: readonly string[]
  readonly parent: ValueLocation | null
  readonly name: string
}

const wholeBody: ValueLocation = { field: '', within: [], parent: null, name: '' }

export function toPointer({ parent, name }: ValueLocation): string {
  if (!parent) return ''
  return `${toPointer(parent)}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A text or a number. Other scalars are the same everywhere, so they identify nothing. */
export type Leaf = string | number

/** Maps the texts and numbers of a JSON value. Literals stay as they are. */
export function mapLeaves(
  value: unknown,
  change: (leaf: Leaf, location: ValueLocation) => unknown,
  location: ValueLocation = wholeBody,
): unknown {
  if (isNoLeaf(value)) return value
  if (typeof value !== 'object') return change(value as Leaf, location)
  if (toSpecialValue(value)?.keyword === '$literal') return value
  const isList = Array.isArray(value)
  const within =
    isList || location.field === '' ? location.within : [...location.within, location.field]
  // Half of all values are no leaves. They need no location.
  return mapValues(value, (inner, name) => {
    const field = isList ? location.field : name
    return isNoLeaf(inner)
      ? inner
      : mapLeaves(inner, change, { field, within, parent: location, name })
  })
}

/** Calls a function with each text and number of a JSON value. */
export function eachLeaf(
  value: unknown,
  visit: (leaf: Leaf, location: ValueLocation) => void,
): void {
  mapLeaves(value, (leaf, location) => {
    visit(leaf, location)
    return leaf
  })
}

function isNoLeaf(value: unknown): value is boolean | null | undefined {
  return value === null || value === undefined || typeof value === 'boolean'
}

export function isTime(value: unknown): value is string {
  return matchers.time?.matches(value) === true
}

/** The keys of the times in the query and the body of a request. Different notations of a time have the same key. */
export function timesIn({ query = {}, body }: RequestStep): string[] {
  const keys: string[] = []
  eachLeaf([Object.values(query), withoutLiterals(body)], (leaf) => {
    if (isTime(leaf)) keys.push(timeKey(leaf))
  })
  return keys
}

/** The keys of the texts with a link in the body of a request: a service returns them as they were sent. */
export function linkTextsIn({ body, text }: RequestStep): string[] {
  const keys: string[] = []
  const fields = typeof text === 'string' ? [...new URLSearchParams(text).values()] : []
  eachLeaf([withoutLiterals(body), fields], (leaf) => {
    if (typeof leaf === 'string' && leaf.includes('://')) keys.push(linkTextKey(leaf))
  })
  return keys
}

function withoutLiterals(body: unknown): unknown {
  return fillForSending(body, new Map())
}

export function linkTextKey(text: string): string {
  return `link in ${text}`
}

export function timeKey(time: string): string {
  return `time ${Date.parse(time)}`
}
