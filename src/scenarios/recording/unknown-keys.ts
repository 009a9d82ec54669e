import {
  type Exchange,
  type ExchangedMessage,
  findHeader,
  isFormBody,
} from '../../http/exchange.ts'
import { MessageRedactor } from '../../utils/redaction/message-redactor.ts'
import { TextBody } from '../../utils/redaction/redact-text.ts'
import { redactLookalikes, SecretNames } from '../../utils/redaction/secret-names.ts'
import { apiKeyPattern, KnownSecrets } from '../../utils/redaction/secrets.ts'
import type { ChangeStep } from '../format/scenario.ts'
import type { AnonymizedExchange, ExchangeAnonymizer } from './anonymize.ts'

/** The labels of the keys of a world by their values. Null if several keys have the same label. */
export type KnownKeys = ReadonlyMap<string, string | null>

/**
 * Replaces keys that the world does not have, as they may be real. In requests it replaces values of key fields and
 * texts that look like a key. In responses and changes it replaces the keys that an earlier request contained. The
 * replacement has the same length, so the service refuses it in the same way.
 */
export class UnknownKeys implements ExchangeAnonymizer {
  readonly #knownKeys: () => KnownKeys
  readonly #numbers = new Map<string, number>()
  #longKeys = new KnownSecrets([])
  readonly #requestRedactor: MessageRedactor
  readonly #responseRedactor: MessageRedactor

  /**
   * @param knownKeys is called for each value, as keys can be added and removed
   * @param redact further names of secrets
   */
  constructor(knownKeys: () => KnownKeys, redact?: readonly string[]) {
    const names = new SecretNames(redact)
    this.#knownKeys = knownKeys
    const replace = (value: string): string => {
      if (value === '' || this.#knownKeys().has(value)) return value
      const number = this.#numbers.get(value) ?? this.#add(value)
      // No replacement is a part of another one.
      return `phx_unknown_${number}`.slice(0, value.length).padEnd(value.length, '_')
    }
    const replaceIfAdded = (value: string): string =>
      this.#numbers.has(value) ? replace(value) : value
    const replaceLongKeys = (text: string): string => this.#longKeys.redact(text, replace)
    this.#requestRedactor = new MessageRedactor({
      names,
      maskFor: (name, isParameter) => names.maskFor(name, replace, isParameter),
      redactText: (text) => replaceLongKeys(this.#withoutLookalikes(text, replace)),
      maskHeader: replace,
    })
    this.#responseRedactor = new MessageRedactor({
      names,
      maskFor: (name, isParameter) => names.maskFor(name, replaceIfAdded, isParameter),
      redactText: replaceLongKeys,
      maskHeader: replaceIfAdded,
    })
  }

  url(url: string): string {
    return this.#requestRedactor.url(url)
  }

  exchange(exchange: Exchange): AnonymizedExchange {
    const { url, request, response, key: _, ...rest } = exchange
    const redactor = this.#requestRedactor
    const isForm = isFormBody(request.headers)
    const redactRequest = () => ({
      url: this.url(url),
      request: redactMessage(request, redactor, (t) => redactor.body(new TextBody(t, isForm)).text),
    })
    // A key can occur before the field that identifies it: collect first, then replace.
    redactRequest()
    const label = this.#labelOf(request)
    return {
      json: undefined,
      exchange: {
        ...rest,
        ...(label && { key: label }),
        ...redactRequest(),
        response: {
          status: response.status,
          ...redactMessage(response, this.#responseRedactor, (t) => this.#responseRedactor.text(t)),
        },
      },
    }
  }

  change(step: ChangeStep): ChangeStep {
    return this.#numbers.size === 0 ? step : (this.#responseRedactor.json(step) as ChangeStep)
  }

  #labelOf({ headers }: ExchangedMessage): string | null | undefined {
    const [, key] = /^Bearer (.*)$/s.exec(findHeader(headers, 'authorization') ?? '') ?? []
    return key === undefined ? undefined : this.#knownKeys().get(key)
  }

  #add(value: string): number {
    this.#numbers.set(value, this.#numbers.size + 1)
    const long = [...this.#numbers.keys()].filter(({ length }) => length >= minLongKeyLength)
    this.#longKeys = new KnownSecrets(long)
    return this.#numbers.size
  }

  #withoutLookalikes(text: string, replace: (value: string) => string): string {
    const rest = redactLookalikes(text, replace)
    return rest.replace(apiKeyPattern, (match, at: number) => {
      // The match can be the beginning of a known key.
      const isKnown = (key: string): boolean => key.startsWith(match) && rest.startsWith(key, at)
      return [...this.#knownKeys().keys()].some(isKnown) ? match : replace(match)
    })
  }
}

/** Leaves out cookies, which steps do not contain. */
function redactMessage(
  { headers, body }: ExchangedMessage,
  redactor: MessageRedactor,
  redactText: (text: string) => string,
): ExchangedMessage {
  return {
    headers: headers
      .filter(([name]) => !/cookie$/i.test(name))
      .map(([name, value]) => [name, redactor.header(name, value)] as const),
    body:
      body && 'base64' in body
        ? { base64: redactor.base64(body.base64) }
        : body && 'text' in body
          ? { text: redactText(body.text) }
          : body,
  }
}

/** In characters. Shorter values can be ordinary words, such as the `invalid` of a test for wrong keys. */
const minLongKeyLength = 16
