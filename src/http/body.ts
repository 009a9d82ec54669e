import type { PolicySettings } from '../policies/policies.ts'
import { utf8Length } from '../utils/json-text.ts'
import { JsonParseError, parseJson } from '../utils/python/parse-json.ts'
import { decodeUtf8Body } from '../utils/python/utf8.ts'
import { Failure, type FailureName } from './failures.ts'
import type { ApiRequest } from './messages.ts'

/** A body after parsing: undefined where there was none. */
export interface ParsedBody {
  readonly value: unknown
  /** The body came form-encoded: each value in it is a text. */
  readonly isForm: boolean
}

/** How an endpoint that reads a body can refuse it. */
export const bodyFailures: readonly FailureName[] = [
  'parse_error',
  'unsupported_media_type',
  'body_too_large',
  'validation_error',
]

const formMediaTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * Parses the body of a call (observed §1, §4.2): JSON, and forms where the policy `bodies.form` accepts them.
 *
 * @throws Failure `unsupported_media_type`, `parse_error` with the service's own words, `body_too_large`
 */
export function parseBody(call: ApiRequest, settings: PolicySettings): ParsedBody {
  const { body } = call
  if (body === 'too_large') throw new Failure('body_too_large')
  if (body === null || body.length === 0) return { value: undefined, isForm: false }
  const type = call.headers.get('content-type') ?? ''
  const media = mediaTypeOf(call)
  if (media === 'application/json') return { value: parseJsonBody(call, body), isForm: false }
  if (media === formMediaTypes[0] && settings['bodies.form'] === 'accepted') {
    return {
      value: Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body))),
      isForm: true,
    }
  }
  // As a rule an ordinary form by now: `fromMultipart` leaves what it cannot read for here.
  if (isMultipart(call, settings)) throw new Failure('parse_error', invalidBoundary)
  throw new Failure('unsupported_media_type', `Unsupported media type "${type}" in request.`)
}

/** The value of a body; undefined where there is none, or none that can be read. */
export function tryParseBody(call: ApiRequest, settings: PolicySettings): unknown {
  try {
    return parseBody(call, settings).value
  } catch {
    return undefined
  }
}

/** Whether the body is a form of many parts, which only the platform's own, asynchronous parser reads. */
export function isMultipart(call: ApiRequest, settings: PolicySettings): boolean {
  return (
    call.body !== null &&
    mediaTypeOf(call) === formMediaTypes[1] &&
    settings['bodies.form'] === 'accepted'
  )
}

const invalidBoundary = 'Multipart form parse error - Invalid boundary in multipart'

/**
 * The same call with its parts as an ordinary form; as it is where they cannot be read, which is told only
 * when it is the turn of the body (observed §1, note b).
 */
export async function multipartToForm(call: ApiRequest): Promise<ApiRequest> {
  const { body, headers } = call
  if (body === null || body === 'too_large') return call
  const form = await new Response(body as BodyInit, {
    headers: { 'content-type': headers.get('content-type') ?? '' },
  })
    .formData()
    .catch(() => null)
  if (form === null) return call
  const pairs = [...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return {
    method: call.method,
    url: call.url,
    query: call.query,
    target: call.target,
    body: new TextEncoder().encode(String(new URLSearchParams(pairs))),
    headers: {
      get: (name) => (name === 'content-type' ? (formMediaTypes[0] as string) : headers.get(name)),
      entries: () =>
        [...headers.entries()].map(([name, value]) =>
          name === 'content-type' ? [name, formMediaTypes[0] as string] : [name, value],
        ),
    },
    ...(call.onAbort && { onAbort: call.onAbort.bind(call) }),
  }
}

/** What OPTIONS says a body may be. */
export function acceptedMediaTypes(settings: PolicySettings): string[] {
  return ['application/json', ...(settings['bodies.form'] === 'accepted' ? formMediaTypes : [])]
}

function mediaTypeOf(call: ApiRequest): string {
  const type = call.headers.get('content-type') ?? ''
  // What nearly every body comes as.
  if (type === 'application/json') return type
  return type.split(';')[0]?.trim().toLowerCase() ?? ''
}

function parseJsonBody(call: ApiRequest, body: Uint8Array): unknown {
  try {
    const text = decodeUtf8Body(body)
    if (utf8Length(text) === body.length) call.text = text
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonParseError)
      throw new Failure('parse_error', `JSON parse error - ${error.message}`)
    throw error
  }
}
