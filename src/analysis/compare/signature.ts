import { isObject, tryParseJson } from '../../utils/json.ts'
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
  for (const name of ['allow', 'location', 'www-authenticate'])
    parts[name] = heard.headers.has(name)
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

/**
 * Whether an answer has what `one` has and `other` has not. Only the parts are compared in which these two differ, so
 * what a server words or adds of its own says nothing.
 */
export function favours(seen: Signature, one: Signature, other: Signature): boolean {
  if (seen.status !== one.status) return false
  const isOtherStatus = one.status !== other.status
  for (const [name, value] of Object.entries(one.certain)) {
    if (seen.certain[name] !== value) return false
  }
  for (const [name, value] of Object.entries(one.kept)) {
    if ((isOtherStatus || other.kept[name] !== value) && seen.kept[name] !== value) return false
  }
  if (otherCauses.some((name) => seen.parts[name] && !one.parts[name])) return false
  if (isOtherStatus) return true
  const speaking = namesThatDiffer(one.parts, other.parts).filter(
    (name) => !isSilent(name, seen, one, other),
  )
  if (speaking.some((name) => seen.parts[name] !== one.parts[name])) return false
  const fields = favoursFields(seen, one, other)
  if (fields === false) return false
  const certain = namesThatDiffer(one.certain, other.certain)
  const kept = namesThatDiffer(one.kept, other.kept)
  if (certain.some((name) => seen.certain[name] !== one.certain[name])) return false
  if (kept.some((name) => seen.kept[name] !== one.kept[name])) return false
  return fields === true || speaking.length + certain.length + kept.length > 0
}

/** An error that is worded like one of these has that cause. */
const otherCauses = ['like unknown path', 'like missing key', 'like wrong key']

/** Whether a part of an answer says nothing about two others, because it has none, or a form of its own. */
function isSilent(name: string, seen: Signature, one: Signature, other: Signature): boolean {
  const value = seen.parts[name]
  if (name !== 'form') return value === undefined
  return value !== one.parts.form && value !== other.parts.form
}

/** Null if two answers have the same fields, or none that the answer of the server could have. */
function favoursFields(seen: Signature, one: Signature, other: Signature): boolean | null {
  const differing = differingFields(seen, one, other)
  if (!differing) return null
  const share = (names: readonly string[]): number =>
    names.filter((name) => seen.fields.has(name)).length / names.length
  const { mine, theirs } = differing
  return (mine.length === 0 || share(mine) >= 0.8) && (theirs.length === 0 || share(theirs) <= 0.2)
}

/** The fields that only one of two answers has. Those of a row in a row count only if the server shows such a row. */
function differingFields(
  seen: Signature,
  one: Signature,
  other: Signature,
): { readonly mine: readonly string[]; readonly theirs: readonly string[] } | null {
  if (one.parts.shape !== other.parts.shape) return null
  const parents = new Set([...seen.fields].flatMap((name) => parentOf(name) ?? []))
  const isPossible = (name: string): boolean => {
    const parent = parentOf(name)
    return parent === null || parents.has(parent)
  }
  const mine = [...one.fields].filter((name) => !other.fields.has(name) && isPossible(name))
  const theirs = [...other.fields].filter((name) => !one.fields.has(name) && isPossible(name))
  return mine.length + theirs.length === 0 ? null : { mine, theirs }
}

function parentOf(field: string): string | null {
  return field.includes('.') ? (field.split('.')[0] as string) : null
}

/**
 * Whether an answer contradicts `one` in a part in which it differs from `other`: the row keeps another value than one of
 * the two would, or has a further field where they differ in few fields.
 */
export function contradicts(seen: Signature, one: Signature, other: Signature): boolean {
  if (seen.status !== one.status || one.status !== other.status) return false
  const keepsOther = namesThatDiffer(one.kept, other.kept).some(
    (name) => seen.kept[name] !== undefined && seen.kept[name] !== one.kept[name],
  )
  return keepsOther || hasFurtherField(seen, one, other)
}

/** Whether a row has a field that neither of two similar rows has. */
function hasFurtherField(seen: Signature, one: Signature, other: Signature): boolean {
  const differing = differingFields(seen, one, other)
  const shared = [...one.fields].filter((name) => other.fields.has(name)).length
  if (!differing || differing.mine.length + differing.theirs.length > shared) return false
  return [...seen.fields].some(
    (name) => parentOf(name) === null && !one.fields.has(name) && !other.fields.has(name),
  )
}

/** How much of an answer a simulated one explains: more than 10 if the status is the same, at most 20. */
export function likeness(seen: Signature, simulated: Signature): number {
  if (seen.status !== simulated.status) return 0
  const share = (names: readonly string[], isSameIn: (name: string) => boolean): number =>
    names.length === 0 ? 1 : names.filter(isSameIn).length / names.length
  const certain = namesOfBoth(seen.certain, simulated.certain)
  const kept = Object.keys(seen.kept)
  const parts = Object.keys(simulated.parts)
  const fields = [...new Set([...seen.fields, ...simulated.fields])]
  return (
    10 +
    3 * share(certain, (name) => seen.certain[name] === simulated.certain[name]) +
    3 * share(kept, (name) => seen.kept[name] === simulated.kept[name]) +
    2 * share(parts, (name) => seen.parts[name] === simulated.parts[name]) +
    2 * share(fields, (name) => seen.fields.has(name) === simulated.fields.has(name))
  )
}

type Values = Readonly<Record<string, Part>>

function namesThatDiffer(one: Values, other: Values): string[] {
  return namesOfBoth(one, other).filter((name) => one[name] !== other[name])
}

function namesOfBoth(one: Values, other: Values): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}
