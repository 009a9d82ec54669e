import { choose } from '../settings/setting.ts'
import { didYouMean } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import { tryParseBody } from './body.ts'
import { keyFieldName } from './check.ts'
import type { Call } from './endpoint.ts'
import { bodyLength } from './messages.ts'
import { invalidNote, loweredNote } from './parameters.ts'

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

/**
 * Describes the parameters and fields that the API did not read. A request that it refused before it read them has none.
 *
 * @example ['?serch, did you mean search?', 'body.contnt, did you mean content?']
 */
export function describeIgnoredInput(call: Call): readonly string[] {
  const all = [...ignoredParameters(call), ...ignoredFields(call)]
  if (all.length === 0) return none
  const listed = all.slice(0, maxListed).map((describe) => describe())
  const rest = all.length - listed.length
  return rest > 0 ? [...listed, `… and ${rest.toLocaleString('en')} more`] : listed
}

const none: readonly string[] = []

function ignoredParameters(call: Call): Ignored[] {
  const { endpoint, isQueryRead, request, notes, keyLocation, settings } = call
  if (!isQueryRead || request.query === '') return []
  const { query } = call
  const known = Object.entries(endpoint.query ?? {}).flatMap(([name, parameter]) =>
    choose(parameter, settings).schema === null ? [] : [name],
  )
  // Read by the checks before the operation.
  const others = ['format', ...(keyLocation === 'query string' ? [keyFieldName] : [])]
  const sent = [...query.keys()]
  return [...new Set(sent)].flatMap((name): Ignored | readonly Ignored[] => {
    const shown = `?${showName(name)}`
    if (!known.includes(name)) {
      return others.includes(name) ? [] : () => shown + suggest(name, known, sent)
    }
    const values = query.getAll(name)
    const note = notes.get(name)
    const value = note === invalidNote ? `=${showName(values.at(-1) as string)}` : ''
    return [
      ...(values.length > 1 ? [() => `${shown}, except for its last value`] : []),
      ...(note === undefined ? [] : [() => shown + value + note]),
    ]
  })
}

function ignoredFields(call: Call): Ignored[] {
  const { endpoint, isBodyRead, request, keyLocation, settings } = call
  if (!isBodyRead || bodyLength(request.body) === 0) return []
  const schema = choose(endpoint.body ?? null, settings)
  // The names of these fields are free.
  if (schema?.schema) return []
  const body = call.parsed ? call.parsed.value : tryParseBody(request, settings)
  const others = keyLocation === 'body' ? [keyFieldName] : []
  const sent = isObject(body) ? Object.keys(body) : []
  if (!schema) {
    const isEmpty = isObject(body) && sent.every((name) => others.includes(name))
    return isEmpty || body === null ? [] : [() => 'the body, which this operation does not read']
  }
  const isRead = (name: string): boolean => {
    const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined
    return field !== undefined && !choose(field, settings).isIgnored
  }
  const unknown = sent.filter((name) => !isRead(name) && !others.includes(name))
  if (unknown.length === 0) return []
  const known = Object.keys(schema.fields).filter(isRead)
  const shape = Object(choose(endpoint.response, settings)).properties
  return unknown.map((name) => () => {
    const isInResponses = Object.hasOwn(Object(shape), name)
    return showField(name) + (isInResponses ? responseOnlyNote : suggest(name, known, sent))
  })
}

function showField(name: string): string {
  return /^[\w-]+$/.test(name) ? `body.${showName(name)}` : `body[${showName(name)}]`
}

/** Suggests a known name that was not sent. */
function suggest(name: string, known: readonly string[], sent: readonly string[]): string {
  const free = known.filter((parameter) => !sent.includes(parameter))
  if (name === 'page' && free.includes('offset')) return ', did you mean offset, which counts rows?'
  const same = free.find((parameter) => parameter === sameParameters[name])
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
