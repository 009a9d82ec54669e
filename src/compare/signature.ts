import type { AnswerDifference } from '../fit/answer-differences.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { foreignOrigin } from '../utils/network.ts'
import type { FilledRequest } from './fill-probe.ts'
import { isId, numberIn, type Probe, type RowName, rows as rowsOfProbes } from './probes.ts'

/** A response to a probe, and what is known when it comes. */
interface Received {
  readonly probe: Probe
  /** The address of the server */
  readonly base: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly values: FilledRequest['values']
  /** The ids of the saved rows before the request */
  readonly rows: ReadonlyMap<string, string>
  /** Of a simulator: the error, whatever form the body has, and the fields for whose values it may be */
  readonly failure?:
    | { readonly error: object; readonly refused: readonly string[]; readonly cause?: string }
    | undefined
}

/** The cause of an error about a key in a query or a body, which a service can word in several ways. */
export const wrongKeyElsewhere = 'wrong key elsewhere'

type Value = string | number | boolean

/** Something that an answer shows, whatever rows a server has, and however it words its errors. */
interface Part {
  readonly name: string
  readonly value: Value
  /** `listed`: a field of the rows of a page. The others are those of differences */
  readonly kind: Exclude<AnswerDifference['kind'], 'status' | 'part'> | 'listed'
  /** What a report calls it. Null for what no reader looks at. By default its name */
  readonly told?: string | null
}

export interface Signature {
  /** All successes are `2xx`, and 422 counts as 400 */
  readonly status: string
  readonly code: number
  /** By their names */
  readonly parts: ReadonlyMap<string, Part>
  /** The header `Allow`. Null without one */
  readonly allow: string | null
  /** The words of an error, whatever its form. Null for none */
  readonly words: string | null
  /** Whether it is an error that is no JSON */
  readonly isPage: boolean
  /** The fields for whose values a simulator may have refused the request */
  readonly refused: readonly string[]
}

/** The value of a part. Undefined if the answer does not show it */
export function valueIn(signature: Signature | null | undefined, name: string): Value | undefined {
  return signature?.parts.get(name)?.value
}

export function readSignature(received: Received): Signature {
  const { status, headers, text, failure } = received
  const parsed = tryParseJson(text)
  const body = parsed?.value
  const kind = parsed ? 'json' : text === '' ? 'empty' : /^\s*</.test(text) ? 'html' : 'text'
  const isError = status >= 400
  const parts = [
    ...headerParts(received, body),
    ...(isError ? errorParts(status, kind, body) : bodyParts(received, kind, body)),
    ...(failure?.cause ? [causePart(failure.cause)] : []),
  ]
  return {
    status: nameOfStatus(status),
    code: status,
    parts: new Map(parts.map((part) => [part.name, part])),
    allow: headers.get('allow'),
    words: isError ? wordsOf(failure?.error ?? body) : null,
    isPage: isError && (kind === 'html' || kind === 'text'),
    refused: failure?.refused ?? [],
  }
}

function nameOfStatus(status: number) {
  if (status < 300) return '2xx'
  if (status < 400) return '3xx'
  return status === 422 ? '400' : `${status}`
}

/** What no setting changes is shown only. The other parts are whether a header is there. */
function headerParts({ status, headers }: Received, body: unknown): Part[] {
  const has = (name: string, value: Value): Part => {
    return { name, value, kind: 'hint', told: `header ${name}` }
  }
  return [
    // The name `status` is that of a difference after which nothing else is compared.
    { name: 'code', value: status, kind: 'shown', told: 'status' },
    has('allow', headers.has('allow')),
    has('location', describeLocation(headers.get('location'), body)),
    has('www-authenticate', headers.has('www-authenticate')),
  ]
}

/** What a `Location` is, whatever row it is about. False without one */
function describeLocation(location: string | null, body: unknown): Value {
  if (location === null) return false
  const { url, id } = isObject(body) ? body : {}
  if (location === url || (location === 'None' && url === null)) return 'the url of the row'
  const path = location.replace(/\/$/, '')
  return path.endsWith(`/${id}`) ? 'the address of the row' : 'another address'
}

type BodyKind = 'empty' | 'html' | 'text' | 'json'

export const emptyForm = 'nothing'

const forms = { empty: emptyForm, html: 'an HTML page', text: 'a text', json: 'a JSON value' }

function errorParts(status: number, kind: BodyKind, body: unknown): Part[] {
  const form = { kind: 'hint', value: formOf(kind, body), told: 'error' } as const
  if (status === 401 || status === 403) return [{ ...form, name: 'form of a refusal' }]
  const some = kind === 'empty' ? 'empty' : 'some'
  return [
    { name: 'body', value: some, kind: 'certain' },
    { ...form, name: 'form' },
  ]
}

function formOf(kind: BodyKind, body: unknown) {
  if (Array.isArray(body)) {
    const [first] = body
    return isObject(first) ? `a list of objects with ${fieldNames(first)}` : 'a list'
  }
  return isObject(body) ? `an object with ${fieldNames(body)}` : forms[kind]
}

/** The fields of an error. Those that are no text are another form. */
function fieldNames(body: Readonly<Record<string, unknown>>) {
  const names = Object.entries(body).map(([name, value]) => {
    const isText = typeof value !== 'object' || value === null
    return isText ? name : `${name} (${Array.isArray(value) ? 'a list' : 'an object'})`
  })
  return names.length === 0 ? 'no field' : names.sort().join(', ')
}

function causePart(value: string): Part {
  return { name: 'cause', value, kind: 'hint', told: null }
}

/** All texts of an error, without ids, numbers and quotations. Null without any */
function wordsOf(body: unknown): string | null {
  const words: string[] = []
  const collect = (value: unknown, name: string) => {
    if (typeof value === 'string') {
      if (!/id$|time|trace|path|instance/i.test(name))
        words.push(value.replace(/[0-9a-f-]{36}|\d+|"[^"]*"|'[^']*'/g, '#'))
    } else if (typeof value === 'object' && value !== null) {
      for (const [field, inner] of Object.entries(value)) collect(inner, field)
    }
  }
  collect(body, '')
  return words.length === 0 ? null : words.join(' ')
}

function bodyParts(received: Received, kind: BodyKind, body: unknown): Part[] {
  const { probe, status } = received
  // The status 204 already says: no body.
  const told = status === 204 ? null : 'body'
  const parts: Part[] = [
    { name: 'body', value: kind === 'html' ? 'text' : kind, kind: 'certain', told },
  ]
  const shape = (value: string): Part => {
    return { name: 'shape', value, kind: 'hint', told: 'kind of body' }
  }
  if (status >= 300 || !isObject(body)) {
    return kind === 'json' ? [...parts, shape(Array.isArray(body) ? 'list' : 'value')] : parts
  }
  const results = Array.isArray(body.results) ? body.results.filter(isObject) : null
  parts.push(
    shape(results ? 'page' : 'object'),
    { name: 'zero', value: body.id === 0, kind: 'hint', told: null },
    ...keptParts(received, body),
    ...fieldParts(body, 'field'),
  )
  if (results === null) return parts
  parts.push(
    ...linkParts(received, body),
    ...listedParts(received, results),
    ...limitParts(probe, body, results.length),
  )
  // The results of other operations can be of several kinds.
  const isOfRows = /\/(annotations|plugins|projects)\/(?:\?.*)?$/.test(probe.path)
  return [...parts, ...(isOfRows ? results.flatMap((row) => fieldParts(row, 'listed')) : [])]
}

/** Whether the fields that were sent are in the row as they were sent. */
function keptParts({ values }: Received, row: Readonly<Record<string, unknown>>): Part[] {
  return Object.entries(values)
    .filter(([name]) => name in row)
    .map(([name, value]) => ({
      name: `kept ${name}`,
      value: isSame(value, row[name]) ? 'as it was sent' : 'another value',
      kind: 'kept',
      told: `field ${name}`,
    }))
}

function isSame(sent: unknown, got: unknown) {
  if (JSON.stringify(sent) === JSON.stringify(got)) return true
  const isTime = typeof sent === 'string' && /^\d{4}-\d\d-\d\dT/.test(sent)
  return isTime && Date.parse(sent) === Date.parse(String(got))
}

/** The fields of a row, and of the rows in it. Fields of listed rows are separate. */
function fieldParts(row: Readonly<Record<string, unknown>>, kind: 'field' | 'listed'): Part[] {
  const names = Object.entries(row).flatMap(([name, value]) => [
    name,
    ...(kind === 'field' && isObject(value)
      ? Object.keys(value).map((key) => `${name}.${key}`)
      : []),
  ])
  return names.map((told) => ({ name: `field ${told}`, value: true, kind, told }))
}

/** Whether the links of a page lead to the server: a client that follows others sends them its key. */
function linkParts(
  { base }: Received,
  { next, previous }: Readonly<Record<string, unknown>>,
): Part[] {
  const links = [next, previous].filter((link) => typeof link === 'string')
  const [elsewhere] = links.flatMap((link) => foreignOrigin(link, base) ?? [])
  const value = elsewhere
    ? `URLs of ${elsewhere}, not of ${new URL(base).origin}`
    : 'URLs of the server'
  return links.length === 0 ? [] : [{ name: 'links', value, kind: 'shown' }]
}

/** Which own rows a list of their kind contains. Rows of other kinds can have the same ids. */
function listedParts(
  { probe, rows }: Received,
  results: readonly Record<string, unknown>[],
): Part[] {
  const [, list] = /\/(annotations|plugins)\/(?:\?.*)?$/.exec(probe.path) ?? []
  const ids = new Set(results.flatMap(({ id }) => (isId(id) ? [`${id}`] : [])))
  const own = [...rows].filter(([name]) => {
    const row = rowsOfProbes[name as RowName]
    return row.isOwn && row.list === list
  })
  return own.map(([name, id]) => ({
    name: `lists ${name}`,
    value: ids.has(id),
    kind: 'certain',
    told: 'rows of the list',
  }))
}

/** The limit that a page applies, as its link to the page before it shows. Without a maximum, it is that of the request. */
function limitParts(
  probe: Probe,
  { count, previous }: Readonly<Record<string, unknown>>,
  length: number,
): Part[] {
  if (typeof previous !== 'string' || !URL.canParse(previous, 'http://localhost')) return []
  const { searchParams } = new URL(previous, 'http://localhost')
  const limit = Number(searchParams.get('limit') ?? Number.NaN)
  if (!Number.isSafeInteger(limit) || limit < 1) return []
  const offset = numberIn(probe, 'offset')
  const isApplied =
    Number(searchParams.get('offset') ?? 0) === Math.max(0, offset - limit) &&
    (typeof count !== 'number' || length === Math.min(limit, Math.max(0, count - offset)))
  const value = limit === numberIn(probe, 'limit') ? 'that of the request' : limit
  return [
    { name: 'limit', value, kind: 'hint', told: 'limit in the link to the page before' },
    { name: 'limit is applied', value: isApplied, kind: 'hint', told: null },
  ]
}

/** What two answers to the same probe have in common: one that was another the second time shows nothing. Null for nothing */
export function commonSignature(first: Signature, second: Signature): Signature | null {
  const parts = [...first.parts].filter(([name, { value }]) => valueIn(second, name) === value)
  const firm = [first.parts, second.parts, parts].map(
    (all) => [...all].filter(([, { kind }]) => /^(certain|kept|field)$/.test(kind)).length,
  )
  if (first.status !== second.status || new Set(firm).size > 1) return null
  return {
    ...first,
    parts: new Map(parts),
    words: first.words === second.words ? first.words : null,
  }
}

/** Leaves out what each of the answers shows, because a proxy has added it to all of them. */
export function withoutNoise(signatures: readonly (Signature | null)[]): (Signature | null)[] {
  const seen = signatures.filter((signature) => signature !== null)
  const has = (name: string, value: Value) =>
    seen.some((signature) => valueIn(signature, name) === value)
  const noise = new Set(['location', 'www-authenticate'].filter((name) => !has(name, false)))
  // The methods of a list are others than those of a row.
  const allows = new Set(seen.map(({ allow }) => allow))
  if (allows.size === 1 && !allows.has(null)) noise.add('allow')
  // A link can repeat the limit of the request, whatever was applied.
  if (has('limit is applied', false)) noise.add('limit')
  return signatures.map((signature) => {
    if (!signature) return null
    const parts = [...signature.parts].filter(([name]) => !noise.has(name))
    return { ...signature, parts: new Map(parts) }
  })
}

/**
 * Tells errors by their words: an error with the words of one that the table names has its cause. Words that several of them
 * have tell nothing.
 *
 * @param answers those to the probes
 * @returns a function that adds the cause to an answer of the same service
 */
export function causesBy(
  probes: readonly Probe[],
  answers: readonly (Signature | null)[],
): (signature: Signature) => Signature {
  const named = probes.flatMap(({ like }, at) => {
    const words = answers[at]?.words ?? null
    return like && words !== null ? [{ like, words }] : []
  })
  return (signature) => {
    const { words, parts } = signature
    const matches = named.filter((error) => error.words === words)
    if (words === null || matches.length > 1) return signature
    const [{ like: value = 'another one' } = {}] = matches
    return { ...signature, parts: new Map([...parts, ['cause', causePart(value)]]) }
  }
}
