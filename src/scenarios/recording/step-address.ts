import { keyFieldName, keyInBody, keyInHeader, keyInQuery } from '../../http/authorize.ts'
import {
  type Exchange,
  type ExchangedBody,
  type ExchangedMessage,
  findHeader,
  isFormBody,
} from '../../http/exchange.ts'
import { queryString } from '../../http/url.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import type { RequestStep } from '../format/scenario.ts'

type StepAddress = Pick<RequestStep, 'path' | 'query'>

/** Guesses the base URL of an address: the part before `/api`, or the origin. */
export function guessBaseUrl(url: string): string {
  const [path = ''] = url.split(/[?#]/)
  const [origin = ''] = /^[a-z][\w+.-]*:\/\/[^/]*/i.exec(path) ?? []
  const at = path.slice(origin.length).search(/\/api(?:\/|$)/)
  return at < 0 ? origin : path.slice(0, origin.length + at)
}

/** Splits an address into the path and the query of a step. Null if it is not below the base URL. */
export function toStepAddress(url: string, baseUrl: string): StepAddress | null {
  const [address = ''] = url.split('#')
  if (!isBelowBaseUrl(`${address.split('?')[0]}/`, baseUrl)) return null
  const [path = '', ...rest] = address.slice(baseUrl.length).split('?')
  const escapedPath = escapeBraces(path === '' ? '/' : path)
  if (rest.length === 0) return { path: escapedPath }
  const queryText = rest.join('?')
  const pairs = [...new URLSearchParams(queryText)]
  if (!isRepeatableQuery(queryText, pairs)) {
    return { path: `${escapedPath}?${escapeBraces(queryText)}` }
  }
  return {
    path: escapedPath,
    query: Object.fromEntries(pairs.map(([name, value]) => [name, parseQueryValue(value)])),
  }
}

/** The path of a step that sends exactly this path and query. Null if fetch would normalize the address. */
export function toExactAddress(target: string): StepAddress | null {
  if (!/^\/[^\s#]*$/.test(target)) return null
  const url = `http://localhost${target}`
  const isUnchanged = URL.canParse(url) && new URL(url).href === url
  return isUnchanged ? { path: escapeBraces(target) } : null
}

export function isBelowBaseUrl(address: string, baseUrl: string): boolean {
  return address.startsWith(baseUrl) && address[baseUrl.length] === '/'
}

/** Doubles braces around names, so that a step does not read them as saved values. */
export function escapeBraces(text: string): string {
  return text.replace(/\{(\w+)\}/g, '{{$1}}')
}

/** Whether a query can be written as an object: no name repeats, and encoding it again gives the same text. */
function isRepeatableQuery(text: string, pairs: readonly [string, string][]): boolean {
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return false
  // Clients differ in whether they encode `{`, and in how they encode a space.
  const encoded = String(new URLSearchParams([...pairs]))
  const normalize = (query: string): string => decodeURIComponent(query.replaceAll('+', '%20'))
  try {
    return (
      text !== '' &&
      normalize(text) === normalize(encoded) &&
      !pairs.some(([name]) => /\{\w+\}/.test(name))
    )
  } catch {
    return false
  }
}

function parseQueryValue(value: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : escapeBraces(value)
}

/** Finds the label of the key of each request. An unknown key gets a label, unless the service refused it. */
export class KeyLabeler {
  readonly #labels: Map<string, string>
  readonly #newLabels = new Set<string>()

  /** @param keys the values of known keys by their labels */
  constructor(keys: Readonly<Record<string, string>> = {}) {
    this.#labels = new Map(Object.entries(keys).map(([label, value]) => [value, label]))
  }

  /** Sets the label of the key. Removes it if the service refused the key. */
  withLabel(exchange: Exchange): Exchange {
    const { key: _, ...rest } = exchange
    const label = this.#labelOf(exchange)
    return label === undefined ? rest : { key: label, ...rest }
  }

  warnAboutNewLabel(label: string | null | undefined, step: number): string[] {
    if (!label || !this.#newLabels.delete(label)) return []
    return [`steps[${step}] uses an unknown key: replay the scenario with --key ${label}=VALUE.`]
  }

  #labelOf(exchange: Exchange): string | null | undefined {
    if (exchange.key) return exchange.key
    const value = findKey(exchange)
    if (value === undefined) return exchange.key
    const known = this.#labels.get(value)
    if (known !== undefined) return known
    if (exchange.response.status === 401) return undefined
    let count = 1
    while ([...this.#labels.values()].includes(`key-${count}`)) count += 1
    const label = `key-${count}`
    this.#newLabels.add(label)
    this.#labels.set(value, label)
    return label
  }
}

function findKey({ url, request }: Exchange): string | undefined {
  const header = findHeader(request.headers, 'authorization')
  if (header !== undefined) return keyInHeader(header)?.value
  return (keyInBody(parseRequestBody(request)) ?? keyInQuery(queryString(url)))?.value
}

function parseRequestBody({ headers, body }: ExchangedMessage): unknown {
  if (body === null || !('text' in body)) return undefined
  if (isFormBody(headers)) return Object.fromEntries(new URLSearchParams(body.text))
  return tryParseJson(body.text)?.value
}

/** Removes the key from the query and the body of a request. The step names it by its label instead. */
export function withoutKeyParameter(
  { path, query = {} }: StepAddress,
  { headers, body }: ExchangedMessage,
): { readonly address: StepAddress; readonly body: ExchangedBody | null } {
  const { [keyFieldName]: _, ...rest } = query
  const address = { path, ...(Object.keys(rest).length > 0 && { query: rest }) }
  if (!body || !('text' in body)) return { address, body }
  if (isFormBody(headers)) {
    const pairs = body.text.split('&')
    const others = pairs.filter((pair) => !new URLSearchParams(pair).has(keyFieldName))
    return { address, body: { text: others.join('&') } }
  }
  const value = tryParseJson(body.text)?.value
  if (!isObject(value) || !(keyFieldName in value)) return { address, body }
  const { [keyFieldName]: __, ...fields } = value
  return { address, body: { text: JSON.stringify(fields) } }
}
