import { isSideList } from '../api/endpoints.ts'
import { type Exchange, findHeader, isFormBody } from '../http/exchange.ts'
import { bodilessStatuses, isSuccess, parseInteger, requestTarget } from '../http/messages.ts'
import { Address, type SeenRecord, SeenRequest } from '../mistakes/seen-request.ts'
import { escapeLiterals } from '../scenarios/format/values.ts'
import type { HiddenExchange } from '../scenarios/recording/hide.ts'
import { operationOf, responseHeaders, writableValue } from '../scenarios/recording/to-step.ts'
import { type SettingOverrides, settingIssues } from '../settings/resolve.ts'
import { type FaultEffect, maxFaultSeconds } from '../simulator/faults/fault.ts'
import type { Json } from '../utils/json.ts'
import { parseQuery } from '../utils/query.ts'

/** Reads a request of an archive. @param index the position of the exchange */
export function readRequest({ exchange, sent, received }: HiddenExchange, index: number) {
  const { method, url, at, ms, request, response, key } = exchange
  const { headers, body } = request
  const isForm = body !== null && 'text' in body && isFormBody(headers)
  const bodies = {
    sent: isForm ? Object.fromEntries(parseQuery(body.text)) : sent?.value,
    received: received?.value,
  }
  const effect = abnormalEffect(exchange, received?.value as Json | undefined)
  const record: SeenRecord = {
    id: index,
    at: Date.parse(at),
    ms,
    method,
    operation: operationOf(exchange),
    target: requestTarget(url).replace(/%40current/i, '@current'),
    response: { status: response.status },
    fault: effect && { effect },
  }
  return new SeenRequest(record, key ?? '', bodies)
}

/** The same request for another project or organization than `@current`. */
export function withParent(request: SeenRequest, parent: string): SeenRequest {
  const target = request.record.target.replace('@current', parent)
  return new SeenRequest({ ...request.record, target }, request.client, request)
}

/** The settings that a response shows alone: the limit of a page, and whose plugins lists have */
export function shownSettings(requests: readonly SeenRequest[]): SettingOverrides {
  const shown = requests.flatMap(({ list, page, query }): [string, number][] => {
    const link = page?.next ?? page?.previous ?? ''
    const [limit, used] = [query, new Address(link).query].map((parameters) =>
      parseInteger(parameters.get('limit') ?? ''),
    )
    if (list === undefined || used === undefined) return []
    if (limit === undefined) return [[`${list}.list.limit.default`, used]]
    return used < limit ? [['lists.limit.maximum', used]] : []
  })
  const isOfOthers = requests.some(({ list, rows, parent }) =>
    rows.some(({ organization_id: own = parent }) => list === 'plugins' && own !== parent),
  )
  return {
    ...Object.fromEntries(
      shown.filter(([id, limit]) => settingIssues({ [id]: limit }).length === 0),
    ),
    ...(isOfOthers && { 'plugins.global.visibility': 'every_organization' }),
  }
}

/** A response that takes longer is slow, in milliseconds. */
const slowResponse = 2_000

/** The effect that makes a simulator respond as this service did. Null for a usual response */
function abnormalEffect(exchange: Exchange, body: Json | undefined): FaultEffect | null {
  const effect = mainEffectOf(exchange, body)
  const ms = Math.min(Math.round(exchange.ms), maxFaultSeconds * 1_000)
  // A client that gave up waits again. A server that waited for its limit does not have to.
  if (ms < slowResponse) return effect
  return { ...effect, delay_ms: ms }
}

/** Of a rate limit, or of a gateway when it or its client gave up. */
const gatewayStatuses = [408, 429, 444, 460, 499]

function mainEffectOf(exchange: Exchange, body: Json | undefined): FaultEffect | null {
  const { lost, request, response, method } = exchange
  const { status } = response
  if (status === 0)
    return lost?.arrived && method !== 'HEAD' ? { cut_bytes: lost.arrived.bytes } : { drop: true }
  const text = response.body && 'text' in response.body ? response.body.text : ''
  const isReplaced = body === undefined && text.trim() !== '' && !bodilessStatuses.includes(status)
  const isOfGateway = status >= 500 || gatewayStatuses.includes(status)
  // A simulator accepts a body that was not recorded.
  const isOfBody = status === 400 && request.body !== null && 'omitted' in request.body
  const isAbnormal = isOfGateway || isOfBody || (status >= 300 && status < 400)
  // Services word their refusals in many forms.
  if (!isAbnormal && !(isReplaced && status < 400)) return null
  return status < 200 || status > 599 ? null : responseEffect(response, text, body)
}

function responseEffect(
  { status, headers }: Exchange['response'],
  text: string,
  body: Json | undefined,
): FaultEffect {
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
export function isUsual({ faultEffect }: SeenRequest): boolean {
  return Object.keys(faultEffect).every((name) => name === 'delay_ms')
}

/** Whether a request read a list that follows from no other request. */
export function isSideRead({ record: { method, operation }, status }: SeenRequest): boolean {
  return isSideList(operation) && method === 'GET' && isSuccess(status)
}

/** Whether the response of a request does not say whether the request was carried out. A redirect says that it was not. */
export function isUnanswered({ status, faultEffect }: SeenRequest): boolean {
  const isSaid = status === 400 || status === 429 || Math.floor(status / 100) === 3
  return status === 0 || (faultEffect.status !== undefined && !isSaid)
}
