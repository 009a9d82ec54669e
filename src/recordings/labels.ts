import { queryString } from '../http/call.ts'
import { tryParseJson } from '../parsed-json.ts'
import { keyInBody, keyInHeader, keyInQuery } from '../secrets/sent-key.ts'
import type { Exchange } from './exchange.ts'
import { findHeader, isFormBody } from './headers.ts'

/** Tells keys by their labels. One that nobody has named gets a label here, unless it was refused as no key at all. */
export class KeyLabeler {
  readonly #labels: Map<string, string>
  readonly #made = new Set<string>()
  readonly #told = new Set<string>()

  /** @param keys values by their labels */
  constructor(keys: Readonly<Record<string, string>> = {}) {
    this.#labels = new Map(Object.entries(keys).map(([label, value]) => [value, label]))
  }

  /** The same with the label of its key; without one where it was refused as none. */
  withLabel(exchange: Exchange): Exchange {
    const { key: _, ...rest } = exchange
    const label = this.#of(exchange)
    return label === undefined ? rest : { key: label, ...rest }
  }

  /** What is to be said of a label that was given here, once. */
  warnAboutNewLabel(label: string | null | undefined, step: number): string[] {
    if (!label || !this.#made.has(label) || this.#told.has(label)) return []
    this.#told.add(label)
    return [`steps[${step}] has a key that is not known: replay it with --key ${label}=VALUE.`]
  }

  #of(exchange: Exchange): string | null | undefined {
    if (exchange.key) return exchange.key
    const value = findKey(exchange)
    if (value === undefined) return exchange.key
    const known = this.#labels.get(value)
    if (known !== undefined) return known
    if (exchange.answer.status === 401) return undefined
    let count = this.#made.size + 1
    while ([...this.#labels.values()].includes(`key-${count}`)) count += 1
    const label = `key-${count}`
    this.#made.add(label)
    this.#labels.set(value, label)
    return label
  }
}

/** The key that a request was sent with, wherever it stands. */
function findKey({ url, request }: Exchange): string | undefined {
  const header = findHeader(request.headers, 'authorization')
  if (header !== undefined) return keyInHeader(header)?.value
  return (keyInBody(parseRequestBody(request)) ?? keyInQuery(queryString(url)))?.value
}

/** A body as it is read: of a form, or JSON. */
function parseRequestBody({ headers, body }: Exchange['request']): unknown {
  if (body === null || !('text' in body)) return undefined
  if (isFormBody(headers)) return Object.fromEntries(new URLSearchParams(body.text))
  return tryParseJson(body.text)?.value
}
