import { findRoute } from '../../api/endpoints.ts'
import { queryString } from '../../http/messages.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { detailOf, isObject } from '../../utils/json.ts'
import { parseQuery } from '../../utils/query.ts'
import type { HiddenExchange } from './hide.ts'

/** The profile `live` has every operation, also those that the documentation lacks. */
const settings = resolveSettings('live')

/**
 * Describes a request by its operation and its outcome, such as `List annotations, page 2` or `Create annotation:
 * refused, scope missing`. Undefined for a request to no operation.
 *
 * @param target the path and query below the base URL
 */
export function describeExchange(
  { exchange, sent, received }: HiddenExchange,
  target: string,
): string | undefined {
  const { method, response } = exchange
  const { status } = response
  const id = findRoute({ method, target }, settings)?.endpoint.operation
  if (!id) return undefined
  const operation = operationWords(id) + describePage(target)
  if (status === 0) return `${operation}: connection broken`
  if (status >= 400) return `${operation}: ${describeRefusal(status, received?.value)}`
  const isDeleted = [sent, received].every(
    (body) => isObject(body?.value) && body.value.deleted === true,
  )
  return isDeleted && method === 'PATCH' ? `${operation}: deleted` : operation
}

/** @example operationWords('createAnnotation') // 'Create annotation' */
export function operationWords(id: string): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function describePage(target: string): string {
  const query = parseQuery(queryString(target))
  const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))]
  if (!(offset > 0)) return ''
  const page = offset / limit + 1
  return Number.isInteger(page) ? `, page ${page}` : `, from row ${offset + 1}`
}

const refusals: Readonly<Record<number, string>> = {
  401: 'no valid key',
  403: 'permission denied',
  405: 'method not allowed',
  413: 'body too large',
  415: 'unsupported media type',
  429: 'throttled',
}

function describeRefusal(status: number, body: unknown): string {
  if (status === 404) return 'not found'
  const { code, attr } = isObject(body) ? body : {}
  if (status === 403 && /required scope/.test(detailOf(body))) return 'refused, scope missing'
  const known = refusals[status]
  if (known !== undefined) return `refused, ${known}`
  if (status !== 400 || !isWord(code)) return `failed with ${status}`
  return `refused, ${code.replaceAll('_', ' ')}${isWord(attr) ? ` in ${attr}` : ''}`
}

/** Texts of another service can be anything. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z_]{1,40}$/.test(value)
}
