import { findApiKey, keyInBody, keyInHeader, keyInQuery } from '../../http/authorize.ts'
import { tryParseBody } from '../../http/body.ts'
import { isFormBody } from '../../http/exchange.ts'
import { type ApiRequest, bodyText, isOmitted } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'
import type { Service } from '../../simulator/service.ts'
import { type Difference, diffValues, formatLengths } from '../../utils/diff.ts'
import { formatPath, inspectValue } from '../../utils/errors.ts'
import { decodePart } from '../../utils/escape.ts'
import { aliasPattern, isAlias, matchAliases, matchesAlias } from '../../utils/redaction/aliases.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import type { RequestStep } from '../format/scenario.ts'
import { fillForSending, fillValue, type SavedValues } from '../format/values.ts'
import { buildUrl, fillHeaders, parseTextBody } from '../run/run-steps.ts'

export interface IncomingRequest {
  readonly method: string
  readonly path: string
  readonly query: readonly QueryPair[]
  /** The label of its key. Null without a key, undefined for an unknown key */
  readonly key: string | null | undefined
  /** Secret */
  readonly keyValue: string | undefined
  readonly header: (name: string) => string | null
  readonly text: string
  /** The body: parsed if it is JSON, otherwise a text */
  readonly body: unknown
}

/** Brings a request into a form that can be compared. `target` is its path below the base URL, and its query. */
export function normalizeRequest(
  request: ApiRequest,
  target: string,
  { settings: { values }, keys }: Pick<Service, 'settings' | 'keys'>,
  labels: ReadonlyMap<string, string>,
): IncomingRequest {
  const key = findApiKey(request, values, () => tryParseBody(request, values))?.value
  const labelOf = (value: string): string | undefined =>
    labels.get(value) ?? keys.list().find((known) => known.value === value)?.label
  const { body } = request
  const text = isOmitted(body) ? 'a body that is too large' : bodyText(body)
  return {
    method: request.method,
    ...splitTarget(target),
    key: key === undefined ? null : labelOf(key),
    keyValue: key,
    header: (name) => request.headers.get(name),
    text,
    body: parseTextBody(text),
  }
}

/** What an incoming request must have to match a recorded one. An alias stands for any value. */
export interface RequestCriteria extends Pick<IncomingRequest, 'method' | 'path' | 'query'> {
  /** The labels that its key may have, as those of an incoming request. Null for any key */
  readonly keys: readonly IncomingRequest['key'][] | null
  /** By lower-case names */
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyCriteria
}

type BodyCriteria =
  | { readonly value: unknown }
  | { readonly text: string; readonly isForm?: boolean }

type QueryPair = readonly [name: string, value: string]

/**
 * Fills the saved values into a recorded request.
 *
 * @param prefix the path of the base URL
 * @param hiddenKeys the labels of the keys that only the recorded service knows
 */
export function toRequestCriteria(
  step: RequestStep,
  saved: SavedValues,
  prefix: string,
  hiddenKeys: ReadonlySet<string> = new Set(),
): RequestCriteria {
  const url = buildUrl(step, '', saved)
  const target = splitTarget(url.startsWith('/') ? url : stripBaseUrl(url, prefix))
  const headers = fillHeaders(step, saved)
  const body = toBodyCriteria(step, saved, isFormBody(Object.entries(headers)))
  const { authorization } = headers
  const sentKey =
    authorization === undefined
      ? (keyInBody(fieldsOf(body)) ?? keyInQuery(queryString(url)))
      : keyInHeader(authorization)
  const expectedKeys = (): RequestCriteria['keys'] => {
    const isHidden = sentKey !== null && isAlias(sentKey.value)
    const isUnknown = step.as === undefined || hiddenKeys.has(step.as)
    const labels = [...(isUnknown ? [undefined] : []), ...(step.as === undefined ? [] : [step.as])]
    // Null: the settings of the recording may not allow a key in this place.
    if (isHidden) return [...labels, null]
    if (authorization !== undefined) return null
    return step.as === undefined ? [null] : labels
  }
  return {
    method: step.method,
    ...target,
    keys: expectedKeys(),
    headers,
    body,
  }
}

function fieldsOf(body: BodyCriteria): unknown {
  if ('value' in body) return body.value
  return 'text' in body && body.isForm && Object.fromEntries(new URLSearchParams(body.text))
}

function toBodyCriteria(
  { body, text }: RequestStep,
  saved: SavedValues,
  isForm: boolean,
): BodyCriteria {
  if (body !== undefined) return { value: fillForSending(body, saved) }
  return { text: String(fillValue(text ?? '', saved)), ...(isForm && { isForm }) }
}

/** The decoded path, and the parameters by their names. */
function splitTarget(target: string): Pick<RequestCriteria, 'path' | 'query'> {
  const [path = '/', ...rest] = target.split('?')
  const query = sortedPairs(rest.join('?'))
  const trimmed = path.replace(/\/$/, '') || '/'
  return { path: decodePart(trimmed), query }
}

function sortedPairs(text: string): QueryPair[] {
  const pairs = [...new URLSearchParams(text)]
  return pairs.sort(([a], [b]) => compareText(a, b))
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function stripBaseUrl(url: string, prefix: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

/** Describes a difference: `query.search: expected "a", got "b"`. Keys are hidden. */
type DescribeDifference = (redactor: KeyRedactor) => string

/** Whether a request has the recorded method and path. */
function isSameEndpoint(
  { method, path }: Pick<RequestCriteria, 'method' | 'path'>,
  request: IncomingRequest,
): boolean {
  return method === request.method && matchAliases(path, request.path) !== null
}

/** Whether a request matches a recorded one. Headers that are not recorded do not matter. */
export function meetsCriteria(criteria: RequestCriteria, request: IncomingRequest): boolean {
  // Most requests differ in these.
  return isSameEndpoint(criteria, request) && diffRequest(criteria, request).length === 0
}

/** @param values is filled with what the aliases of the recorded request stand for */
export function diffRequest(
  { method, path, query, keys, headers, body }: RequestCriteria,
  request: IncomingRequest,
  values: Map<string, string> = new Map(),
): DescribeDifference[] {
  const diff: Diff = (expected, got) =>
    diffValues(expected, got, {
      isExact: true,
      matches: (a, b) => matchesAlias(a, b, values),
      matchesNames: true,
    })
  const compare = <T>(name: string, expected: T, got: T, format: FormatValue<T>) => {
    if (diff(expected, got).length === 0) return []
    const describe: DescribeDifference = (redactor) =>
      `${name}: expected ${format(expected, redactor)}, got ${format(got, redactor)}`
    return [describe]
  }
  const names = new Set([...query, ...request.query].map(([name]) => name))
  const hasAlias = query.some(([, value]) => value.search(aliasPattern) >= 0)
  const valuesOf = (pairs: readonly QueryPair[], name: string): string[] => {
    const values = pairs.flatMap(([other, value]) => (other === name ? value : []))
    // An alias has no place in the order of the alphabet.
    return hasAlias ? values : values.sort(compareText)
  }
  return [
    ...compare('method', method, request.method, String),
    ...compare('path', path, request.path, (value, redactor) => redactor.path(value)),
    ...[...names].flatMap((name) =>
      compare(
        `query.${name}`,
        valuesOf(query, name),
        valuesOf(request.query, name),
        (values, redactor) =>
          inspectValue(redactor.part(values.length > 1 ? values : values[0], [name])),
      ),
    ),
    ...(keys === null || keys.includes(request.key)
      ? []
      : [() => `key: expected ${formatKey(keys[0])}, got ${formatKey(request.key)}`]),
    ...Object.entries(headers).flatMap(([name, expected]) =>
      compare(`headers.${name}`, expected, request.header(name), (value, redactor) =>
        value === null ? 'nothing' : inspectValue(redactor.headers([[name, value]])[name]),
      ),
    ),
    ...diffBody(body, request, diff),
  ]
}

type Diff = (expected: unknown, got: unknown) => Difference[]

type FormatValue<T> = (value: T, redactor: KeyRedactor) => string

function formatKey(label: IncomingRequest['key']): string {
  return label === null ? 'no key' : (label ?? 'an unknown key')
}

function diffBody(body: BodyCriteria, request: IncomingRequest, diff: Diff): DescribeDifference[] {
  // Clients differ in how they encode the same form.
  const read = (text: string): unknown =>
    'text' in body && body.isForm ? sortedPairs(text) : text || undefined
  const recordedBody = 'text' in body ? read(body.text) : body.value
  const actualBody = 'text' in body ? read(request.text) : request.body
  return diff(recordedBody, actualBody).map((difference) => (redactor) => {
    const { path } = difference
    const inspect = (value: unknown): string => inspectValue(redactor.part(value, path))
    const { expected, got } = difference.inLength
      ? formatLengths(difference, inspect)
      : { expected: inspect(difference.expected), got: inspect(difference.got) }
    return `${redactor.text(formatPath(['body', ...path]))}: expected ${expected}, got ${got}`
  })
}
