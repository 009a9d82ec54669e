import { endpoints } from '../../../src/api/endpoints.ts'
import { createPathMatcher, parsePathPattern, toBaseUrl } from '../../../src/http/url.ts'
import type { PolicySettings } from '../../../src/policies/policies.ts'
import { describeApi } from '../../../src/server/openapi/api-document.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { Contract, type HttpExchange } from './contract.ts'

/** By what the policies were set to, and by the path: a test asks for few, and the validator reads all it is given. */
const contracts = new Map<string, Contract>()

function contractOf(settings: PolicySettings, target: string): Contract {
  const path = paths.find((one) => one.match(target))?.pattern
  const key = JSON.stringify([settings, path])
  const described = endpoints.filter((endpoint) => endpoint.path === path)
  const contract = contracts.get(key) ?? new Contract(describeApi(settings, described))
  contracts.set(key, contract)
  return contract
}

const patterns = [...new Set(endpoints.map(({ path }) => path))]
const paths = patterns.map((text) =>
  createPathMatcher(parsePathPattern(text, patterns), toBaseUrl('*')),
)

/**
 * Sends a request, and holds it and its answer to the document of the API, by the policies in force. What a fault
 * did to an answer is in no document.
 *
 * @throws Error for an answer that the document does not have, and for a request that it does not have and that
 *   was not refused
 */
export async function checkExchange(
  root: Simulator,
  request: Request,
  send: () => Promise<Response>,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const [, named, path = pathname] = /^\/__sandbox\/([^/]+)(\/.*)$/.exec(pathname) ?? []
  const text = await request.text()
  const simulator = chosen(root, named, request, text)
  const isDescribed = path.startsWith('/api/') && !['HEAD', 'OPTIONS'].includes(request.method)
  if (!isDescribed || !simulator || simulator.faults.list().length > 0) return send()
  const { settings } = simulator.policies
  const response = await send()
  if (simulator.faults.list().length > 0) return response
  const target = `${path.replace(/\.json(?=\/?$)/, '')}${lastOfEach(search)}`
  const exchange = await toExchange(request, target, text, response)
  const violation = await violationOf(contractOf(settings, target), exchange)
  if (violation === null) return response
  throw new Error(
    `Failed to hold ${request.method} ${target} and its answer ${response.status} to the document: ` +
      `${violation}. Mend one of the two.\n${text}`,
  )
}

/** A request that the document does not have is one to refuse. */
async function violationOf(contract: Contract, exchange: HttpExchange): Promise<string | null> {
  const asked = await contract.findRequestViolation(exchange)
  const isOperation = asked?.status !== 404 && asked?.status !== 405
  const answered = isOperation ? await contract.findResponseViolation(exchange) : null
  return answered?.message ?? (exchange.status < 400 ? (asked?.message ?? null) : null)
}

/** The world that a request is answered from. */
function chosen(
  root: Simulator,
  named: string | undefined,
  { headers, url }: Request,
  body: string,
): Simulator | undefined {
  const header = headers.get('authorization')
  const holds = (id: string, value: string): boolean =>
    header !== null
      ? header === `Bearer ${value}`
      : root.sandboxes.get(id)?.policies.settings['keys.places'] === 'header_body_query' &&
        `${url} ${body}`.includes(value)
  const byKey = () =>
    root.sandboxes.list().find(({ id, keys }) => keys.some(({ value }) => holds(id, value)))?.id
  const id = named ?? byKey()
  return id === undefined ? root : root.sandboxes.get(id)
}

/** A query as a client writes it who has one value for each parameter: the last one counts. */
function lastOfEach(search: string): string {
  const pairs = [...new Map(new URLSearchParams(search))].map((pair) => pair.map(encoded).join('='))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** As RFC 3986 has it, reserved signs and all. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

async function toExchange(
  request: Request,
  target: string,
  text: string,
  response: Response,
): Promise<HttpExchange> {
  const contentType = response.headers.get('content-type')
  const headers = new Headers(request.headers)
  // A type of nothing: there is no body.
  if (text === '') headers.delete('content-type')
  return {
    method: request.method,
    target,
    requestHeaders: Object.fromEntries(headers),
    requestBody: read(text, headers.get('content-type')),
    status: response.status,
    contentType,
    body: read(await response.clone().text(), contentType),
  }
}

function read(text: string, contentType: string | null): unknown {
  if (text === '') return undefined
  if (contentType?.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(text))
  }
  if (!contentType?.startsWith('application/json')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
