import { findRoute } from '../../api/find-route.ts'
import { findApiKey } from '../../http/authorize.ts'
import { urlEncodedType } from '../../http/body.ts'
import { type Failure, notFound, toApiError } from '../../http/failures.ts'
import { type ApiResponse, bodyText, isMultipartBody, isOmitted } from '../../http/messages.ts'
import { apiPath, isSafeMethod, queryString, splitPath } from '../../http/url.ts'
import { JournalRecord } from '../../sandbox/journal/journal.ts'
import { PastRequest } from '../../sandbox/journal/past-request.ts'
import { parseBody, parseRequestBody } from '../../sandbox/journal/render-parts.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { isDeeperThan } from '../../utils/json.ts'
import { listCorrections, type PlainRequest, withoutSuffix } from './corrections.ts'
import { repairJson } from './repair-json.ts'

/** How far the corrections may lead: a request rarely has more mistakes. */
const maxCorrections = 12

/**
 * Finds the request nearest to a refused one that the service would have accepted in its place, and accepts now. Each
 * mistake is corrected in turn, and each attempt is answered in copies of the rows, so the result works. It names no row
 * that the refused request does not name; one that writes names no other project and organization either. Faults are left
 * out.
 *
 * @returns null if no correction is known
 */
export function findAcceptedRequest(record: JournalRecord, sandbox: Sandbox): PlainRequest | null {
  const attempts = new Attempts(record, sandbox)
  const ids = splitPath(apiPath(record.target).split('?')[0] as string).map(withoutSuffix)
  let request = toPlainRequest(record)
  for (let corrected = 0; request && corrected <= maxCorrections; corrected++) {
    const failure = attempts.send(request)
    if (failure === null) return request
    const proposals = listCorrections(request, failure, sandbox).filter(({ method, path }) => {
      const { id, ...parent } = findRoute({ method, target: path }, record.settings)?.params ?? {}
      const isInPlace = Object.values(parent).every((each) => each === ids[parentIndex])
      return (isSafeMethod(method) || isInPlace) && (id === undefined || ids.includes(id))
    })
    const isProgress = (each: PlainRequest): boolean => {
      const next = attempts.send(each)
      return next === null || describeFailure(next) !== describeFailure(failure)
    }
    request =
      proposals.find((each) => attempts.send(each) === null) ?? proposals.find(isProgress) ?? null
  }
  return null
}

/** The place of the project or the organization in a path: `/api/projects/1/annotations/`. */
const parentIndex = 2

function describeFailure(failure: Failure): string {
  return JSON.stringify([toApiError(failure), failure.details.because])
}

/** Answers requests in copies of the current rows, and in copies of those at the time of a request, each only once. */
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
    // The rows of that time may no longer be known.
    const then = PastRequest.open(record, this.#sandbox, this.#record)
    const now = PastRequest.open(record, this.#sandbox)
    const { settings } = this.#record
    return (now && failureOf(now.answer())) ?? (then && failureOf(then.answer(settings)))
  }
}

function failureOf({ status, failure }: Pick<ApiResponse, 'status' | 'failure'>): Failure | null {
  return status >= 200 && status < 300 ? null : (failure ?? notFound({ id: 'path.unknown' }))
}

/** The record of a request like another one. */
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

/** More levels than any field has. Texts of thousands of levels could not be written again. */
const maxLevels = 100

/** Converts a request. Returns null if its body cannot be read. */
function toPlainRequest(record: JournalRecord): PlainRequest | null {
  const { method, target, settings, requestHeaders: headers } = record
  const body = readBody(record)
  if (body === null || isDeeperThan(maxLevels, body.value)) return null
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

/** Reads a body: JSON, also with mistakes or with another content type, or a form. */
function readBody(record: JournalRecord): { readonly value: unknown } | null {
  const { requestBody, method } = record
  if (requestBody === null || ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)) {
    return { value: undefined }
  }
  if (isOmitted(requestBody)) return null
  const text = isMultipartBody(requestBody) ? requestBody.form : bodyText(requestBody)
  if (text === '') return { value: undefined }
  const readers = [
    () => parseBody(text, null),
    () => repairJson(text),
    () => parseRequestBody(record),
    () => (/^[\w-]+=/.test(text) ? parseBody(text, urlEncodedType) : undefined),
  ]
  const values = readers.map((read) => read())
  const value = values.find((each) => each !== undefined)
  return value === undefined ? null : { value }
}
