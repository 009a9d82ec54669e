import type { SettingValues } from '../settings/setting.ts'
import { decodeUtf8Body, JsonParseError, parseJson, rejectConstant } from '../utils/python-json.ts'
import { decodeByCharset } from './exchange.ts'
import { Failure, type FailureName, quote } from './failures.ts'
import { type ApiRequest, bodyText, isOmitted, type MessageBody } from './messages.ts'

export interface ParsedBody {
  /** Undefined if the request has no body. */
  readonly value: unknown
  /** Whether the body is form-encoded, so that every value is a string. */
  readonly isForm?: boolean
  /** Seen in the live service: numbers become text as Python prints them. By field, if one of them is unusual. */
  readonly numbers?: ReadonlyMap<string, string>
}

/** The part of a request that is parsed. */
interface UnparsedBody extends Pick<ApiRequest, 'body'> {
  readonly headers: Pick<ApiRequest['headers'], 'get'>
}

/** The failures of every endpoint that reads a body. */
export const bodyFailures: readonly FailureName[] = [
  'parse_error',
  'unsupported_media_type',
  'body_too_large',
  'validation_error',
]

export const urlEncodedType = 'application/x-www-form-urlencoded'

/**
 * Parses the body of a request: JSON, or a form if the setting `bodies.form` accepts forms.
 *
 * @throws Failure `unsupported_media_type`, `parse_error` with the message of the live service, or `body_too_large`
 */
export function parseBody(request: UnparsedBody, settings: SettingValues): ParsedBody {
  const { body } = request
  if (body === null) return { value: undefined }
  const limit = settings['limits.body']
  if (isOmitted(body) || body.length > limit) {
    const reason = () =>
      `the body has more than ${limit.toLocaleString('en')} bytes; send at most that many`
    throw new Failure('body_too_large', undefined, { reason })
  }
  if (body.length === 0) return { value: undefined }
  const mediaType = mediaTypeOf(request)
  if (mediaType === 'application/json') return parseJsonBody(request, body, settings)
  if (/^(?:\*|application)\/\*$/.test(mediaType) && settings['bodies.json'] === 'lenient') {
    return parseJsonBody(request, body, settings)
  }
  if (mediaType === urlEncodedType && settings['bodies.form'] === 'accepted') {
    return parseForm(bodyText(body))
  }
  const contentType = request.headers.get('content-type') ?? ''
  const type = contentType.trim()
  const sent = type === '' ? 'has no Content-Type' : `has the Content-Type ${quote(type)}`
  const reason = () => `the body ${sent}; accepted: ${acceptedMediaTypes(settings).join(', ')}`
  const detail = `Unsupported media type "${contentType}" in request.`
  throw new Failure('unsupported_media_type', detail, { reason })
}

function parseForm(text: string): ParsedBody {
  return { value: Object.fromEntries(new URLSearchParams(text)), isForm: true }
}

/** Parses the body of a request without throwing. Returns undefined for an empty or invalid body. */
export function tryParseBody(request: ApiRequest, settings: SettingValues): unknown {
  try {
    return parseBody(request, settings).value
  } catch {
    return undefined
  }
}

/** The media types of bodies that are accepted. */
export function acceptedMediaTypes(settings: SettingValues): string[] {
  return ['application/json', ...(settings['bodies.form'] === 'accepted' ? [urlEncodedType] : [])]
}

/** The media type of a body, in lower case. Empty if it has none. */
export function mediaTypeOf({ headers }: Pick<UnparsedBody, 'headers'>): string {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
}

function parseJsonBody(
  request: UnparsedBody,
  body: Uint8Array,
  settings: SettingValues,
): ParsedBody {
  let text = ''
  try {
    text = decodeBody(body, request.headers.get('content-type') ?? '')
    return parseJson(text, constantRule(settings))
  } catch (error) {
    throw toParseFailure(error, describeOther(text, request.headers.get('content-encoding')))
  }
}

/** Returns the function that `parseJson` calls for a constant such as NaN. */
function constantRule(settings: SettingValues): typeof rejectConstant {
  return (token) => {
    if (settings['bodies.json'] === 'strict') rejectConstant(token)
  }
}

/** Converts the error of an invalid text. Any other error stays as it is. */
function toParseFailure(error: unknown, note = ''): unknown {
  if (!(error instanceof JsonParseError)) return error
  const { message } = error
  const reason = () => `the body is not valid JSON: ${message}${note}`
  return new Failure('parse_error', `JSON parse error - ${message}`, { reason })
}

/** What a body is that is not JSON, as a clause. Empty if it is not known. */
function describeOther(text: string, encoding: string | null): string {
  if (encoding !== null && !/^identity$/i.test(encoding.trim())) {
    return `; its Content-Encoding is ${encoding}, which the API does not decode`
  }
  return /^[a-z_][\w.+%[\]-]*=(?!=)/i.test(text) ? '; it is a form: send JSON' : ''
}

/** The text of a body by the charset of its Content-Type. Empty for none, and for a body that is not stored. */
export function decodeText(body: MessageBody, contentType: string | null): string {
  const text = ArrayBuffer.isView(body) ? decodeByCharset(body, contentType ?? '') : null
  return text ?? bodyText(body)
}

/** Seen in the live service: the charset of a JSON body is obeyed, and an unknown one counts as UTF-8. */
function decodeBody(body: Uint8Array, contentType: string): string {
  return decodeByCharset(body, contentType) ?? decodeUtf8Body(body)
}
