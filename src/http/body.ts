import { Failure, type FailureName } from '../errors.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { parseJson } from '../python/json.ts'
import { JsonError } from '../python/json-error.ts'
import { decodeUtf8Body } from '../python/utf8.ts'
import { utf8Length } from '../wire.ts'
import type { Call } from './call.ts'

/** A body after parsing: undefined where there was none. */
export interface Parsed {
  readonly value: unknown
  /** The body came form-encoded: each value in it is a text. */
  readonly form: boolean
}

/** How an endpoint that reads a body can refuse it. */
export const bodyErrors: readonly FailureName[] = [
  'parse_error',
  'unsupported_media_type',
  'body_too_large',
  'validation_error',
]

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * Parses the body of a call (observed §1, §4.2): JSON, and forms where the policy `bodies.form` accepts them.
 *
 * @throws Failure `unsupported_media_type`, `parse_error` with the service's own words, `body_too_large`
 */
export function parseBody(call: Call, settings: PolicySettings): Parsed {
  const { body } = call
  if (body === 'too_large') throw new Failure('body_too_large')
  if (body === null || body.length === 0) return { value: undefined, form: false }
  const type = call.headers.get('content-type') ?? ''
  const media = mediaOf(call)
  if (media === 'application/json') return { value: json(call, body), form: false }
  if (media === forms[0] && settings['bodies.form'] === 'accepted') {
    return {
      value: Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body))),
      form: true,
    }
  }
  // As a rule an ordinary form by now: `fromMultipart` leaves what it cannot read for here.
  if (isMultipart(call, settings)) throw new Failure('parse_error', notMultipart)
  throw new Failure('unsupported_media_type', `Unsupported media type "${type}" in request.`)
}

/** The value of a body; undefined where there is none, or none that can be read. */
export function bodyValue(call: Call, settings: PolicySettings): unknown {
  try {
    return parseBody(call, settings).value
  } catch {
    return undefined
  }
}

/** Whether the body is a form of many parts, which only the platform's own, asynchronous parser reads. */
export function isMultipart(call: Call, settings: PolicySettings): boolean {
  return call.body !== null && mediaOf(call) === forms[1] && settings['bodies.form'] === 'accepted'
}

const notMultipart = 'Multipart form parse error - Invalid boundary in multipart'

/**
 * The same call with its parts as an ordinary form; as it is where they cannot be read, which is told only
 * when it is the turn of the body (observed §1, note b).
 */
export async function fromMultipart(call: Call): Promise<Call> {
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
      get: (name) => (name === 'content-type' ? (forms[0] as string) : headers.get(name)),
      entries: () =>
        [...headers.entries()].map(([name, value]) =>
          name === 'content-type' ? [name, forms[0] as string] : [name, value],
        ),
    },
    ...(call.onGone && { onGone: call.onGone.bind(call) }),
  }
}

/** What OPTIONS says a body may be. */
export function parses(settings: PolicySettings): string[] {
  return ['application/json', ...(settings['bodies.form'] === 'accepted' ? forms : [])]
}

function mediaOf(call: Call): string {
  const type = call.headers.get('content-type') ?? ''
  // What nearly every body comes as.
  if (type === 'application/json') return type
  return type.split(';')[0]?.trim().toLowerCase() ?? ''
}

function json(call: Call, body: Uint8Array): unknown {
  try {
    const text = decodeUtf8Body(body)
    if (utf8Length(text) === body.length) call.text = text
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError)
      throw new Failure('parse_error', `JSON parse error - ${error.message}`)
    throw error
  }
}
