import { choose } from '../settings/per-setting.ts'
import type { SettingValues } from '../settings/setting.ts'
import { didYouMean } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import { findApiKey, keyFieldName } from './authorize.ts'
import { type ParsedBody, tryParseBody } from './body.ts'
import { type ApiRequest, bodyLength } from './messages.ts'
import { invalidNote, loweredNote, type ParameterNotes } from './parameters.ts'
import type { ResolvedRoute } from './route.ts'

/** What the checks read of a request, as far as they came. */
export class ReadInput {
  /** Null if the query was not read */
  query: URLSearchParams | null = null
  /** Whether the fields of the body were read, or would have been */
  isBodyRead = false
  /** Undefined if the body was not parsed */
  body: ParsedBody | undefined
  /** What was ignored of each parameter */
  readonly notes: ParameterNotes = new Map()
}

/** The end of a text about a field that only responses have. */
export const responseOnlyNote = ', which only responses have'

/** Whether ignored input is a limit of which the service read less: it is above the maximum. */
export function isLoweredLimit(input: string): boolean {
  return input.startsWith(`?limit${loweredNote}`)
}

/** How many are listed. The last line says how many more there are. */
const maxListed = 10

/** Ignored input, described on demand: suggestions for thousands of names would take long. */
type Ignored = () => string

/** A request that was answered, and what was read of it. */
interface AnsweredRequest {
  readonly route: ResolvedRoute
  readonly request: ApiRequest
  readonly settings: SettingValues
  readonly read: ReadInput
}

/**
 * Describes the parameters and fields that the API did not read. A request that it refused before it read them has none.
 *
 * @example ['?serch, did you mean search?', 'body.contnt, did you mean content?']
 */
export function describeIgnoredInput(answered: AnsweredRequest): string[] {
  const all = [...ignoredParameters(answered), ...ignoredFields(answered)]
  const listed = all.slice(0, maxListed).map((describe) => describe())
  const rest = all.length - listed.length
  return rest > 0 ? [...listed, `… and ${rest.toLocaleString('en')} more`] : listed
}

function ignoredParameters(answered: AnsweredRequest): Ignored[] {
  const { route, request, settings, read } = answered
  const { query } = read
  if (query === null || request.query === '') return []
  const known = Object.entries(route.endpoint.query ?? {}).flatMap(([name, parameter]) =>
    choose(parameter, settings).schema === null ? [] : [name],
  )
  const sent = [...query.keys()]
  const isKnown = sent.every((name) => known.includes(name))
  const others = isKnown ? [] : namesReadBefore(answered, 'query string')
  return [...new Set(sent)].flatMap((name): Ignored | readonly Ignored[] => {
    const values = query.getAll(name)
    const shown = `?${showName(name)}`
    if (!known.includes(name)) {
      return others.includes(name) ? [] : () => shown + suggest(name, known, sent)
    }
    const note = read.notes.get(name)
    const value = note === invalidNote ? `=${showName(values.at(-1) as string)}` : ''
    return [
      ...(values.length > 1 ? [() => `${shown}, except for its last value`] : []),
      ...(note === undefined ? [] : [() => shown + value + note]),
    ]
  })
}

function ignoredFields(answered: AnsweredRequest): Ignored[] {
  const { route, request, settings, read } = answered
  if (!read.isBodyRead || bodyLength(request.body) === 0) return []
  const schema = choose(route.endpoint.body ?? null, settings)
  // The names of these fields are free.
  if (schema?.schema) return []
  const body = read.body ? read.body.value : tryParseBody(request, settings)
  const others = namesReadBefore(answered, 'body')
  const sent = isObject(body) ? Object.keys(body) : []
  if (!schema) {
    const isEmpty = isObject(body) && sent.every((name) => others.includes(name))
    return isEmpty || body === null ? [] : [() => 'the body, which this operation does not read']
  }
  const known = Object.keys(schema.fields).filter((name) => {
    const field = schema.fields[name]
    return field && !choose(field, settings).isIgnored
  })
  const shape = Object(choose(route.endpoint.response, settings)).properties
  const names = new Set([...known, ...others])
  return sent
    .filter((name) => !names.has(name))
    .map((name) => () => {
      const isInResponses = Object.hasOwn(Object(shape), name)
      return showField(name) + (isInResponses ? responseOnlyNote : suggest(name, known, sent))
    })
}

function showField(name: string): string {
  return /^[\w-]+$/.test(name) ? `body.${showName(name)}` : `body[${showName(name)}]`
}

/** The names that are read in a place by the checks before the operation: of a key, and of a format. */
function namesReadBefore(
  { request, settings, read }: AnsweredRequest,
  place: 'query string' | 'body',
): string[] {
  const key = findApiKey(request, settings, () => read.body?.value)
  return [
    ...(key?.location === place ? [keyFieldName] : []),
    ...(place === 'query string' ? ['format'] : []),
  ]
}

/** Suggests a known name that was not sent. */
function suggest(name: string, known: readonly string[], sent: readonly string[]): string {
  const free = known.filter((each) => !sent.includes(each))
  if (name === 'page' && free.includes('offset')) return ', did you mean offset, which counts rows?'
  const same = free.find((each) => each === sameParameters[name])
  const meant = same ?? didYouMean(name.slice(0, maxCompared), free)
  return meant === undefined ? '' : `, did you mean ${meant}?`
}

/** The parameters that say the same in other APIs. */
const sameParameters: Readonly<Record<string, string>> = {
  per_page: 'limit',
  page_size: 'limit',
}

/** Longer names are compared by their start, because the time grows with the square of their length. */
const maxCompared = 60

/** A name as it is, or quoted. Not shortened: a part of a key would not be masked. */
function showName(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
}
