import { findApiKey } from '../../http/authenticate.ts'
import { tryParseBody } from '../../http/body.ts'
import type { ApiRequest } from '../../http/messages.ts'
import type { KeyRedactor } from '../../sandbox/journal/key-redactor.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { diffValues } from '../../utils/diff.ts'
import { formatIssuePath } from '../../utils/schema-issues.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import type { RequestStep } from '../format/scenario.ts'
import { fillForSending, fillText, fillValue, type SavedValues } from '../format/values.ts'
import { parseTextBody } from '../run/compare-response.ts'

/** A request that came, in the form in which it is held against recorded ones. */
export interface IncomingRequest {
  readonly method: string
  readonly path: string
  readonly query: readonly QueryPair[]
  /** The label of its key; null for none, undefined for one that no key of the world has */
  readonly key: string | null | undefined
  readonly header: (name: string) => string | null
  readonly text: string
  /** The bytes of the body */
  readonly base64: () => string
  /** The body: JSON as a value, else a text */
  readonly body: unknown
}

/**
 * Reads a request.
 *
 * @param target its path from where the API begins, and its query
 * @param labels of keys that the recording knows, by their values
 */
export function normalizeRequest(
  call: ApiRequest,
  target: string,
  { policies, keys }: Pick<SimulatorBase, 'policies' | 'keys'>,
  labels: ReadonlyMap<string, string>,
): IncomingRequest {
  const [path = '/', ...query] = target.split('?')
  const { settings } = policies
  const key = findApiKey(call, settings, () => tryParseBody(call, settings))?.value
  const known = (value: string) => keys.list().find((one) => one.value === value)?.label
  const text = decodeRequestText(call.body)
  return {
    method: call.method,
    path: normalizePath(path),
    query: sortPairs([...new URLSearchParams(query.join('?'))]),
    key: key === undefined ? null : (labels.get(key) ?? known(key)),
    header: (name) => call.headers.get(name),
    text,
    base64: () => encodeRequestBase64(call.body),
    body: parseTextBody(text),
  }
}

function decodeRequestText(body: ApiRequest['body']): string {
  if (body === null) return ''
  return body === 'too_large' ? 'a body that is too large' : new TextDecoder().decode(body)
}

function encodeRequestBase64(body: ApiRequest['body']): string {
  if (!(body instanceof Uint8Array)) return ''
  return btoa(Array.from(body, (byte) => String.fromCharCode(byte)).join(''))
}

/** A recorded request with saved values in their places: what a request is held against. */
export interface RequestCriteria {
  readonly method: string
  readonly path: string
  /** Sorted, so that their order does not matter */
  readonly query: readonly QueryPair[]
  /** The label of its key; null for none, undefined where its headers say */
  readonly key: string | null | undefined
  /** By lower-case names */
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyCriteria
}

/** A body: JSON, a text, or bytes that are none. */
export type BodyCriteria =
  | { readonly value: unknown }
  | { readonly text: string }
  | { readonly base64: string }

/** A parameter of a query: its name and its value. */
type QueryPair = readonly [name: string, value: string]

/**
 * What a recorded request asks for.
 *
 * @param prefix the path at which the API begins
 */
export function toRequestCriteria(
  step: RequestStep,
  saved: SavedValues,
  prefix: string,
): RequestCriteria {
  const place = fillText(step.path, saved)
  const [path = '/', ownQuery = ''] = place.startsWith('/')
    ? place.split('?')
    : stripBaseUrl(place, prefix).split('?')
  const added = Object.entries(step.query ?? {}).map(
    ([name, value]): QueryPair => [name, fillText(String(value), saved)],
  )
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    fillText(value, saved),
  ])
  const byHeader = headers.some(([name]) => name === 'authorization')
  return {
    method: step.method,
    path: normalizePath(path),
    query: sortPairs([...new URLSearchParams(ownQuery), ...added]),
    key: byHeader ? undefined : (step.as ?? null),
    headers: Object.fromEntries(headers),
    body: toBodyCriteria(step, saved),
  }
}

function toBodyCriteria({ body, text, base64 }: RequestStep, saved: SavedValues): BodyCriteria {
  if (base64 !== undefined) return { base64 }
  if (body !== undefined) return { value: fillForSending(body, saved) }
  return { text: String(fillValue(text ?? '', saved)) }
}

/** A path as paths are compared: without a slash at its end, and with nothing encoded that need not be. */
function normalizePath(path: string): string {
  const bare = path.replace(/\/$/, '') || '/'
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

/** Parameters as they are compared. */
function sortPairs(pairs: readonly QueryPair[]): QueryPair[] {
  return [...pairs].sort(([a, x], [b, y]) => (a === b ? compareText(x, y) : compareText(a, b)))
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A saved address without its origin, and without the path at which the API begins. */
function stripBaseUrl(address: string, prefix: string): string {
  const path = address.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

/** Whether a request is a recorded one, as far as that says what it is. */
export function meetsCriteria(wanted: RequestCriteria, asked: IncomingRequest): boolean {
  return (
    wanted.method === asked.method &&
    wanted.path === asked.path &&
    wanted.query.length === asked.query.length &&
    wanted.query.every(([name, value], at) => {
      const [otherName, otherValue] = asked.query[at] as QueryPair
      return name === otherName && value === otherValue
    }) &&
    (wanted.key === undefined || wanted.key === asked.key) &&
    Object.entries(wanted.headers).every(([name, value]) => asked.header(name) === value) &&
    matchesBody(wanted, asked)
  )
}

function matchesBody({ body }: Pick<RequestCriteria, 'body'>, asked: IncomingRequest): boolean {
  if ('base64' in body) return body.base64 === asked.base64()
  if ('text' in body) return body.text === asked.text
  return diffValues(body.value, asked.body, { isExact: true }).length === 0
}

/** In what a request differs from a recorded one, a line for each place, without keys. */
export function diffRequest(
  wanted: RequestCriteria,
  asked: IncomingRequest,
  redactor: KeyRedactor,
): string[] {
  const line = (place: string, expected: string, got: string): string[] =>
    expected === got ? [] : [`${place}: expected ${expected}, got ${got}`]
  return [
    ...line('method', wanted.method, asked.method),
    ...line('path', redactor.path(wanted.path), redactor.path(asked.path)),
    ...diffQuery(wanted.query, asked.query, redactor),
    ...(wanted.key === undefined ? [] : line('key', formatKey(wanted.key), formatKey(asked.key))),
    ...Object.entries(wanted.headers).flatMap(([name, value]) =>
      value === asked.header(name) ? [] : diffHeader(name, value, asked.header(name), redactor),
    ),
    ...diffBody(wanted, asked, redactor),
  ]
}

function formatKey(label: string | null | undefined): string {
  return label === null
    ? 'no key'
    : label === undefined
      ? 'one that the world does not have'
      : label
}

function diffQuery(
  wanted: readonly QueryPair[],
  asked: readonly QueryPair[],
  redactor: KeyRedactor,
): string[] {
  const names = [...new Set([...wanted, ...asked].map(([name]) => name))]
  const shownValue = (pairs: readonly QueryPair[], name: string): unknown => {
    const values = pairs.filter(([other]) => other === name).map(([, value]) => value)
    return values.length > 1 ? values : values[0]
  }
  return names.flatMap((name) => {
    const [expected, got] = [shownValue(wanted, name), shownValue(asked, name)].map((value) =>
      inspectValue(redactor.part(value, [name])),
    )
    return expected === got ? [] : [`query.${name}: expected ${expected}, got ${got}`]
  })
}

function diffHeader(
  name: string,
  expected: string,
  got: string | null,
  redactor: KeyRedactor,
): string[] {
  const shown = (value: string | null): string =>
    value === null ? 'nothing' : inspectValue(redactor.headers([[name, value]])[name])
  return [`headers.${name}: expected ${shown(expected)}, got ${shown(got)}`]
}

function diffBody(
  { body }: RequestCriteria,
  asked: IncomingRequest,
  redactor: KeyRedactor,
): string[] {
  if ('base64' in body) {
    return matchesBody({ body }, asked) ? [] : ['body: expected other bytes than those that came']
  }
  const wanted = 'text' in body ? body.text || undefined : body.value
  const given = 'text' in body ? asked.text || undefined : asked.body
  return diffValues(wanted, given, { isExact: true }).map(({ path, expected, got, inLength }) => {
    const place = redactor.text(formatIssuePath(['body', ...path]))
    const [wants, has] = [expected, got].map((value) =>
      inLength ? `${(value as unknown[]).length} items` : inspectValue(redactor.part(value, path)),
    )
    return `${place}: expected ${wants}, got ${has}`
  })
}
