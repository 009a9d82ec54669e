import { keyInBody, keyInHeader, keyInQuery } from '../../http/check.ts'
import {
  type Exchange,
  type ExchangedBody,
  type ExchangedMessage,
  findHeader,
  isFormBody,
} from '../../http/exchange.ts'
import { queryString } from '../../http/messages.ts'
import { type ParsedJson, readJsonBody, tryParseJson, utf8Length } from '../../utils/json.ts'
import { parseQuery } from '../../utils/query.ts'
import type { Aliases } from '../../utils/redaction/aliases.ts'
import { Redactor } from '../../utils/redaction/redactor.ts'
import type { Replacement } from '../../utils/redaction/scanner.ts'
import type { KeyRequest } from '../../world/keys.ts'
import type { ChangeStep } from '../format/scenario.ts'

export interface HiddenExchange {
  readonly exchange: Exchange
  /** The parsed body of the request if it is JSON */
  readonly sent: ParsedJson | undefined
  /** The parsed body of the response if it is JSON */
  readonly received: ParsedJson | undefined
}

/**
 * Hides secrets in requests and responses. Keys, tokens and e-mail addresses are replaced wherever they occur. Names of
 * people are replaced in fields for names, such as `first_name`, and full names that such fields have shown are replaced
 * in texts, too. Other texts can still contain names.
 *
 * What is collected first is replaced everywhere, also in what was recorded before a field said that it is secret.
 */
export class Hider {
  readonly strategy: Aliases
  /** Learns what it replaces */
  readonly #redactor: Redactor
  /** Learns, and replaces nothing */
  readonly #learner: Redactor
  /** Bodies by their texts: clients read the same again and again */
  readonly #bodies = new Map<string, HiddenBody>()

  /** @param redact further names of secrets */
  constructor(strategy: Aliases, redact?: readonly string[]) {
    this.strategy = strategy
    const { learner, finds, known } = strategy
    this.#learner = new Redactor(learner, redact)
    const replace: Replacement['replace'] = (value, kind, ...rest) => {
      const { learned } = strategy
      learner.replace(value, kind, ...rest)
      // A secret can be within another one, and be elsewhere alone.
      if (strategy.learned > learned) this.#learner.text(value)
      return strategy.replace(value, kind)
    }
    const number = (written: string) => strategy.number(written)
    const both = { finds, known, replace, number }
    this.#redactor = new Redactor(both, redact)
  }

  collect({ url, request, response }: Exchange): void {
    if (mayHoldSecrets.test(url)) this.#learner.url(url)
    for (const message of [request, response]) {
      const { headers, body } = message
      for (const [name, value] of headers) this.#learner.header(name, value)
      const text = textOf(message)
      if (!body || (text !== null && this.#bodies.has(text))) continue
      // What is replaced in an encoded text is not found where it is decoded.
      const isPlain = text !== null && !mayBeEncoded.test(text)
      const hidden = this.#hide(isPlain ? this.#redactor : this.#learner, message)
      if (text !== null) this.#bodies.set(text, isPlain ? hidden : { ...hidden, learned: -1 })
      if (text !== null) this.#learnNames(text)
    }
  }

  collectChange(step: ChangeStep): void {
    // The name of a setting, such as `keys.places`, says nothing about its value.
    if ('settings' in step) return
    const { keys = [] } = 'world' in step ? step.world : {}
    for (const { value } of keys) this.strategy.learnKey(value)
    this.#learner.json(step)
    this.#learnNames(JSON.stringify(step))
  }

  url(url: string): string {
    return this.#redactor.url(url)
  }

  text(text: string): string {
    return this.#redactor.text(text)
  }

  exchange(exchange: Exchange): HiddenExchange {
    const { key } = exchange
    const url = this.url(exchange.url)
    const { parsed: sent, ...request } = this.#message(exchange.request)
    const { parsed: received, ...response } = this.#message(exchange.response)
    return {
      exchange: {
        ...exchange,
        url,
        request,
        response: { status: exchange.response.status, ...response },
        ...(typeof key === 'string' && {
          key: this.#redactor.text(this.strategy.replaceKey(key)),
        }),
      },
      sent,
      received,
    }
  }

  change(step: ChangeStep): ChangeStep {
    return 'settings' in step ? step : (this.#redactor.json(this.#withoutKeys(step)) as ChangeStep)
  }

  /** Replaces the values of keys where keys are. Elsewhere a short one is an ordinary word, such as `api`. */
  #withoutKeys(step: ChangeStep): ChangeStep {
    const replace = (text: string) => this.strategy.replaceKey(text)
    const withoutValue = <Key extends Pick<KeyRequest, 'value' | 'label'>>(key: Key): Key => ({
      ...key,
      ...(key.value !== undefined && { value: replace(key.value) }),
      ...(key.label !== undefined && { label: replace(key.label) }),
    })
    if ('revoke' in step) return { ...step, revoke: replace(step.revoke) }
    if ('world' in step && step.world.keys) {
      return { ...step, world: { ...step.world, keys: step.world.keys.map(withoutValue) } }
    }
    return step
  }

  /** Learns the full names of persons: a first and a last name, one after the other. */
  #learnNames(json: string) {
    let names: Record<string, string> = {}
    for (const [, field = '', text = ''] of json.matchAll(nameField)) {
      names[field] = tryParseJson(text)?.value as string
      const { first, last } = names
      if (first && last) this.strategy.learn('name', `${first} ${last}`)
      if (first !== undefined && last !== undefined) names = {}
    }
  }

  #message(message: ExchangedMessage): HiddenMessage {
    const headers = message.headers.map(
      ([name, value]) => [this.text(name), this.#redactor.header(name, value)] as const,
    )
    const text = textOf(message)
    const copy = text === null ? undefined : this.#bodies.get(text)
    const hidden = copy && this.#isWhole(copy) ? copy : this.#hide(this.#redactor, message)
    if (text !== null) this.#bodies.set(text, hidden)
    if (hidden.body && !('parsed' in hidden)) hidden.parsed = parseText(hidden.body)
    return { headers, body: hidden.body, parsed: hidden.parsed }
  }

  #hide(redactor: Redactor, { headers, body }: ExchangedMessage): HiddenBody {
    const { learned } = this.strategy
    return { body: body && redactBody(redactor, headers, body), learned }
  }

  /** Whether nothing is in a hidden body that was learned after it. */
  #isWhole({ body, learned }: HiddenBody) {
    if (learned === this.strategy.learned) return true
    if (!body || !('text' in body) || mayBeEncoded.test(body.text)) return false
    return this.strategy.known.find(body.text, 0) === undefined
  }
}

/** A body without the secrets that were known. */
interface HiddenBody extends Pick<ExchangedMessage, 'body'> {
  /** How much was known. Less than 0 if nothing is replaced yet */
  readonly learned: number
  /** The parsed body, from the first time that it is needed */
  parsed?: ParsedJson | undefined
}

interface HiddenMessage extends ExchangedMessage {
  readonly parsed: ParsedJson | undefined
}

const nameField = /"(first|last)_name"\s*:\s*("(?:[^"\\]|\\.)*")/g

/** A secret can be written in another form in such a text. */
const mayBeEncoded = /[%\\]/

/** The text of a body that is no form. Null for another one */
function textOf({ headers, body }: ExchangedMessage): string | null {
  return body && 'text' in body && !isFormBody(headers) ? body.text : null
}

/** A URL without any of these characters has no named values. */
const mayHoldSecrets = /[=%"']/

function parseText(body: ExchangedBody): ParsedJson | undefined {
  return 'text' in body ? readJsonBody(body.text) : undefined
}

/** Whether a body is a text in which names are not read, so that secrets are found by their form only. */
export function isUnread(
  { headers, body }: ExchangedMessage,
  parsed: ParsedJson | undefined,
): boolean {
  const isText = body !== null && 'text' in body && body.text !== ''
  return isText && !isFormBody(headers) && !parsed
}

/** Bytes with a secret are left out: they can be compressed, or have a checksum. The fields of a form are texts. */
function redactBody(
  redactor: Redactor,
  headers: ExchangedMessage['headers'],
  body: ExchangedBody,
): ExchangedBody {
  if ('omitted' in body) return body
  if ('text' in body) {
    const text = redactor.body(body.text, isFormBody(headers))
    return text === body.text ? { text } : { text, bytes: utf8Length(body.text) }
  }
  const base64 = redactor.base64(body.base64)
  const isForm = findHeader(headers, 'content-type')?.startsWith('multipart/form-data')
  return base64 === body.base64 || isForm ? { base64 } : { omitted: atob(body.base64).length }
}

/** Finds the label of the key of each request. An unknown key gets a label, unless the service refused it. */
export class KeyLabeler {
  readonly #labels: Map<string, string>
  readonly #taken: Set<string>
  readonly #newLabels = new Set<string>()
  #count = 1

  /** @param keys the values of known keys by their labels */
  constructor(keys: Readonly<Record<string, string>> = {}) {
    this.#labels = new Map(Object.entries(keys).map(([label, value]) => [value, label]))
    this.#taken = new Set(Object.keys(keys))
  }

  /** Sets the label of the key. Removes it if the service refused the key. */
  withLabel(exchange: Exchange): Exchange {
    const { key: _, ...rest } = exchange
    const label = this.#labelOf(exchange)
    return label === undefined ? rest : { key: label, ...rest }
  }

  /** Whether a label was made for a key that is not known, and is asked for the first time. */
  isFirstUse(label: string): boolean {
    return this.#newLabels.delete(label)
  }

  #labelOf(exchange: Exchange): string | null | undefined {
    // Null says that the service read no key, also if the query has a field for one.
    if (exchange.key || exchange.key === null) return exchange.key
    const { url, request, response } = exchange
    const header = findHeader(request.headers, 'authorization')
    const key =
      header === undefined
        ? (keyInBody(parseRequestBody(request)) ?? keyInQuery(queryString(url)))
        : keyInHeader(header)
    if (!key) return exchange.key
    const name = this.#labels.get(key.value)
    // The service checks the Accept header before the key. A replay sends a key in the header, where it may count.
    const isRefused = response.status === 401 || response.status === 406
    if (name !== undefined && !(isRefused && header === undefined)) return name
    if (isRefused) return undefined
    while (this.#taken.has(`key-${this.#count}`)) this.#count += 1
    const label = `key-${this.#count}`
    this.#taken.add(label)
    this.#newLabels.add(label)
    this.#labels.set(key.value, label)
    return label
  }
}

function parseRequestBody({ headers, body }: ExchangedMessage) {
  if (body === null || !('text' in body)) return undefined
  if (isFormBody(headers)) return Object.fromEntries(parseQuery(body.text))
  return readJsonBody(body.text)?.value
}
