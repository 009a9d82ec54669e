import { isObject, tryParseJson } from '../utils/json.ts'
import { isCreation, numberIn, type Probe, type RowName, rows as rowsOfProbes } from './probes.ts'

/** A response to a probe, and what is known when it comes. */
interface Received {
  readonly probe: Probe
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** What the row has afterwards: the values that were sent, and those that stay */
  readonly values: Readonly<Record<string, unknown>>
  /** The ids of the saved rows before the request */
  readonly rows: ReadonlyMap<string, string>
  /** The fields for whose values a simulator may have refused the request */
  readonly refused?: readonly string[]
}

/** An answer to a probe, which was read once, however often it is compared with others. */
export interface ProbeAnswer {
  readonly probe: Probe
  readonly status: number
  /** Of an error, and of an answer that errors are compared with. Null for any other */
  readonly error: ErrorBody | null
  /** What it shows beside other answers */
  readonly alone: Signature
}

/** What of the body of an error is compared with others. */
interface ErrorBody {
  readonly kind: keyof typeof forms
  /** Null without words */
  readonly message: string | null
}

export function readAnswer(received: Received): ProbeAnswer {
  const { probe, status, text } = received
  const parsed = tryParseJson(text)
  const kind = kindOf(text, parsed)
  const isCompared = status >= 400 || probe.like !== undefined
  const error = isCompared ? { kind, message: messageOf(status, parsed?.value) } : null
  return { probe, status, error, alone: signatureAlone(received, kind, parsed?.value) }
}

function kindOf(text: string, parsed: object | undefined): ErrorBody['kind'] {
  if (parsed) return 'json'
  return text === '' ? 'empty' : /^\s*</.test(text) ? 'html' : 'text'
}

export type Part = string | number | boolean

/** What an answer shows whatever rows a server has, and however it words its errors. */
export interface Signature {
  /** The status. All successes are `2xx`, and 422 counts as 400 */
  readonly status: string
  /** What no setting changes, so that only a report tells it: the exact status, the types of values, links, a count */
  readonly shown: Readonly<Record<string, Part>>
  /** What must be so before anything is concluded from the other parts: the kind of a body, own rows that it lists */
  readonly certain: Readonly<Record<string, Part>>
  /** Whether the fields that were sent are in the row as they were sent */
  readonly kept: Readonly<Record<string, boolean>>
  /** Headers, the form of an error, the limit in a link */
  readonly parts: Readonly<Record<string, Part>>
  /** The names of the fields of a row, and of the rows in it */
  readonly fields: ReadonlySet<string>
  /** The names of the fields of the rows that it lists */
  readonly listed: ReadonlySet<string>
  /** The header `Allow`. Null without one */
  readonly allow: string | null
  /** The fields for whose values a simulator may have refused the request */
  readonly refused: readonly string[]
}

/** The answers that others are compared with, as far as they came. */
export type References = Partial<Record<NonNullable<Probe['like']>, ProbeAnswer>>

/** @returns null if something before the API has answered */
export function signatureOf(answer: ProbeAnswer, references: References): Signature | null {
  const { status, error, alone } = answer
  if (!error || status < 400) return alone
  const missing = references['missing row']?.error
  if (isPage(error) && missing && !isPage(missing)) return null
  return { ...alone, parts: { ...alone.parts, ...likenessesOf(answer, references) } }
}

function signatureAlone(answer: Received, kind: ErrorBody['kind'], body: unknown): Signature {
  const { status } = answer
  const parts: Record<string, Part> = headerParts(answer, body)
  const signature = {
    status: nameOfStatus(status),
    shown: shownParts(answer, body),
    parts,
    kept: {},
    fields: new Set<string>(),
    listed: new Set<string>(),
    allow: answer.headers.get('allow'),
    refused: answer.refused ?? [],
  }
  if (status >= 400) {
    const form = formOf(kind, body)
    const isOfKey = status === 401 || status === 403
    const some = kind === 'empty' ? 'empty' : 'some'
    Object.assign(parts, isOfKey ? { 'form of a refusal': form } : { form, body: some })
    return { ...signature, certain: {} }
  }
  const certain: Record<string, Part> = { body: kind === 'html' ? 'text' : kind }
  if (status >= 300 || !isObject(body)) {
    if (kind === 'json') parts.shape = Array.isArray(body) ? 'list' : 'value'
    return { ...signature, certain }
  }
  const results = Array.isArray(body.results) ? body.results.filter(isObject) : null
  parts.shape = results ? 'page' : 'object'
  parts.zero = body.id === 0
  if (results) {
    Object.assign(certain, listedOf(answer, results))
    Object.assign(parts, limitOf(answer, body, results.length))
  }
  // The results of other operations can be of several kinds.
  const isOfRows = results && /\/(annotations|plugins|projects)\/(?:\?.*)?$/.test(answer.probe.path)
  const listed = new Set(isOfRows ? results.flatMap(Object.keys) : [])
  return { ...signature, certain, kept: keptOf(answer, body), fields: fieldsOf(body), listed }
}

function nameOfStatus(status: number): string {
  if (status < 300) return '2xx'
  if (status < 400) return '3xx'
  return status === 422 ? '400' : `${status}`
}

/** What the headers of an answer show. */
function headerParts({ headers }: Received, body: unknown): Record<string, Part> {
  return {
    allow: headers.has('allow'),
    location: describeLocation(headers.get('location'), body),
    'www-authenticate': headers.has('www-authenticate'),
  }
}

/** What a client reads, and no setting changes. Types come first, since those of rows tell their fields, too. */
function shownParts(answer: Received, body: unknown): Record<string, Part> {
  const { probe, status, headers } = answer
  const challenge = headers.get('www-authenticate')
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';')
  const isRead = status < 300 && isObject(body)
  return {
    status,
    ...(challenge !== null && { 'header www-authenticate': challenge }),
    ...(body !== undefined && {
      'header content-type': mediaType.trim().toLowerCase() || 'absent',
    }),
    ...(isRead && typesOf(answer, body)),
    ...(isRead && Array.isArray(body.results) && linksOf(probe, body, body.results.length)),
  }
}

/**
 * The types of the values of a row or a page, and of its rows, but for values that were sent. Null can have any type in a
 * row of others.
 */
function typesOf(
  { probe, values }: Received,
  body: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const types: Record<string, string> = {}
  const add = (name: string, value: unknown): void => {
    const isTold = value !== null || name === 'count' || isCreation(probe)
    if (isTold) types[`type of ${name}`] = typeOf(value)
  }
  for (const row of [body, ...(Array.isArray(body.results) ? body.results : [])]) {
    for (const [name, value] of isObject(row) ? Object.entries(row) : []) {
      if (name in values) continue
      add(name, value)
      for (const key in isObject(value) ? value : {}) add(`${name}.${key}`, Object(value)[key])
    }
  }
  return types
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Whether the links of a page fit its place in the list. */
function linksOf(
  probe: Probe,
  { count, next, previous }: Readonly<Record<string, unknown>>,
  length: number,
): Record<string, Part> {
  const offset = numberIn(probe, 'offset')
  const link = next ?? previous
  const hasFurther = Number(count) > offset + length
  const odd = hasFurther
    ? 'null although count has further rows'
    : 'a link although count has no further row'
  const isOdd = typeof count === 'number' && length > 0 && hasFurther !== (next !== null)
  return {
    next: isOdd ? odd : 'as count says',
    ...(offset > 0 && { previous: previous === null ? 'null' : 'a link' }),
    ...(typeof link === 'string' && {
      links: URL.canParse(link) ? 'absolute URLs' : 'relative URLs',
    }),
  }
}

/** What a `Location` is, whatever row it is about. False without one */
function describeLocation(location: string | null, body: unknown): Part {
  if (location === null) return false
  const { url, id } = isObject(body) ? body : {}
  if (location === url || (location === 'None' && url === null)) return 'the url of the row'
  const path = location.replace(/\/$/, '')
  return path.endsWith(`/${id}`) ? 'the address of the row' : 'another address'
}

/** The form of an error without a body. */
export const emptyForm = 'nothing'

/** The forms of errors, by the kinds of their bodies. */
const forms = { empty: emptyForm, html: 'an HTML page', text: 'a text', json: 'a JSON value' }

/** The form of an error, with the names of its fields. */
function formOf(kind: ErrorBody['kind'], body: unknown): string {
  if (Array.isArray(body)) {
    const [first] = body
    return isObject(first) ? `a list of objects with ${fieldNames(first)}` : 'a list'
  }
  return isObject(body) ? `an object with ${fieldNames(body)}` : forms[kind]
}

function isPage({ kind }: ErrorBody): boolean {
  return kind === 'html' || kind === 'text'
}

/** The fields of an error. Those that are no text are another form. */
function fieldNames(body: Readonly<Record<string, unknown>>): string {
  const names = Object.entries(body).map(([name, value]) => {
    const isText = typeof value !== 'object' || value === null
    return isText ? name : `${name} (${Array.isArray(value) ? 'a list' : 'an object'})`
  })
  return names.length === 0 ? 'no field' : names.sort().join(', ')
}

/** With which of the other errors an error shares its message. Says nothing about those that share theirs. */
function likenessesOf(answer: ProbeAnswer, references: References): Record<string, boolean> {
  const message = answer.error?.message ?? null
  const likenesses: Record<string, boolean> = {}
  if (message === null) {
    // Without words, only another status is another cause.
    for (const [name, { status }] of Object.entries(references)) {
      if (status !== answer.status) likenesses[`like ${name}`] = false
    }
    return likenesses
  }
  const messages = Object.values(references).map(({ error }) => error?.message)
  for (const [name, { error }] of Object.entries(references)) {
    const known = error?.message ?? null
    const isAlone = messages.filter((text) => text === known).length === 1
    if (known !== null && answer.probe.like !== name && isAlone)
      likenesses[`like ${name}`] = known === message
  }
  return likenesses
}

/** The words of an error, whatever its form: all texts in it, without ids, numbers and quotations. */
function messageOf(status: number, body: unknown): string | null {
  const words: string[] = []
  const collect = (value: unknown, name: string): void => {
    if (typeof value === 'string') {
      if (!/id$|time|trace|path|instance/i.test(name)) words.push(withoutNames(value))
    } else if (typeof value === 'object' && value !== null) {
      for (const [field, inner] of Object.entries(value)) collect(inner, field)
    }
  }
  collect(body, '')
  return words.length === 0 ? null : [status, ...words].join(' ')
}

function withoutNames(text: string): string {
  return text.replace(/[0-9a-f-]{36}|\d+|"[^"]*"|'[^']*'/g, '#')
}

function keptOf(
  { values }: Received,
  row: Readonly<Record<string, unknown>>,
): Record<string, boolean> {
  const kept: Record<string, boolean> = {}
  for (const [name, value] of Object.entries(values)) {
    if (name in row) kept[name] = isSame(value, row[name])
  }
  return kept
}

function isSame(sent: unknown, got: unknown): boolean {
  if (JSON.stringify(sent) === JSON.stringify(got)) return true
  const isTime = typeof sent === 'string' && /^\d{4}-\d\d-\d\dT/.test(sent)
  return isTime && Date.parse(sent) === Date.parse(String(got))
}

function fieldsOf(row: Readonly<Record<string, unknown>>): Set<string> {
  const fields = new Set<string>()
  for (const [name, value] of Object.entries(row)) {
    fields.add(name)
    if (isObject(value)) for (const inner of Object.keys(value)) fields.add(`${name}.${inner}`)
  }
  return fields
}

/** Which own rows a list of their kind contains. Rows of other kinds can have the same ids. */
function listedOf(
  { probe, rows }: Received,
  results: readonly Record<string, unknown>[],
): Record<string, boolean> {
  const [, list] = /\/(annotations|plugins)\/(?:\?.*)?$/.exec(probe.path) ?? []
  // Nothing else can be an id, and not everything can be a text.
  const isId = (id: unknown) => typeof id === 'number' || typeof id === 'string'
  const ids = new Set(results.flatMap(({ id }) => (isId(id) ? [`${id}`] : [])))
  const listed: Record<string, boolean> = {}
  for (const [name, id] of rows) {
    const row = rowsOfProbes[name as RowName]
    if (row.isOwn && row.list === list) listed[`lists ${name}`] = ids.has(id)
  }
  return listed
}

/** The limit that a page applies, as its link to the page before it shows. Without a maximum, it is that of the request. */
function limitOf(
  { probe }: Received,
  { count, previous }: Readonly<Record<string, unknown>>,
  length: number,
): Record<string, Part> {
  if (typeof previous !== 'string' || !URL.canParse(previous, 'http://localhost')) return {}
  const { searchParams } = new URL(previous, 'http://localhost')
  const limit = Number(searchParams.get('limit') ?? Number.NaN)
  if (!Number.isSafeInteger(limit) || limit < 1) return {}
  const offset = numberIn(probe, 'offset')
  const isApplied =
    Number(searchParams.get('offset') ?? 0) === Math.max(0, offset - limit) &&
    (typeof count !== 'number' || length === Math.min(limit, Math.max(0, count - offset)))
  const isAsked = limit === numberIn(probe, 'limit')
  return { limit: isAsked ? 'that of the request' : limit, 'limit is applied': isApplied }
}

/**
 * What two answers to the same probe have in common. An answer that was another one the second time shows nothing.
 *
 * @returns null if they have nothing in common
 */
export function commonSignature(first: Signature, second: Signature): Signature | null {
  if (first.status !== second.status) return null
  const isSameBody =
    JSON.stringify([first.certain, first.kept]) === JSON.stringify([second.certain, second.kept]) &&
    [...first.fields].join() === [...second.fields].join()
  if (!isSameBody) return null
  const common = (its: Signature['parts'], others: Signature['parts']) =>
    Object.fromEntries(Object.entries(its).filter(([name, value]) => others[name] === value))
  return {
    ...first,
    parts: common(first.parts, second.parts),
    shown: common(first.shown, second.shown),
  }
}

/** Leaves out what each of the answers shows, because a proxy has added it to all of them. */
export function withoutNoise(signatures: readonly (Signature | null)[]): (Signature | null)[] {
  const shown = signatures.filter((signature) => signature !== null)
  const has = (name: string, value: Part): boolean =>
    shown.some(({ parts }) => parts[name] === value)
  const noise = new Set(['location', 'www-authenticate'].filter((name) => !has(name, false)))
  // The methods of a list are others than those of a row.
  const allows = new Set(shown.map(({ allow }) => allow))
  if (allows.size === 1 && !allows.has(null)) noise.add('allow')
  // A link can repeat the limit of the request, whatever was applied.
  if (has('limit is applied', false)) noise.add('limit')
  return signatures.map((signature) => {
    if (!signature) return null
    const parts = Object.entries(signature.parts).filter(([name]) => !noise.has(name))
    return { ...signature, parts: Object.fromEntries(parts) }
  })
}
