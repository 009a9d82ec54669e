import { endpointOf, findRoute } from '../api/endpoints.ts'
import { type Exchange, type ExchangedMessage, findHeader } from '../http/exchange.ts'
import { isSuccess, requestTarget } from '../http/messages.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { isObject, readJsonBody } from '../utils/json.ts'
import { entities } from '../world/entities/entities.ts'
import type { Entity } from '../world/entities/field.ts'
import { type DraftRow, fillHidden, writtenValue } from './draft-rows.ts'

const settings = resolveSettings('live')

/**
 * Adds the body that an archive lacks to a write: the fields of the row in its response. Chromium records no body that
 * was a Blob. The same exchange if nothing is missing.
 */
export function withSentFields(exchange: Exchange): Exchange {
  const { method, url, request, response } = exchange
  const { body, headers } = request
  const isOmitted = body !== null && 'omitted' in body
  if ((body !== null && !isOmitted) || !isSuccess(response.status)) return exchange
  const route = findRoute({ method, target: requestTarget(url) }, settings)
  const { list, verb } = endpointOf(route?.endpoint.operation ?? null) ?? {}
  const isOfFields = verb === 'create' || verb === 'update' || verb === 'replace'
  const row = isOfFields && jsonOf(response)
  if (!isObject(row) || !('id' in row) || !list) return exchange
  // A service that got no fields has no content to show.
  const isAnnounced = isOmitted || (verb === 'create' && (row.content ?? row.name ?? null) !== null)
  if (!isAnnounced) return exchange
  const { stored } = entities[list] as Entity
  const fields = stored.flatMap((field): [string, unknown][] => {
    const { name, body } = field
    const value = row[name]
    if (!body || value == null || (name === 'deleted' && value === false)) return []
    return [[name, writtenValue(field, value)]]
  })
  const type = findHeader(headers, 'content-type') === undefined
  const added = type ? [...headers, ['content-type', 'application/json'] as const] : headers
  const text = JSON.stringify(Object.fromEntries(fields))
  return { ...exchange, request: { headers: added, body: { text } } }
}

/**
 * Makes up the values that no world can have in the rows of a response: sanitizers of archives hide e-mail addresses. The same
 * exchange if there are none.
 *
 * @returns also the fields that are made up, such as `email of users`
 */
export function withHiddenFilled(exchange: Exchange): {
  readonly exchange: Exchange
  readonly hidden: readonly string[]
} {
  const { method, url, response } = exchange
  const route = findRoute({ method, target: requestTarget(url) }, settings)
  const { list } = endpointOf(route?.endpoint.operation ?? null) ?? {}
  const body = isSuccess(response.status) && list ? jsonOf(response) : undefined
  if (!list || !isObject(body)) return { exchange, hidden: [] }
  const known = structuredClone(body)
  const rows = [known.results ?? known].flat().filter(isObject)
  const hidden = rows.flatMap((row) => fillHidden(list, row as DraftRow))
  if (hidden.length === 0) return { exchange, hidden }
  const text = JSON.stringify(known)
  return { exchange: { ...exchange, response: { ...response, body: { text } } }, hidden }
}

/** Whether a service refused a key that it does not know: by the code or the sentence of the API, whatever the form. */
export function saysUnknownKey({ response: { status, body } }: Exchange): boolean {
  const isRefusal = status === 401 || status === 403
  const text = isRefusal && body && 'text' in body ? body.text : ''
  return /"authentication_failed"|Authorization header is invalid/.test(text)
}

/**
 * Whether an export left out the key of a request. A 401 means that the request really had none. A success means that it
 * had one, whatever a tool wrote in its place.
 *
 * @param showsKeys whether the export has the keys of other requests
 */
export function lacksKey({ key, request, response }: Exchange, showsKeys: boolean): boolean {
  if (key !== undefined || response.status === 401) return false
  const hadKey = findHeader(request.headers, 'authorization') !== undefined
  return isSuccess(response.status) || (!hadKey && !showsKeys)
}

function jsonOf({ body }: ExchangedMessage): unknown {
  return body && 'text' in body ? readJsonBody(body.text)?.value : undefined
}
