import { findApiKey } from '../../http/authorize.ts'
import { type Failure, notFound, toApiError } from '../../http/failures.ts'
import { bodyText, isOmitted } from '../../http/messages.ts'
import { apiPath, queryString } from '../../http/url.ts'
import { JournalRecord } from '../../sandbox/journal/journal.ts'
import { PastRequest } from '../../sandbox/journal/past-request.ts'
import { parseBody, parseRequestBody } from '../../sandbox/journal/render-parts.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { listCorrections, type PlainRequest } from './corrections.ts'

/** How far the corrections may lead: a request rarely has more mistakes. */
const maxCorrections = 12

/**
 * Finds the request nearest to a refused one that the service accepts now. Each mistake is corrected in turn, and each
 * attempt is answered in a copy of the current rows, so the result works. Faults are left out.
 *
 * @returns null if no correction is known
 */
export function findAcceptedRequest(record: JournalRecord, sandbox: Sandbox): PlainRequest | null {
  const attempts = new Attempts(record, sandbox)
  let request = toPlainRequest(record)
  for (let corrected = 0; request && corrected <= maxCorrections; corrected++) {
    const failure = attempts.send(request)
    if (failure === null) return request
    const proposals = listCorrections(request, failure, sandbox)
    const isProgress = (each: PlainRequest): boolean => {
      const next = attempts.send(each)
      return next === null || describeFailure(next) !== describeFailure(failure)
    }
    request =
      proposals.find((each) => attempts.send(each) === null) ?? proposals.find(isProgress) ?? null
  }
  return null
}

function describeFailure(failure: Failure): string {
  return JSON.stringify([toApiError(failure), failure.details.because])
}

/** Answers requests in copies of the current rows, each only once. */
class Attempts {
  readonly #record: JournalRecord
  readonly #sandbox: Sandbox
  readonly #failures = new Map<string, Failure | null>()

  constructor(record: JournalRecord, sandbox: Sandbox) {
    this.#record = record
    this.#sandbox = sandbox
  }

  /** @returns null for a request that is accepted */
  send(request: PlainRequest): Failure | null {
    const id = JSON.stringify(request)
    let failure = this.#failures.get(id)
    if (failure === undefined) {
      failure = this.#answer(request)
      this.#failures.set(id, failure)
    }
    return failure
  }

  #answer(request: PlainRequest): Failure | null {
    const record = toRecord(request, this.#record, this.#sandbox)
    // A record that is not stored is answered with the current rows.
    const { status, failure } = PastRequest.open(record, this.#sandbox)?.answer() ?? { status: 0 }
    if (status >= 200 && status < 300) return null
    return failure ?? notFound({ id: 'path.unknown' })
  }
}

/** The record of a request like another one. Its policies are those of the sandbox. */
function toRecord(request: PlainRequest, like: JournalRecord, sandbox: Sandbox): JournalRecord {
  const { method, prefix, path, query, key, body } = request
  const headers = new Headers({
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  })
  const target = `${prefix}${path}${query === '' ? '' : `?${query}`}`
  const record = new JournalRecord(like.id, like.operation, { method, target, headers }, sandbox)
  const requestBody = body === undefined ? null : JSON.stringify(body)
  return record.complete({ body: requestBody }, { status: 200, headers: {}, body: null }, 0)
}

/** Converts a request. Returns null if its body cannot be read. */
function toPlainRequest(record: JournalRecord): PlainRequest | null {
  const { method, target, settings, requestHeaders: headers } = record
  const body = readBody(record)
  if (body === null) return null
  const key = findApiKey({ headers, query: queryString(target) }, settings, () => body.value)
  const api = apiPath(target)
  const query = new URLSearchParams(queryString(target))
  query.delete('personal_api_key')
  return {
    method,
    prefix: target.slice(0, target.length - api.length),
    path: api.split('?')[0] as string,
    query: String(query),
    key: key?.value ?? null,
    body: withoutKey(body.value),
  }
}

function withoutKey(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('personal_api_key' in body)) return body
  const { personal_api_key: _, ...others } = body
  return others
}

/** Reads a body, also one with a missing quotation mark or value, a comma too many, or a number that JSON does not have. */
function readBody(record: JournalRecord): { readonly value: unknown } | null {
  const { requestBody, method } = record
  if (requestBody === null || ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)) {
    return { value: undefined }
  }
  const value = parseRequestBody(record)
  if (value !== undefined) return { value }
  if (isOmitted(requestBody)) return null
  const text = bodyText(requestBody)
  if (text === '') return { value: undefined }
  const repaired = text
    .replaceAll("'", '"')
    .replace(/([{,]\s*)(\w+)\s*:/g, '$1"$2":')
    .replace(/,\s*([}\]])/g, '$1')
    .replace(/:\s*(?:-?Infinity|NaN|undefined)?\s*([,}])/g, ':null$1')
  // An apostrophe within a text is no quotation mark, so the brace is tried first.
  const values = [text, `${text}}`, repaired, `${repaired}}`].map((each) => parseBody(each, null))
  return values.filter((value) => value !== undefined).map((value) => ({ value }))[0] ?? null
}
