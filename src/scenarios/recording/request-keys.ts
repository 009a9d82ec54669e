import { keyInBody, keyInHeader, keyInQuery } from '../../http/authorize.ts'
import type { Exchange, ExchangedBody, ExchangedMessage } from '../../http/exchange.ts'
import { findHeader } from '../../http/exchange.ts'
import { queryString } from '../../http/url.ts'
import { tryParseJson } from '../../utils/json.ts'
import { MessageRedactor } from '../../utils/redaction/message-redactor.ts'
import {
  apiKeyPattern,
  isKeyFieldName,
  KnownSecrets,
  keyFieldName,
} from '../../utils/redaction/secrets.ts'
import { TextBody } from '../../utils/redaction/text-body.ts'
import type { ChangeStep } from '../format/scenario.ts'
import { isFormBody, type StepAddress } from './request-parts.ts'

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

/** How the key of a request is told in a step, and the request without it. */
export interface SeparatedKey {
  readonly key: {
    /** The label of a key that is known */
    readonly as?: string
    /** What stands in place of one that nobody knows */
    readonly headers: Readonly<Record<string, string>>
  }
  readonly address: StepAddress
  readonly body: ExchangedBody | null
}

/** Takes the key out of a request. One without a label stays as it is told: it was no key, or nobody's. */
export function separateKey({ key, request }: Exchange, place: StepAddress): SeparatedKey {
  const header = findHeader(request.headers, 'authorization')
  const { body } = request
  if (typeof key !== 'string') {
    return { key: { headers: header ? { authorization: header } : {} }, address: place, body }
  }
  const as = { as: key, headers: {} }
  if (header !== undefined) return { key: as, address: place, body }
  return {
    key: as,
    address: withoutKey(place),
    body: body && bodyWithoutKey(body, isFormBody(request.headers)),
  }
}

function withoutKey({ path, query }: StepAddress): StepAddress {
  if (query === undefined) return { path }
  const { [keyFieldName]: _, ...rest } = query
  return { path, ...(Object.keys(rest).length > 0 && { query: rest }) }
}

function bodyWithoutKey(body: ExchangedBody, isOfForm: boolean): ExchangedBody {
  if (!('text' in body)) return body
  if (isOfForm) {
    const pairs = body.text
      .split('&')
      .filter((pair) => !new URLSearchParams(pair).has(keyFieldName))
    return { text: pairs.join('&') }
  }
  const value = tryParseJson(body.text)?.value
  if (typeof value !== 'object' || value === null || !(keyFieldName in value)) return body
  const { [keyFieldName]: _, ...rest } = value
  return { text: JSON.stringify(rest) }
}

/** The labels of the keys of the world that is asked, by their values; null for one that no label tells from others. */
export type KnownKeys = ReadonlyMap<string, string | null>

/** How a step says which key it was sent with: by its label, or by a header; neither where there was none. */
export interface StepKey {
  readonly as?: string
  readonly authorization?: string
}

/**
 * Replaces keys that the world does not have, which may be somebody's own: in requests where keys stand, and what
 * looks like one; in answers and changes those that came with a request. A word of the same length takes their place,
 * which is refused in the same way.
 */
export class UnknownKeys {
  /** To be asked each time: keys come and go. */
  readonly #known: () => KnownKeys
  /** In the order in which they came, from 1 on. */
  readonly #met = new Map<string, number>()
  #everywhere = new KnownSecrets([])
  /** Of a request. */
  readonly requestHider: MessageRedactor
  /** Of what comes after it: an answer, a change. */
  readonly responseHider: MessageRedactor

  constructor(known: () => KnownKeys) {
    this.#known = known
    const meet = (value: string): string => {
      if (value === '' || this.#known().has(value)) return value
      return replacementKey(value.length, this.#met.get(value) ?? this.#remember(value))
    }
    const replace = (value: string): string => (this.#met.has(value) ? meet(value) : value)
    const replaced = (text: string): string => this.#everywhere.redact(text, meet)
    this.requestHider = new MessageRedactor({
      maskFor: (name) => (isKeyFieldName(name) ? meet : null),
      redactText: (text) => replaced(this.#withoutLookalikes(text, meet)),
      maskHeader: meet,
    })
    this.responseHider = new MessageRedactor({
      maskFor: (name) => (isKeyFieldName(name) ? replace : null),
      redactText: replaced,
      maskHeader: replace,
    })
  }

  /** Gets to know the strange keys of a request: they may stand before the place that tells of them. */
  collect({ url, request: { headers, body } }: Exchange): void {
    this.requestHider.url(url)
    // Of cookies nothing is in a step, and what is in them are words as well.
    for (const [name, value] of headers)
      if (!name.endsWith('cookie')) this.requestHider.header(name, value)
    if (body === null || 'omitted' in body) return
    if ('base64' in body) this.requestHider.base64(body.base64)
    else this.requestHider.body(new TextBody(body.text, isFormBody(headers)))
  }

  /** A change that was made after they were met: what they came into may be in it. */
  hideInChange(change: ChangeStep): ChangeStep {
    return this.#met.size === 0 ? change : (this.responseHider.json(change) as ChangeStep)
  }

  /** How a step says which key it was sent with. */
  keyForStep(headers: ExchangedMessage['headers']): StepKey {
    const header = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
    if (header === undefined) return {}
    const [, key = ''] = /^Bearer (.*)$/s.exec(header) ?? []
    const label = this.#known().get(key)
    if (typeof label === 'string') return { as: label }
    return { authorization: this.requestHider.header('authorization', header) }
  }

  #remember(value: string): number {
    this.#met.set(value, this.#met.size + 1)
    const long = [...this.#met.keys()].filter(({ length }) => length >= minimumLength)
    this.#everywhere = new KnownSecrets(long)
    return this.#met.size
  }

  #withoutLookalikes(text: string, meet: (value: string) => string): string {
    return text.replace(apiKeyPattern, (found, at: number) => {
      // Of a known key it may be the beginning only.
      const isKnown = (key: string): boolean => key.startsWith(found) && text.startsWith(key, at)
      return [...this.#known().keys()].some(isKnown) ? found : meet(found)
    })
  }
}

/** From here on, in characters, a value is no word that a test has for a wrong key, such as `invalid`. */
const minimumLength = 16

/** What stands in place of a key that nobody knows: of two, neither is found in the other. */
function replacementKey(length: number, number: number): string {
  return `phx_unknown_${number}`.slice(0, length).padEnd(length, '_')
}
