import { profiles } from '../settings/profiles.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { choose, type SettingValues } from '../settings/setting.ts'
import { didYouMean } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import { keyFieldName } from './check.ts'
import type { Call } from './endpoint.ts'
import { type ParameterNote, tryParseBody } from './input.ts'
import { bodyText } from './messages.ts'

/** A part of a request that the API did not read. */
export interface IgnoredInput {
  readonly in: 'query' | 'body' | 'header'
  /** The parameter, the field or the header. Empty for the whole body */
  readonly name: string
  /**
   * - `unknown`: the operation has no such parameter or field
   * - `response_only`: only responses have the field
   * - `invalid`, `lowered`: a value that counts as the default, and a limit above the maximum
   * - `repeated`: all values of the parameter but the last one
   * - `whole_body`: the operation reads no body
   * - `json_as_form`: the body looks like JSON, and its Content-Type says that it is a form
   * - `other_profile`: the operation reads it in another profile, which is the value
   * - `more`: so many others, which are not listed
   */
  readonly why:
    | 'unknown'
    | 'response_only'
    | ParameterNote['why']
    | 'repeated'
    | 'whole_body'
    | 'json_as_form'
    | 'other_profile'
    | 'more'
  /** A known name that was not sent, and that an unknown one resembles */
  readonly meant?: string
  /** What was sent of an invalid value, the maximum of a limit, or how many more there are */
  readonly value?: string
}

/** How many are listed. The last line says how many more there are. */
const maxListed = 10

/** Suggestions for thousands of names would take long, so they are made on demand. */
type Ignored = () => IgnoredInput

/** Finds what the API did not read. A request that it refused before it read parameters and fields has none of these. */
export function findIgnoredInput(call: Call): readonly IgnoredInput[] {
  const all: Ignored[] = []
  addParameters(call, all)
  addFields(call, all)
  addHeaders(call, all)
  if (all.length === 0) return none
  const listed = all.slice(0, maxListed).map((find) => find())
  const rest = all.length - listed.length
  return rest > 0 ? [...listed, { in: 'body', name: '', why: 'more', value: String(rest) }] : listed
}

const none: readonly IgnoredInput[] = []

const describers: { readonly [Why in IgnoredInput['why']]: (input: IgnoredInput) => string } = {
  unknown: (input) => `${showInput(input)}${describeMeant(input)}`,
  response_only: (input) => describeResponseOnly([input]),
  invalid: (input) => `${showInput(input)}=${showName(input.value ?? '')}, an invalid value`,
  lowered: (input) => `${showInput(input)} above ${input.value}`,
  repeated: (input) => `${showInput(input)}, except for its last value`,
  whole_body: () => 'the body, which this operation does not read',
  json_as_form: () =>
    'the body, which looks like JSON and was read as a form; send it with Content-Type: application/json',
  other_profile: (input) =>
    `${input.name === '' ? 'the body' : showInput(input)}, which the profile ${input.value} reads`,
  more: ({ value }) => `… and ${Number(value).toLocaleString('en')} more`,
}

/**
 * Says what was ignored.
 *
 * @example '?serch, did you mean search?'
 * @example 'body.contnt, did you mean content?'
 */
export function describeIgnored(input: IgnoredInput): string {
  return describers[input.why](input)
}

/** @example 'body.id, body.created_at, which only responses have' */
export function describeResponseOnly(fields: readonly IgnoredInput[]): string {
  return `${fields.map(showInput).join(', ')}, which only responses have`
}

function describeMeant({ name, meant }: IgnoredInput) {
  if (meant === undefined) return ''
  const isPage = name === 'page' && meant === 'offset'
  return `, did you mean ${meant}${isPage ? ', which counts rows' : ''}?`
}

/** Headers that ask for a promise which the API does not make: the same attempt, the same version, or another method. */
const promiseHeaders = [
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'X-HTTP-Method-Override',
].map((name) => [name, name.toLowerCase()] as const)

function addHeaders({ request: { headers } }: Call, all: Ignored[]) {
  for (const [name, header] of promiseHeaders)
    if (headers.get(header) !== null) all.push(() => ({ in: 'header', name, why: 'unknown' }))
}

function addParameters(call: Call, all: Ignored[]) {
  const { endpoint, isQueryRead, request, notes, sentKey, settings } = call
  if (!isQueryRead || request.query === '') return
  const parameters = endpoint.query ?? {}
  const isParameter = (name: string, values: SettingValues) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    return parameter !== undefined && choose(parameter, values).schema !== null
  }
  // Read by the checks before the operation.
  const isChecked = (name: string) =>
    name === 'format' || (name === keyFieldName && sentKey?.location === 'query string')
  const sent = call.query.map(([name]) => name)
  for (const name of new Set(sent)) {
    const input = { in: 'query', name } as const
    if (isParameter(name, settings)) {
      if (sent.indexOf(name) < sent.lastIndexOf(name))
        all.push(() => ({ ...input, why: 'repeated' }))
      const note = notes?.get(name)
      if (note) all.push(() => ({ ...input, ...note }))
    } else if (!isChecked(name)) {
      all.push(() => {
        const profile = profiles.find((other) => isParameter(name, resolveSettings(other)))
        if (profile) return { ...input, why: 'other_profile', value: profile }
        const names = Object.keys(parameters).filter((own) => isParameter(own, settings))
        return { ...input, ...suggest(name, names, sent) }
      })
    }
  }
}

function addFields(call: Call, all: Ignored[]) {
  const { endpoint, isBodyRead, request, sentKey, settings } = call
  if (!isBodyRead || request.body === null) return
  if ('length' in request.body && request.body.length === 0) return
  const schemaWith = (values: SettingValues) => choose(endpoint.body ?? null, values)
  const schema = schemaWith(settings)
  // The names of these fields are free.
  if (schema?.schema) return
  const body = call.parsed ? call.parsed.value : tryParseBody(request, settings)
  if (call.parsed?.isForm && /^\s*[{[]/.test(bodyText(request.body))) {
    all.push(() => ({ in: 'body', name: '', why: 'json_as_form' }))
    return
  }
  const isKey = (name: string) => name === keyFieldName && sentKey?.location === 'body'
  const sent = isObject(body) ? Object.keys(body) : []
  if (!schema) {
    const isEmpty = body === null || (isObject(body) && sent.every(isKey))
    const whole = { in: 'body', name: '' } as const
    if (isEmpty) return
    all.push(() => {
      const value = profiles.find((other) => schemaWith(resolveSettings(other)))
      return value ? { ...whole, why: 'other_profile', value } : { ...whole, why: 'whole_body' }
    })
    return
  }
  const isReadWith = (name: string, values: SettingValues) => {
    const { schema: free, fields = {} } = schemaWith(values) ?? {}
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    return Boolean(free) || (field !== undefined && !choose(field, values).isIgnored)
  }
  const isRead = (name: string) => isReadWith(name, settings)
  for (const name of sent) {
    if (isRead(name) || isKey(name)) continue
    all.push(() => {
      const profile = profiles.find((other) => isReadWith(name, resolveSettings(other)))
      if (profile) return { in: 'body', name, why: 'other_profile', value: profile }
      const names = Object.keys(schema.fields).filter(isRead)
      const { properties = {} } = Object(choose(endpoint.response, settings))
      const of = settings['annotations.fields']
      const isInResponses =
        Object.hasOwn(properties, name) && (properties[name].when ?? [of]).includes(of)
      const why = isInResponses ? { why: 'response_only' as const } : suggest(name, names, sent)
      return { in: 'body', name, ...why }
    })
  }
}

function showInput({ in: place, name }: IgnoredInput) {
  if (place === 'header') return `the header ${name}`
  const shown = showName(name)
  if (place === 'query') return `?${shown}`
  return shown === name ? `body.${name}` : `body[${shown}]`
}

function suggest(
  name: string,
  known: readonly string[],
  sent: readonly string[],
): Pick<IgnoredInput, 'why' | 'meant'> {
  const free = known.filter((parameter) => !sent.includes(parameter))
  const synonym = free.find((parameter) => parameter === sameParameters[name])
  const meant = synonym ?? didYouMean(name, free)
  return { why: 'unknown', ...(meant !== undefined && { meant }) }
}

/** The parameters that say the same in other APIs. */
const sameParameters: Readonly<Record<string, string>> = {
  per_page: 'limit',
  page_size: 'limit',
  page: 'offset',
  q: 'search',
}

/** A name as it is, or quoted. Not shortened: a part of a key would not be masked. */
function showName(name: string) {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
}
