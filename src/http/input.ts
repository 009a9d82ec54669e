import { choose, type PerSetting, type SettingId, type SettingValues } from '../settings/setting.ts'
import { decodeUtf8Body, JsonParseError, parseJson, rejectConstant } from '../utils/python-json.ts'
import { parseQuery } from '../utils/query.ts'
import { searchTerms } from '../world/search.ts'
import { Failure, type FailureName, notFound, quote } from './failures.ts'
import type { JsonSchema, ParsedBody } from './fields/body-fields.ts'
import { type ApiRequest, bodyText, isOmitted, type MessageBody, parseInteger } from './messages.ts'

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
    return { value: Object.fromEntries(parseQuery(bodyText(body))), isForm: true }
  }
  const contentType = request.headers.get('content-type') ?? ''
  const type = contentType.trim()
  const sent = type === '' ? 'has no Content-Type' : `has the Content-Type ${quote(type)}`
  const reason = () => `the body ${sent}; accepted: ${acceptedMediaTypes(settings).join(', ')}`
  const detail = `Unsupported media type "${contentType}" in request.`
  throw new Failure('unsupported_media_type', detail, { reason })
}

/** Parses the body of a request without throwing. Returns undefined for an empty or invalid body. */
export function tryParseBody(request: ApiRequest, settings: SettingValues): unknown {
  try {
    return parseBody(request, settings).value
  } catch {
    return undefined
  }
}

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
    // As the service's framework has it: the charset is obeyed, and an unknown one counts as UTF-8.
    text = decodeByCharset(body, request.headers.get('content-type') ?? '') ?? decodeUtf8Body(body)
    return parseJson(text, (constant) => {
      if (settings['bodies.json'] === 'strict') rejectConstant(constant)
    })
  } catch (error) {
    throw toParseFailure(error, describeOther(text, request.headers.get('content-encoding')))
  }
}

/** Converts the error of an invalid text. Any other error stays as it is. */
function toParseFailure(error: unknown, hint = '') {
  if (!(error instanceof JsonParseError)) return error
  const { message } = error
  const reason = () => `the body is not valid JSON: ${message}${hint}`
  return new Failure('parse_error', `JSON parse error - ${message}`, { reason })
}

/** What a body is that is not JSON, as a clause. Empty if it is not known. */
function describeOther(text: string, encoding: string | null) {
  if (encoding !== null && !/^identity$/i.test(encoding.trim())) {
    return `; its Content-Encoding is ${encoding}, which the API does not decode`
  }
  if (text === '[object Object]')
    return '; it is the name of an object: send JSON.stringify(object)'
  return /^[a-z_][\w.+%[\]-]*=(?!=)/i.test(text) ? '; it is a form: send JSON' : ''
}

/** The text of a body by the charset of its Content-Type. Empty for none, and for a body that is not stored. */
export function decodeText(body: MessageBody, contentType: string | null): string {
  const text = ArrayBuffer.isView(body) ? decodeByCharset(body, contentType ?? '') : null
  return text ?? bodyText(body)
}

/** Null for UTF-8, an unknown charset, and bytes that are not of the charset that a content type names. */
function decodeByCharset(bytes: Uint8Array, contentType: string): string | null {
  if (!contentType.includes(';')) return null
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? []
  if (/^utf-?8$/i.test(charset)) return null
  if (/^(?:latin[-_]?1|iso[-_]?8859-1)$/i.test(charset)) {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  }
  return decodeStrictly(bytes, charset)
}

/** @returns null for other bytes, and for a charset that is not known */
function decodeStrictly(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Decodes bytes as UTF-8, or as the charset that a content type names. A text that is neither has the usual charset of the
 * Web.
 *
 * @returns null if the bytes are no text
 */
export function bytesToText(bytes: Uint8Array, type = ''): string | null {
  const text = decodeStrictly(bytes, 'utf-8')
  const hasCharset = /;\s*charset\s*=/i.test(type)
  // ASCII in UTF-16 is valid UTF-8.
  if (text?.includes('\0') && hasCharset) return decodeByCharset(bytes, type) ?? text
  if (text !== null) return text
  if (hasCharset) return decodeByCharset(bytes, type)
  const isText = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/i.test(type)
  const usual = isText ? decodeStrictly(bytes, 'windows-1252') : null
  return usual === null || controlCharacter.test(usual) ? null : usual
}

/** Compressed bytes have some. */
const controlCharacter = /(?![\t\n\r])\p{Cc}/u

export interface Parameter<T> {
  readonly description: string
  /** The schema in the OpenAPI document, or null to leave the parameter out of it. */
  readonly schema: JsonSchema | null | ((settings: SettingValues) => JsonSchema)
  /**
   * Parses the text of the parameter.
   *
   * @param text the last value if the parameter is repeated; null if it is missing
   * @param notes gets what is ignored of the text
   * @throws Failure for a text that the service refuses
   */
  read(text: string | null, settings: SettingValues, notes?: ParameterNotes): T
}

/** What is ignored of a parameter: a value that counts as the default, or a part of a limit. */
export interface ParameterNote {
  readonly why: 'invalid' | 'lowered'
  /** The value that was sent, or the limit that the service reads */
  readonly value: string
}

/** What is ignored of parameters, by name. */
export type ParameterNotes = Map<string, ParameterNote>

/** Parameters by name. A setting can decide between several ways to parse one. */
export type Parameters = { readonly [name: string]: PerSetting<Parameter<unknown>> }

export type ParameterValues<P> = {
  readonly [Name in keyof P]: P[Name] extends PerSetting<Parameter<infer T>> ? T : never
}

/** Parses all parameters. @param texts by name. A missing parameter has none @param notes gets what is ignored of them */
export function readParameters<P>(
  parameters: P & Parameters,
  texts: Readonly<Record<string, string>>,
  settings: SettingValues,
  notes?: ParameterNotes,
): ParameterValues<P> {
  const values: Record<string, unknown> = {}
  for (const name in parameters) {
    const parameter = choose(parameters[name] as PerSetting<Parameter<unknown>>, settings)
    values[name] = parameter.read(texts[name] ?? null, settings, notes)
  }
  return values as ParameterValues<P>
}

/** A part of a path that is read as it is sent. @param schema what clients send */
export function pathParameter(
  description: string,
  schema: Parameter<string>['schema'],
): Parameter<string> {
  return { description, schema, read: (text) => text ?? '' }
}

/** The id of a project or an organization. By setting, a word stands for that of the user of the key. */
export function parentParameter(description: string, schema: JsonSchema): Parameter<string> {
  const accepted = { const: '@current', description: 'The current one of the user of the key.' }
  return pathParameter(description, (settings) =>
    settings['paths.current'] === 'on' ? { ...schema, 'x-accepts': [accepted] } : schema,
  )
}

/** The id of a row in a path. A text that is not an integer is a 404, as in the live service. */
export function integerIdParameter(description: string): Parameter<number> {
  return {
    description,
    schema: { type: 'integer' },
    read(text) {
      const id = parseInteger(text ?? '')
      if (id !== undefined) return id
      throw notFound(() => `${quote(text ?? '')} is not an id, which is a whole number`)
    },
  }
}

/** A parameter whose text is ignored. @param value its value in every request */
export function ignoredParameter<T>(value: T): Parameter<T> {
  return { description: 'Not read.', schema: null, read: () => value }
}

/**
 * The number of results per page. By the setting `lists.limit.invalid`, a text that is not a positive integer counts as the
 * default, or is refused. There is no maximum unless `lists.limit.maximum` sets one.
 *
 * @param defaultLimit a number, or the setting that sets it
 */
export function limitParameter(defaultLimit: SettingId | number): Parameter<number | bigint> {
  const resolveDefault = (settings: SettingValues) =>
    typeof defaultLimit === 'number' ? defaultLimit : Number(settings[defaultLimit])
  return {
    description: 'Results per page.',
    schema: (settings) =>
      numberOrDefault({ type: 'integer', minimum: 1, default: resolveDefault(settings) }, settings),
    read(text, settings, notes) {
      const sent = parseInRange('limit', text, 1, settings, notes)
      const limit = sent ?? resolveDefault(settings)
      const maximum = settings['lists.limit.maximum']
      if (maximum === 'none' || limit <= Number(maximum)) return limit
      if (sent !== undefined) notes?.set('limit', { why: 'lowered', value: String(maximum) })
      return Number(maximum)
    },
  }
}

/** The index of the first result. A text that is not an integer from 0 on counts as 0, or is refused as a limit is. */
export const offsetParameter: Parameter<number | bigint> = {
  description: 'Initial index.',
  schema: (settings) => numberOrDefault({ type: 'integer', minimum: 0, default: 0 }, settings),
  read: (text, settings, notes) => parseInRange('offset', text, 0, settings, notes) ?? 0,
}

/** Folded search terms. A row matches if its text contains all of them. */
type SearchTerms = readonly string[]

/**
 * The search parameter. As the service's framework has it: commas and white space separate terms, NUL characters are ignored,
 * and quotes have no special meaning.
 */
export const searchParameter: Parameter<SearchTerms> = {
  description: 'Words that the content must contain, in any order.',
  schema: { type: 'string', default: '' },
  read: (text) => (text === null ? [] : searchTerms(text.replaceAll('\0', ''))),
}

/** The setting `lists.limit.invalid` decides whether any other text counts as the default. */
function numberOrDefault(number: JsonSchema, settings: SettingValues) {
  if (settings['lists.limit.invalid'] === 'refused') return number
  return { ...number, 'x-accepts': [otherAsDefault] }
}

/** What a parameter of numbers accepts as well. */
const otherAsDefault: JsonSchema = {
  type: 'string',
  description: 'Any other value counts as the default.',
}

/** Exact, since links are computed from it. */
function parseInRange(
  name: string,
  text: string | null,
  minimum: number,
  settings: SettingValues,
  notes?: ParameterNotes,
): number | bigint | undefined {
  if (text === null) return undefined
  const number = parseInteger(text)
  if (number !== undefined && number >= minimum)
    return Number.isSafeInteger(number) ? number : BigInt(text.replaceAll('_', ''))
  if (settings['lists.limit.invalid'] === 'default') {
    notes?.set(name, { why: 'invalid', value: text })
    return undefined
  }
  const reason = () => `?${name}: A valid integer is required`
  throw new Failure('validation_error', 'A valid integer is required.', { attr: name, reason })
}
