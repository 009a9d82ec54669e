import { findApiKey } from '../../http/authorize.ts'
import { tryParseBody } from '../../http/body.ts'
import type { ApiRequest } from '../../http/messages.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
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
export type QueryPair = readonly [name: string, value: string]

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
