import type { World } from '../../api/endpoints.ts'
import { findRoute } from '../../api/find-route.ts'
import { keyFieldName } from '../../http/authorize.ts'
import { urlEncodedType } from '../../http/body.ts'
import { Failure } from '../../http/failures.ts'
import { bodyLength, isMultipartBody } from '../../http/messages.ts'
import type { Parameter } from '../../http/parameters.ts'
import type { ResolvedRoute } from '../../http/route.ts'
import { queryString } from '../../http/url.ts'
import { resolveBySetting } from '../../settings/by-setting.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { didYouMean } from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import type { JournalRecord } from './journal.ts'
import { findSentKey, parseRequestBody } from './render-parts.ts'

/** The end of a text about a field that only responses have. */
export const responseOnlyNote = ', which only responses have'

/** How many are listed. The last line says how many more there are. */
const maxListed = 10

/** Ignored input, described on demand: suggestions for thousands of names would take long. */
type Ignored = () => string

/**
 * Finds the parameters and fields that the operation of a request ignored, by the description of its endpoint. There are
 * none if the request was refused before it was read, or answered by a recording.
 *
 * @example ['?serch, did you mean search?', 'body.contnt, did you mean content?']
 */
export function findIgnoredInput(record: JournalRecord): string[] {
  const { response, settingReads, target, requestBody, settings } = record
  const isRead = response.status < 400 || response.status === 400
  if (!isRead || !settingReads || (requestBody === null && !target.includes('?'))) return []
  const route = findRoute(record, settings)
  if (!route) return []
  const all = [...ignoredParameters(record, route), ...ignoredFields(record, route)]
  const listed = all.slice(0, maxListed).map((describe) => describe())
  const rest = all.length - listed.length
  return rest > 0 ? [...listed, `… and ${rest.toLocaleString('en')} more`] : listed
}

function ignoredParameters(record: JournalRecord, route: ResolvedRoute<World>): Ignored[] {
  const { settings } = record
  const query = new URLSearchParams(queryString(record.target))
  const parameters = Object.entries(route.endpoint.query ?? {})
    .map(([name, parameter]) => [name, resolveBySetting(parameter, settings)] as const)
    .filter(([, { schema }]) => schema !== null)
  const read = new Map(parameters)
  const others = otherNames(record, route, 'query string')
  const known = [...read.keys()]
  return [...new Set(query.keys())].flatMap((name): Ignored | readonly Ignored[] => {
    const values = query.getAll(name)
    const parameter = read.get(name)
    const shown = `?${showName(name)}`
    if (!parameter)
      return others.includes(name) ? [] : () => shown + suggest(name, known, [...query.keys()])
    const note = ignoredValue(parameter, values.at(-1) as string, settings)
    return [
      ...(values.length > 1 ? [() => `${shown}, except for its last value`] : []),
      ...(note === null ? [] : [() => shown + note]),
    ]
  })
}

const loweredNote = ' above '

/** Whether ignored input is a limit of which the service read less: it is above the maximum. */
export function isLoweredLimit(input: string): boolean {
  return input.startsWith(`?limit${loweredNote}`)
}

/** Says which part of the value of a parameter was ignored. */
function ignoredValue(
  { read }: Parameter<unknown>,
  text: string,
  settings: SettingValues,
): string | null {
  try {
    const value = read(text, settings)
    const isLimited = read(text, { ...settings, 'lists.limit.maximum': 'none' }) !== value
    read(text, { ...settings, 'lists.limit.invalid': 'refused' })
    return isLimited && typeof value === 'number' ? `${loweredNote}${value}` : null
  } catch (error) {
    if (error instanceof Failure) return `=${showName(text)}, an invalid value`
    throw error
  }
}

function ignoredFields(record: JournalRecord, route: ResolvedRoute<World>): Ignored[] {
  const { requestBody, response, settings } = record
  if (bodyLength(requestBody) === 0) return []
  const schema = resolveBySetting(route.endpoint.body ?? null, settings)
  // The names of these fields are free.
  if (schema?.schema) return []
  const body = parseRequestBody(record)
  const others = otherNames(record, route, 'body')
  const sent = isObject(body) ? Object.keys(body) : []
  if (!schema) {
    // The syntax of every body is checked.
    if (response.status === 400 && body === undefined) return []
    const isEmpty = isObject(body) && sent.every((name) => others.includes(name))
    return isEmpty || body === null ? [] : [() => 'the body, which this operation does not read']
  }
  const known = Object.keys(schema.fields).filter((name) => {
    const field = schema.fields[name]
    return field && !resolveBySetting(field, settings).isIgnored
  })
  const shape = Object(resolveBySetting(route.endpoint.response, settings)).properties
  const read = new Set([...known, ...others])
  const fields = sent
    .filter((name) => !read.has(name))
    .map((name) => () => {
      const isInResponses = Object.hasOwn(Object(shape), name)
      return showField(name) + (isInResponses ? responseOnlyNote : suggest(name, known, sent))
    })
  const files = isMultipartBody(requestBody) ? requestBody.files : []
  return [...fields, ...files.map((name) => () => `${showField(name)}, which is a file`)]
}

function showField(name: string): string {
  return /^[\w-]+$/.test(name) ? `body.${showName(name)}` : `body[${showName(name)}]`
}

/** The names that are read in a place by the checks before the operation: of a key, a project token and a format. */
function otherNames(
  record: JournalRecord,
  { params }: ResolvedRoute<World>,
  place: 'query string' | 'body',
): string[] {
  const { method, settings, requestHeaders: headers, requestBody } = record
  const isForm =
    isMultipartBody(requestBody) || headers.get('content-type')?.startsWith(urlEncodedType)
  const hasParent = params.project_id !== undefined || params.organization_id !== undefined
  const readsToken = hasParent && (place === 'body' ? isForm : method === 'GET')
  return [
    ...(findSentKey(record)?.location === place ? [keyFieldName] : []),
    ...(readsToken && settings['projects.token'] === 'read' ? ['token', 'api_key'] : []),
    ...(place === 'query string' && settings['paths.format'] === 'on' ? ['format'] : []),
  ]
}

/** Suggests a known name that was not sent. */
function suggest(name: string, known: readonly string[], sent: readonly string[]): string {
  const free = known.filter((each) => !sent.includes(each))
  const same = free.find((each) => each === sameParameters[name])
  const meant = same ?? didYouMean(name.slice(0, maxNameLength), free)
  return meant === undefined ? '' : `, did you mean ${meant}?`
}

/** The parameters that say the same in other APIs. */
const sameParameters: Readonly<Record<string, string>> = {
  page: 'offset',
  per_page: 'limit',
  page_size: 'limit',
}

const maxNameLength = 60

/** A name as it is, or quoted and shortened. */
function showName(name: string): string {
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name
  return /^[\w-]+…?$/.test(short) ? short : JSON.stringify(short)
}
