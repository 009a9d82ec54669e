import { findApiKey } from '../http/access.ts'
import { tryParseBody } from '../http/body.ts'
import type { ApiRequest } from '../http/call.ts'
import { parseTextBody } from '../scenarios/compare.ts'
import type { Simulator } from '../simulator.ts'
import { normalizePath, type QueryPair, sortPairs } from './wanted.ts'

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
  { policies, keys }: Pick<Simulator, 'policies' | 'keys'>,
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
