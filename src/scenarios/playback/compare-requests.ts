import { keyInBody, keyInQuery } from '../../http/check.ts'
import { bytesToText, isFormBody } from '../../http/exchange.ts'
import { type ApiRequest, bodyText, isOmitted } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'
import { type Difference, diffValues, formatLengths } from '../../utils/diff.ts'
import { formatPath, inspectValue } from '../../utils/errors.ts'
import { decodePart } from '../../utils/escape.ts'
import { aliasStart, isAlias } from '../../utils/redaction/aliases.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import { describeExpected, matches } from '../format/matching.ts'
import type { RequestStep } from '../format/scenario.ts'
import { isTime, usualTime } from '../format/times.ts'
import { fillValue, type SavedValues, toSpecialValue } from '../format/values.ts'
import { buildUrl, fillHeaders, parseTextBody } from '../run/run-steps.ts'

/** A request in the form in which it is compared with recorded ones. */
export interface ComparedRequest {
  readonly method: string
  /** Decoded, below the base URL, without a slash at its end */
  readonly path: string
  readonly query: Pairs
  /** The label of its key, `no key` or `an unknown key` */
  readonly key: string
  /** By lower-case names */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** A JSON value, the fields of a form, or a text. Undefined for none */
  readonly body: unknown
}

/** A recorded request. Its aliases stand for any text, and other headers do not matter. */
export interface RecordedRequest extends Omit<ComparedRequest, 'key'> {
  /** The label of its key, and what else it can be if the recording hides it */
  readonly keys: readonly string[]
}

type Pairs = Readonly<Record<string, string | readonly string[]>>

const noKey = 'no key'
const unknownKey = 'an unknown key'

/**
 * @param target its path below the base URL, and its query
 * @param key the label of its key. Null without a key, undefined for an unknown key
 */
export function toComparedRequest(
  { method, headers, body }: ApiRequest,
  target: string,
  key: string | null | undefined,
): ComparedRequest {
  const decoded = ArrayBuffer.isView(body)
    ? bytesToText(body, headers.get('content-type') ?? '')
    : null
  const text = isOmitted(body) ? 'a body that is too large' : (decoded ?? bodyText(body))
  const entries = [...headers.entries()]
  const sent = Object.fromEntries(entries)
  return {
    method,
    ...splitTarget(target),
    key: key === null ? noKey : (key ?? unknownKey),
    headers: withoutEncoding(sent),
    body: isFormBody(entries) ? readPairs(text) : parseTextBody(text),
  }
}

/**
 * Fills the saved values into a recorded request.
 *
 * @param prefix the path of the base URL
 * @param hiddenKeys by the labels of the keys that only the recorded service knows
 */
export function toRecordedRequest(
  step: RequestStep,
  saved: SavedValues,
  prefix: string,
  hiddenKeys: ReadonlyMap<string, unknown>,
): RecordedRequest {
  const url = buildUrl(step, '', saved)
  const headers = fillHeaders(step, saved)
  const text = String(fillValue(step.text ?? '', saved))
  const body =
    step.body !== undefined
      ? fillValue(step.body, saved)
      : isFormBody(Object.entries(headers))
        ? readPairs(text)
        : parseTextBody(text)
  const { as: label = noKey } = step
  const elsewhere = keyInBody(body) ?? keyInQuery(queryString(url))
  // The settings of the recording may not allow a key in the body or the query.
  const isOpen = headers.authorization !== undefined || isAlias(elsewhere?.value ?? '')
  return {
    method: step.method,
    ...splitTarget(url.startsWith('/') ? url : stripBaseUrl(url, prefix)),
    keys: isOpen || hiddenKeys.has(label) ? [unknownKey, noKey, label] : [label],
    headers: withoutEncoding(headers),
    body,
  }
}

/** A body is compared decoded, and the boundary of a multipart body is another one each time. */
function withoutEncoding(headers: ComparedRequest['headers']): ComparedRequest['headers'] {
  const type = headers['content-type']?.replace(/;\s*(?:charset|boundary)=[^;]*/gi, '')
  return type === undefined ? headers : { ...headers, 'content-type': type }
}

function splitTarget(target: string): Pick<ComparedRequest, 'path' | 'query'> {
  const [path = '/', ...rest] = target.split('?')
  return { path: decodePart(path.replace(/\/$/, '') || '/'), query: readPairs(rest.join('?')) }
}

/** Reads a query or a form. Their order does not matter, and nor does how a time is written. */
function readPairs(text: string): Pairs {
  const pairs = new URLSearchParams(text)
  const names = [...new Set(pairs.keys())].sort()
  return Object.fromEntries(
    names.map((name) => {
      const values = pairs.getAll(name).map(usualTime).sort()
      return [name, values.length > 1 ? values : (values[0] as string)]
    }),
  )
}

/** The method, the path and the query as one text, which equal requests share. Null if they contain an alias. */
export function exactTarget({
  method,
  path,
  query,
}: RecordedRequest | ComparedRequest): string | null {
  const text = JSON.stringify([method, path, query])
  return text.includes(aliasStart) ? null : text
}

function stripBaseUrl(url: string, prefix: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

export function diffRequests(
  { method, path, query, keys, headers, body }: RecordedRequest,
  request: ComparedRequest,
): Difference[] {
  const key = keys.includes(request.key) ? request.key : keys[0]
  const named = Object.keys(headers).map((name) => [name, request.headers[name]])
  return diffValues(
    { method, path, query, key, headers, body },
    { ...request, headers: Object.fromEntries(named) },
    { isExact: true, matches: matchesRecorded, matchesNames: true },
  )
}

/** Aliases, and values that stand for others, are what they stand for. Equal moments are the same, however they are written. */
function matchesRecorded(recorded: unknown, value: unknown): boolean | undefined {
  if (isTime(recorded) && isTime(value)) return usualTime(recorded) === usualTime(value)
  return matches(recorded, value, true)
}

/** @example 'query.search: expected "a", got "b"'. Keys are hidden */
export function describeDifference(difference: Difference, redactor: KeyRedactor): string {
  const [part = '', ...rest] = difference.path
  const isWord = part === 'method' || part === 'path' || part === 'key'
  const inspect = (value: unknown): string =>
    isWord ? redactor.text(String(value)) : inspectValue(redactor.part(value, rest))
  const { expected, got } = difference.inLength
    ? formatLengths(difference, inspect)
    : {
        expected: toSpecialValue(difference.expected)
          ? describeExpected(difference.expected)
          : inspect(difference.expected),
        got: inspect(difference.got),
      }
  return `${redactor.text(formatPath(difference.path))}: expected ${expected}, got ${got}`
}
