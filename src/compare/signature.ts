import { isObject, tryParseJson } from '../utils/json.ts'
import type { Difference, Differences } from './differences.ts'
import type { Probe } from './probes.ts'

/** An answer to a probe. */
export interface Heard {
  readonly probe: Probe
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON object that was sent */
  readonly sent: Readonly<Record<string, unknown>> | null
  /** The ids of the saved rows before the request */
  readonly rows: ReadonlyMap<string, string>
}

type Part = string | number | boolean

/** What an answer shows whatever rows a server has, and however it words its errors. */
export interface Signature {
  /** The status. All successes are `2xx`, and 422 counts as 400 */
  readonly status: string
  /** What must be so before anything is concluded from the other parts: the kind of the body, own rows that it lists */
  readonly certain: Readonly<Record<string, Part>>
  /** Whether the fields that were sent are in the row as they were sent */
  readonly kept: Readonly<Record<string, boolean>>
  /** Headers, the form of an error, the limit in a link */
  readonly parts: Readonly<Record<string, Part>>
  /** The names of the fields of a row, and of the rows in it */
  readonly fields: ReadonlySet<string>
}

/** The answers that others are compared with, as far as they were heard. */
export type References = Partial<Record<NonNullable<Probe['like']>, Heard>>

/** @returns null if something before the API has answered */
export function signatureOf(heard: Heard, references: References): Signature | null {
  const { status, text, probe } = heard
  const body = tryParseJson(text)?.value
  const parts: Record<string, Part> = {}
  for (const name of headers) parts[name] = heard.headers.has(name)
  const allow = heard.headers.get('allow')
  // A proxy adds it to each answer: it does not even name the method that has just worked.
  if (allow && status < 300 && !allow.includes(probe.method)) parts.allow = 'foreign'
  const signature = { status: nameOf(status), parts, kept: {}, fields: new Set<string>() }
  if (status >= 400) {
    const form = formOf(text, body)
    const missing = references['missing row']
    const usual = missing && formOf(missing.text, tryParseJson(missing.text)?.value)
    if (isPage(form) && usual !== undefined && !isPage(usual)) return null
    parts.form = form
    Object.assign(parts, likenessesOf(heard, references))
    return { ...signature, certain: { body: form === 'empty' ? 'empty' : 'some' } }
  }
  const kind = text === '' ? 'empty' : body === undefined ? 'text' : 'json'
  const certain: Record<string, Part> = { body: kind }
  if (status >= 300 || !isObject(body)) {
    if (kind === 'json') parts.shape = Array.isArray(body) ? 'list' : 'value'
    return { ...signature, certain }
  }
  const results = Array.isArray(body.results) ? body.results.filter(isObject) : null
  parts.shape = results ? 'page' : 'row'
  parts.zero = body.id === 0
  if (results) {
    Object.assign(certain, listedOf(heard, results))
    Object.assign(parts, limitOf(heard, body, results.length))
  }
  return { ...signature, certain, kept: keptOf(heard, body), fields: fieldsOf(body) }
}

function nameOf(status: number): string {
  if (status < 300) return '2xx'
  if (status < 400) return '3xx'
  return status === 422 ? '400' : `${status}`
}

/** What kind of value the body of an error is, with the names of its fields. */
function formOf(text: string, body: unknown): string {
  if (text === '') return 'empty'
  if (body === undefined) return /^\s*</.test(text) ? 'html' : 'text'
  if (Array.isArray(body)) return `list of ${isObject(body[0]) ? Object.keys(body[0]).sort() : ''}`
  return isObject(body) ? `${Object.keys(body).sort()} ${typeof body.detail}` : 'value'
}

function isPage(form: string): boolean {
  return form === 'html' || form === 'text'
}

/** With which of the other errors an error shares its message. Says nothing about those that share theirs. */
function likenessesOf(heard: Heard, references: References): Record<string, boolean> {
  const message = messageOf(heard)
  if (message === null) return {}
  const messages = new Map<string, string>()
  for (const [name, reference] of Object.entries(references)) {
    const other = messageOf(reference)
    if (other !== null) messages.set(name, other)
  }
  const all = [...messages.values()]
  const isAlone = (other: string): boolean => all.filter((each) => each === other).length === 1
  const likenesses: Record<string, boolean> = {}
  for (const [name, other] of messages) {
    if (heard.probe.like !== name && isAlone(other)) likenesses[`like ${name}`] = other === message
  }
  return likenesses
}

/** The words of an error, whatever its form: all texts in it, without ids, numbers and quotations. */
function messageOf({ status, text }: Heard): string | null {
  const words: string[] = []
  const collect = (value: unknown, name: string): void => {
    if (typeof value === 'string') {
      if (!/id$|time|trace|path|instance/i.test(name)) words.push(withoutNames(value))
    } else if (typeof value === 'object' && value !== null) {
      for (const [inner, each] of Object.entries(value)) collect(each, inner)
    }
  }
  collect(tryParseJson(text)?.value, '')
  return words.length === 0 ? null : [status, ...words].join(' ')
}

function withoutNames(text: string): string {
  return text.replace(/[0-9a-f-]{36}|\d+|"[^"]*"|'[^']*'/g, '#')
}

function keptOf({ sent }: Heard, row: Readonly<Record<string, unknown>>): Record<string, boolean> {
  const kept: Record<string, boolean> = {}
  for (const [name, value] of Object.entries(sent ?? {})) {
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
  { probe, rows }: Heard,
  results: readonly Record<string, unknown>[],
): Record<string, boolean> {
  const [, kind] = /\/(annotations|plugins)\/(?:\?.*)?$/.exec(probe.path) ?? []
  // Nothing else can be an id, and not everything can be a text.
  const isId = (id: unknown) => typeof id === 'number' || typeof id === 'string'
  const ids = new Set(results.flatMap(({ id }) => (isId(id) ? [`${id}`] : [])))
  const listed: Record<string, boolean> = {}
  for (const [name, id] of kind ? rows : []) {
    const isAnnotation = name === 'a' || name === 'd'
    const isOther = name === 'x' || name === 'y'
    if (!isOther && isAnnotation === (kind === 'annotations')) listed[`lists ${name}`] = ids.has(id)
  }
  return listed
}

/** The limit that a page applies, as its link to the page before it shows. */
function limitOf(
  { probe }: Heard,
  { count, previous }: Readonly<Record<string, unknown>>,
  length: number,
): Record<string, Part> {
  if (typeof previous !== 'string' || !URL.canParse(previous, 'http://localhost')) return {}
  const { searchParams } = new URL(previous, 'http://localhost')
  const limit = Number(searchParams.get('limit') ?? Number.NaN)
  if (!Number.isSafeInteger(limit) || limit < 1) return {}
  const offset = Number(/offset=(\d+)/.exec(probe.path)?.[1] ?? 0)
  const isApplied =
    Number(searchParams.get('offset') ?? 0) === Math.max(0, offset - limit) &&
    (typeof count !== 'number' || length === Math.min(limit, Math.max(0, count - offset)))
  return { limit, 'limit is applied': isApplied }
}

/**
 * What two answers to the same probe have in common. An answer that was another one the second time shows nothing.
 *
 * @returns null if they have nothing in common
 */
export function agree(one: Signature | null, other: Signature | null): Signature | null {
  if (!one || !other || one.status !== other.status) return null
  const isSameBody =
    JSON.stringify([one.certain, one.kept]) === JSON.stringify([other.certain, other.kept]) &&
    [...one.fields].join() === [...other.fields].join()
  if (!isSameBody) return null
  const parts = Object.entries(one.parts).filter(([name, value]) => other.parts[name] === value)
  return { ...one, parts: Object.fromEntries(parts) }
}

/** Leaves out what none of the answers shows, because a proxy or a habit of the server has added it to all of them. */
export function withoutHabits(signatures: readonly (Signature | null)[]): (Signature | null)[] {
  const heard = signatures.filter((each) => each !== null)
  const has = (name: string, value: Part): boolean =>
    heard.some(({ parts }) => parts[name] === value)
  const foreign = new Set(['location', 'www-authenticate'].filter((name) => !has(name, false)))
  if (has('allow', 'foreign')) foreign.add('allow')
  // A link can repeat the limit of the request, whatever was applied.
  if (has('limit is applied', false)) foreign.add('limit')
  return signatures.map((signature) => {
    if (!signature) return null
    const parts = Object.entries(signature.parts).filter(([name]) => !foreign.has(name))
    return { ...signature, parts: Object.fromEntries(parts) }
  })
}

/** An error that is worded like one of these has that cause. */
const otherCauses = ['like unknown path', 'like missing key', 'like wrong key']

const headers = ['allow', 'location', 'www-authenticate']

/**
 * Where a simulated answer is another one. What only one side can show is left out: a proxy answers in its own words, and
 * a server has fields of its own.
 *
 * @param isOfContent whether a part depends on the rows, not on the service
 */
export function differencesOf(
  seen: Signature,
  simulated: Signature,
  isOfContent: (part: string) => boolean,
): Differences {
  const found = new Map<string, Difference>()
  const add = (
    kind: Difference['kind'],
    name: string,
    values: readonly [Part | undefined, Part],
    part: string | null,
  ): void => {
    const [got, other] = values.map(textOf) as [string, string]
    const isShown = part !== null && values[0] !== undefined && !isOfContent(part)
    const words = isShown ? () => ({ part, got, simulated: other }) : null
    found.set(name, { kind, simulated: other, words })
  }
  if (seen.status !== simulated.status) {
    add('status', 'status', [seen.status, simulated.status], 'status')
    return found
  }
  for (const [name, value] of Object.entries(simulated.certain)) {
    const { [name]: got } = seen.certain
    const part = name === 'body' ? name : 'rows of the list'
    if (got !== value) add('certain', `certain ${name}`, [got, value], part)
  }
  for (const [name, value] of Object.entries(simulated.kept)) {
    const { [name]: got } = seen.kept
    const words = (isKept: boolean): string => (isKept ? 'as it was sent' : 'another value')
    if (got === undefined || got === value) continue
    add('kept', `kept ${name}`, [words(got), words(value)], `field ${name}`)
  }
  for (const [name, got] of Object.entries(seen.parts)) {
    const value = simulated.parts[name] ?? false
    if (got === value) continue
    if (name === 'shape') add('part', name, [got, value], 'kind of body')
    else if (headers.includes(name)) add('hint', name, [got, value], `header ${name}`)
    else add(got && otherCauses.includes(name) ? 'certain' : 'hint', name, [got, value], null)
  }
  // Another kind of body has other fields of course.
  if (seen.parts.shape !== simulated.parts.shape) return found
  for (const name of fieldsOnlyIn(seen, simulated)) {
    add('field', `field ${name}`, [true, false], `field ${name}`)
  }
  for (const name of fieldsOnlyIn(simulated, seen)) {
    add('field', `field ${name}`, [false, true], `field ${name}`)
  }
  return found
}

function textOf(value: Part | undefined): string {
  return typeof value === 'boolean' ? (value ? 'present' : 'absent') : `${value}`
}

/** The fields that only one of two answers has. Those of a row in a row count only if both show such a row. */
function fieldsOnlyIn(one: Signature, other: Signature): string[] {
  const parents = new Set([...other.fields].flatMap((name) => parentOf(name) ?? []))
  return [...one.fields].filter((name) => {
    const parent = parentOf(name)
    return !other.fields.has(name) && (parent === null || parents.has(parent))
  })
}

function parentOf(field: string): string | null {
  return field.includes('.') ? (field.split('.')[0] as string) : null
}
