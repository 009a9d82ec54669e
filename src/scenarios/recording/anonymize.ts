import {
  type Exchange,
  type ExchangedBody,
  type ExchangedMessage,
  isFormBody,
  splitCookies,
} from '../../http/exchange.ts'
import { MessageRedactor } from '../../utils/redaction/message-redactor.ts'
import { type Mask, TextBody } from '../../utils/redaction/redact-text.ts'
import { SecretNames } from '../../utils/redaction/secret-names.ts'
import type { ChangeStep } from '../format/scenario.ts'
import { Aliases, type PersonalDataKind, personalDataKind } from './aliases.ts'

export interface AnonymizedExchange {
  readonly exchange: Exchange
  /** The parsed response body if it is JSON. Exact recordings do not parse it */
  readonly json: { readonly value: unknown } | undefined
}

/** The first stage of a recording: hides secrets before anything is stored. */
export interface ExchangeAnonymizer {
  /** An address without secrets */
  url(url: string): string
  exchange(exchange: Exchange): AnonymizedExchange
  change(step: ChangeStep): ChangeStep
}

/**
 * Replaces secrets and personal data. The same value always gets the same alias. Keys, tokens and e-mail addresses are
 * replaced wherever they occur. Names of people are replaced only in fields for names, such as `first_name`: other
 * texts can still contain them.
 */
export class Anonymizer implements ExchangeAnonymizer {
  readonly aliases: Aliases
  readonly #collector: MessageRedactor
  readonly #redactor: MessageRedactor

  /**
   * @param secrets the values of known keys
   * @param redact further names of secrets
   */
  constructor(secrets: Iterable<string> = [], redact: readonly string[] = []) {
    const names = new SecretNames(redact)
    this.aliases = new Aliases(names)
    this.#collector = createCollector(this.aliases, names)
    this.#redactor = createRedactor(this.aliases, names)
    for (const secret of secrets) this.aliases.learn('key', secret)
  }

  url(url: string): string {
    this.aliases.isInResponse = false
    this.#collectFromUrl(url)
    return this.#redactor.url(url)
  }

  exchange(exchange: Exchange): AnonymizedExchange {
    const { request, response, url, key } = exchange
    const { aliases } = this
    const [requestText, responseText] = [parseText(request), parseText(response)]
    // A secret can occur before the field that identifies it: collect first, then replace.
    aliases.isInResponse = false
    this.#collectFromUrl(url)
    redactMessage(this.#collector, request, requestText)
    const hiddenUrl = this.#redactor.url(url)
    const hiddenRequest = redactMessage(this.#redactor, request, requestText)
    aliases.isInResponse = true
    redactMessage(this.#collector, response, responseText)
    const hiddenResponse = redactMessage(this.#redactor, response, responseText)
    return {
      exchange: {
        ...exchange,
        url: hiddenUrl,
        request: hiddenRequest.message,
        response: { status: response.status, ...hiddenResponse.message },
        ...(typeof key === 'string' && { key: aliases.replaceInText(key) }),
      },
      json: hiddenResponse.text?.json,
    }
  }

  change(step: ChangeStep): ChangeStep {
    this.aliases.isInResponse = false
    this.#collector.json(step)
    return this.#redactor.json(step) as ChangeStep
  }

  #collectFromUrl(url: string): void {
    if (mayHoldSecrets.test(url)) this.#collector.url(url)
  }
}

export const keepEverything: ExchangeAnonymizer = {
  url: (url) => url,
  exchange: (exchange) => ({ exchange, json: parseText(exchange.response)?.json }),
  change: (step) => step,
}

function parseText({ headers, body }: ExchangedMessage): TextBody | null {
  return body && 'text' in body ? new TextBody(body.text, isFormBody(headers)) : null
}

/** @param parsed the body, if it is a text */
function redactMessage(
  redactor: MessageRedactor,
  { headers, body }: ExchangedMessage,
  parsed: TextBody | null,
): { message: ExchangedMessage; text: TextBody | null } {
  const text = parsed && redactor.body(parsed)
  const message = {
    headers: headers.map(([name, value]) => [name, redactor.header(name, value)] as const),
    body: text ? { text: text.text } : body && redactBytes(redactor, body),
  }
  return { message, text }
}

/** Nothing can be replaced within bytes, so bytes with a secret are left out. */
function redactBytes(redactor: MessageRedactor, body: ExchangedBody): ExchangedBody {
  if (!('base64' in body)) return body
  const { base64 } = body
  return redactor.base64(base64) === base64 ? body : { omitted: atob(base64).length }
}

/** Returns the mask for personal data, keys and secrets. @param maskAs a mask by the kind of the value */
const maskByKind =
  (names: SecretNames, maskAs: (kind: PersonalDataKind) => Mask) =>
  (name: string, isParameter?: boolean): Mask | null => {
    const kind = personalDataKind(name)
    return kind ? maskAs(kind) : names.maskFor(name, maskAs('secret'), isParameter)
  }

function createRedactor(aliases: Aliases, names: SecretNames): MessageRedactor {
  return new MessageRedactor({
    names,
    maskFor: maskByKind(names, (kind) => (value) => aliases.aliasForField(kind, value)),
    redactText: (text) => aliases.replaceInText(text),
    secretCount: () => aliases.learnedCount,
    maskHeader: (secret, scheme) => aliases.aliasFor(scheme === '' ? 'secret' : 'key', secret),
  })
}

/** Values of these kinds are replaced wherever they occur. A name is not: it can be an ordinary word. */
const kindsHiddenEverywhere: readonly PersonalDataKind[] = ['key', 'person', 'secret']

/** A URL without any of these characters has no named values. */
const mayHoldSecrets = /[=%"']/

/** Collects secrets by the names of their fields, parameters and headers, and replaces nothing. */
function createCollector(aliases: Aliases, names: SecretNames): MessageRedactor {
  return new MessageRedactor({
    names,
    maskFor: maskByKind(names, (kind) => (value) => {
      if (kindsHiddenEverywhere.includes(kind)) aliases.learn(kind, value)
      return value
    }),
    redactText: (text) => text,
    secretCount: () => 0,
    maskHeader(secret, scheme, name) {
      if (!name.endsWith('cookie')) aliases.learn(scheme === '' ? 'secret' : 'key', secret)
      else {
        for (const cookie of splitCookies(name, secret)) {
          aliases.learn('secret', cookie.slice(cookie.indexOf('=') + 1).trim())
        }
      }
      return secret
    },
  })
}
