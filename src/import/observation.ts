import { type ApiRoute, endpointOf, findRoute, isSideList } from '../api/endpoints.ts'
import type { PathParams } from '../http/endpoint.ts'
import { type Exchange, findHeader, isFormBody } from '../http/exchange.ts'
import {
  bodilessStatuses,
  isSuccess,
  parseInteger,
  queryString,
  requestTarget,
} from '../http/messages.ts'
import type { RequestStep } from '../scenarios/format/scenario.ts'
import { escapeLiterals } from '../scenarios/format/values.ts'
import type { HiddenExchange } from '../scenarios/recording/hide.ts'
import { responseHeaders, writableValue } from '../scenarios/recording/to-step.ts'
import { resolveSettings, type SettingOverrides, settingIssues } from '../settings/resolve.ts'
import { type FaultEffect, maxFaultSeconds } from '../simulator/faults/fault.ts'
import { isObject, type Json } from '../utils/json.ts'
import { parseQuery } from '../utils/query.ts'
import { searchTerms } from '../world/search.ts'

/** A row as a response showed it. */
export type SeenRow = Readonly<Record<string, unknown>> & { readonly id: number | string }

/** A request that was seen, and what its response says about the service. */
export type Observation = ReturnType<typeof readObservation>

/** The profile `live` has every operation, also those that the documentation lacks. */
const settings = resolveSettings('live')

/** The operation to which a request leads, whatever the settings of the service. Null for a path outside the API */
export function routeOf({ method, url }: Pick<Exchange, 'method' | 'url'>): ApiRoute | null {
  return findRoute({ method, target: requestTarget(url) }, settings)
}

/**
 * What an exchange says about the service.
 *
 * @param index the position of the exchange, in the order in which it was added
 * @param step the step that sends it. Null if none can
 */
export function readObservation(
  { exchange, sent, received }: HiddenExchange,
  index: number,
  step: RequestStep | null,
) {
  const { method, url, at, ms, request, response, key = null, lost = null } = exchange
  const route = routeOf(exchange)
  const operation = route?.endpoint.operation ?? null
  const { list = null, verb = null } = endpointOf(operation) ?? {}
  const from = Date.parse(at)
  const parsed = received?.value as Json | undefined
  const effect = abnormalEffect(exchange, parsed)
  const body = isSuccess(response.status) && isUsual({ effect }) ? parsed : undefined
  const isPlugin = isSeenRow(body) && 'plugin_type' in body && body.id !== 0
  // Operations without a verb show a plugin by some settings only.
  const isRows = operation !== null && (verb !== null || isPlugin)
  const params: PathParams = route?.params ?? {}
  // Without spreads: V8 would keep an object of so many fields as a hash table.
  return {
    index,
    step,
    /** When the request was sent, and when its response was complete: milliseconds since 1970, by the client's clock */
    from,
    until: from + ms,
    method,
    /** The id of the operation. Null if the path or the method belongs to none */
    operation,
    /** The list that the operation is about, and what it does with its rows. Null without an operation */
    list,
    verb,
    params,
    /** Which page of a list was read. Null for another request */
    page: method === 'GET' && verb === 'list' ? readPage(url, body, list === 'annotations') : null,
    /** The label of the key; null for a request without one */
    key,
    /** 0 for a lost response */
    status: response.status,
    lost,
    /** The fields of the request body */
    sent: method === 'GET' || method === 'HEAD' ? null : readSent(request, sent?.value),
    /** The rows of the response: the one that it is, or those of a page */
    rows: isRows ? readRows(operation, body) : [],
    /** The parsed body of a successful response whose rows are not `rows` */
    other: isRows ? undefined : body,
    /** What makes a simulator respond in this way, if no rule of the service does. Null for a usual response */
    effect,
  } as const
}

/** The rows of a page, or the one that a body is. The live service wraps the plugin that it checked. */
export function readRows(operation: string | null, body: unknown): readonly SeenRow[] {
  if (!isObject(body)) return []
  const row = operation === 'checkPluginForUpdates' && isObject(body.plugin) ? body.plugin : body
  const values = Array.isArray(body.results) ? body.results : [row]
  return values.filter(isSeenRow)
}

export function isSeenRow(value: unknown): value is SeenRow {
  return isObject(value) && (typeof value.id === 'number' || typeof value.id === 'string')
}

/** @param value the body as JSON */
function readSent(
  { headers, body }: Exchange['request'],
  value: unknown,
): Readonly<Record<string, unknown>> | null {
  if (body === null || !('text' in body)) return null
  if (isFormBody(headers)) return Object.fromEntries(parseQuery(body.text))
  return isObject(value) ? value : null
}

/** Which part of a list a request read. */
function readPage(url: string, body: unknown, hasSearch: boolean) {
  const query = parseQuery(queryString(url))
  const text = (hasSearch && query.getAll('search').at(-1)) || ''
  const { count, next, previous } = isObject(body) && Array.isArray(body.results) ? body : {}
  return {
    offset: Math.max(0, parseInteger(query.getAll('offset').at(-1) ?? '') ?? 0),
    /** The folded search terms */
    search: searchTerms(text.replaceAll('\0', '')),
    /** The number of rows on all pages. Null without a page */
    count: typeof count === 'number' && Number.isSafeInteger(count) ? count : null,
    /** The limit of the request, and that of the links. Null without one */
    limit: parseInteger(query.getAll('limit').at(-1) ?? '') ?? null,
    linkLimit: limitOf(next) ?? limitOf(previous),
  } as const
}

function limitOf(link: unknown): number | null {
  const query = typeof link === 'string' ? queryString(link) : ''
  return parseInteger(parseQuery(query).get('limit') ?? '') ?? null
}

/** The settings about sizes of pages that links show: they say the limit that the service used. Not those that no simulator has */
export function shownLimits(observations: readonly Observation[]): SettingOverrides {
  const shown = observations.flatMap(({ list, page }): [string, number][] => {
    const { limit = null, linkLimit = null } = page ?? {}
    if (list === null || linkLimit === null) return []
    if (limit === null) return [[`${list}.list.limit.default`, linkLimit]]
    return linkLimit < limit ? [['lists.limit.maximum', linkLimit]] : []
  })
  return Object.fromEntries(
    shown.filter(([id, limit]) => settingIssues({ [id]: limit }).length === 0),
  )
}

/** A response that takes longer is slow, in milliseconds. */
const slowResponse = 2_000

/**
 * The effect that makes a simulator respond as this service did, if that was no usual response: a lost or slow one, an
 * error of the server or of a proxy, a refusal by a rate limit, or a text in place of JSON. Null for a usual response.
 *
 * @param body the parsed body of the response. Undefined if it is not JSON
 */
function abnormalEffect(exchange: Exchange, body: Json | undefined): FaultEffect | null {
  const effect = mainEffectOf(exchange, body)
  const ms = Math.min(Math.round(exchange.ms), maxFaultSeconds * 1_000)
  // A client that gave up waits again. A server that waited for its limit does not have to.
  if (ms < slowResponse) return effect
  return { ...effect, delay_ms: ms }
}

function mainEffectOf(exchange: Exchange, body: Json | undefined): FaultEffect | null {
  const { lost, response, method } = exchange
  const { status } = response
  if (status === 0)
    return lost?.arrived && method !== 'HEAD' ? { cut_bytes: lost.arrived.bytes } : { drop: true }
  const text = response.body && 'text' in response.body ? response.body.text : ''
  const isReplaced = body === undefined && text.trim() !== '' && !bodilessStatuses.includes(status)
  const isAbnormal = status >= 500 || status === 429 || (status >= 300 && status < 400)
  // Services word their refusals in many forms.
  if (!isAbnormal && !(isReplaced && status < 400)) return null
  return status < 200 || status > 599 ? null : responseEffect(exchange, body)
}

/** The effect that gives a recorded response. @param body its parsed body. Undefined if it is not JSON */
function responseEffect({ response }: Exchange, body: Json | undefined): FaultEffect {
  const { status, headers } = response
  const text = response.body && 'text' in response.body ? response.body.text : ''
  const type = findHeader(headers, 'content-type')
  const shownHeaders = [
    ...(body === undefined && type !== undefined ? [['content-type', type]] : []),
    ...responseHeaders.flatMap((name) => {
      const value = findHeader(headers, name)
      return value !== undefined && writableValue.test(value) ? [[name, value]] : []
    }),
  ]
  const sent = body === undefined ? text : (escapeLiterals(body) as Json)
  return {
    status,
    ...(shownHeaders.length > 0 && { headers: Object.fromEntries(shownHeaders) }),
    ...(text !== '' && !bodilessStatuses.includes(status) && { body: sent }),
  }
}

/** Whether a response was that of the service, perhaps late, not one in its place. */
export function isUsual({ effect }: { readonly effect: FaultEffect | null }): boolean {
  return effect === null || Object.keys(effect).join() === 'delay_ms'
}

/** Whether a request read a list that follows from no other request. */
export function isSideRead({ method, operation, status }: Observation): boolean {
  return isSideList(operation) && method === 'GET' && isSuccess(status)
}

/** Whether the response of a request does not say whether the request was carried out. */
export function isUnanswered({ status, effect }: Observation): boolean {
  return status === 0 || (effect?.status !== undefined && status !== 429)
}
