import { endpoints } from '../../../src/api/endpoints.ts'
import { createPathMatcher, parsePathPattern, toBaseUrl } from '../../../src/http/url.ts'
import type { PolicySettings } from '../../../src/policies/policies.ts'
import { describeApi } from '../../../src/server/openapi/api-document.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { Contract, type HttpExchange } from './contract.ts'

/** Contracts by policies and path. A test requests few paths, and the validator reads every path of its document. */
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
 * Sends a request, and validates it and its response against the OpenAPI document of the current policies. A response
 * that a fault changed is not validated, unless it is a mutant.
 *
 * @throws Error for an undescribed response, and for an undescribed request that was not refused
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
  if (!isDescribed || !simulator || isDisturbed(simulator)) return send()
  const { settings } = simulator.policies
  const response = await send()
  if (isDisturbed(simulator)) return response
  if (isBeyondOpenApi(request, path, text)) return response
  const isNeighbour = simulator.sandbox.neighbours && !paths.some((one) => one.match(path))
  if (isNeighbour) return response
  const target = targetOf(path, search)
  const exchange = await toExchange(request, target, text, response)
  const violation = await violationOf(contractOf(settings, target), exchange)
  if (violation === null) return response
  throw new Error(
    `The OpenAPI document does not describe ${request.method} ${target} with the response ${response.status}: ` +
      `${violation}. Correct one of them.\n${text}`,
  )
}

/**
 * Whether a fault can respond in another way. Mutants stay within the document. It closes objects, which the documentation
 * of the API does not.
 */
function isDisturbed({ faults }: Simulator): boolean {
  return faults
    .list()
    .some(({ effect: { mutate } }) => mutate === undefined || mutate === 'extra_field')
}

/**
 * What no OpenAPI document can describe: an encoded path, a media type with a wildcard, and a number beyond the range of
 * numbers.
 */
function isBeyondOpenApi({ headers }: Request, path: string, text: string): boolean {
  const isWild = headers.get('content-type')?.includes('*') === true
  return isWild || path.includes('%') || /\de\d{3}/i.test(text)
}

/** The API has to refuse a request that the document does not describe. */
async function violationOf(contract: Contract, exchange: HttpExchange): Promise<string | null> {
  const requestViolation = await contract.findRequestViolation(exchange)
  const isOperation = requestViolation?.status !== 404 && requestViolation?.status !== 405
  const responseViolation = isOperation ? await contract.findResponseViolation(exchange) : null
  return (
    responseViolation?.message ??
    (exchange.status < 400 ? (requestViolation?.message ?? null) : null)
  )
}

/** Finds the sandbox that responds to a request. */
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

/** Keeps the last value of each query parameter, as the API does. */
function targetOf(path: string, search: string): string {
  const withoutSuffix = path.replace(/\/?\.json(?=\/?$)/, '')
  const parameters = new Map(new URLSearchParams(search))
  // A suffix decides the format, whatever the parameter says.
  if (withoutSuffix !== path) parameters.delete('format')
  const pairs = [...parameters].map((pair) => pair.map(encoded).join('='))
  return pairs.length === 0 ? withoutSuffix : `${withoutSuffix}?${pairs.join('&')}`
}

/** Percent-encodes reserved characters, too, as RFC 3986 defines them. */
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
  // A content type without a body.
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
