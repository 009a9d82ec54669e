import type { Exchange, ExchangedBody, ExchangedMessage } from '../../http/exchange.ts'
import { MessageRedactor } from '../../utils/redaction/message-redactor.ts'
import { TextBody } from '../../utils/redaction/text-body.ts'
import type { ChangeStep } from '../format/scenario.ts'
import { Aliases, type PersonalDataKind, personalDataKind } from './aliases.ts'
import { isFormBody } from './request-parts.ts'

/** An exchange without what is hidden. */
export interface AnonymizedExchange {
  readonly exchange: Exchange
  /** What the body of its answer says, where that is JSON */
  readonly json: { readonly value: unknown } | undefined
}

/** A message without what is hidden, and its body where that is a text. */
interface AnonymizedMessage {
  readonly message: ExchangedMessage
  readonly read: TextBody | null
}

/**
 * Replaces secrets and personal data, the same ones always by the same words: keys and e-mail addresses wherever
 * they stand, names where a field says that they are some.
 */
export class Anonymizer {
  readonly #aliases = new Aliases()
  readonly #learner = new SecretCollector(this.#aliases)
  readonly #hider = createHider(this.#aliases)

  /** @param secrets values that are known to be keys */
  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.#aliases.learn('key', secret)
  }

  /** Whether the value behind an alias first came in an answer. */
  isFromResponse(alias: string): boolean {
    return this.#aliases.isFromResponse(alias)
  }

  /** Whether the client sent what a field holds, an alias, as a value of its own. */
  isSentByClient(alias: string, field: string): boolean {
    return this.#aliases.isSentByClient(alias, personalDataKind(field) !== null)
  }

  /** An address without what is hidden. */
  anonymizeUrl(url: string): string {
    this.#aliases.isInResponse = false
    this.#learner.address(url)
    return this.#hider.url(url)
  }

  /** A request and its answer without what is hidden. */
  anonymize(exchange: Exchange): Exchange {
    return this.anonymizeAndParse(exchange).exchange
  }

  /** The same, and what the body of the answer says then. */
  anonymizeAndParse(exchange: Exchange): AnonymizedExchange {
    const { request, answer, url, key } = exchange
    const aliases = this.#aliases
    const [sent, heard] = [toReadBody(request), toReadBody(answer)]
    aliases.isInResponse = false
    this.#learner.address(url)
    this.#learner.message(request, sent)
    const asked = { url: this.#hider.url(url), ...this.#message(request, sent) }
    aliases.isInResponse = true
    this.#learner.message(answer, heard)
    const told = this.#message(answer, heard)
    return {
      exchange: {
        ...exchange,
        url: asked.url,
        request: asked.message,
        answer: { status: answer.status, ...told.message },
        ...(typeof key === 'string' && { key: aliases.replaceInText(key) }),
      },
      json: told.read?.json,
    }
  }

  /** A change of the world without what is hidden. */
  anonymizeChange(step: ChangeStep): ChangeStep {
    this.#aliases.isInResponse = false
    this.#learner.json(step)
    return this.#hider.json(step) as ChangeStep
  }

  #message({ headers, body }: ExchangedMessage, given: TextBody | null): AnonymizedMessage {
    const read = given && this.#hider.body(given)
    const message = {
      headers: headers.map(([name, value]) => [name, this.#hider.header(name, value)] as const),
      body: read ? { text: read.text } : body && this.#bytes(body),
    }
    return { message, read }
  }

  #bytes(body: ExchangedBody): ExchangedBody {
    if (!('base64' in body)) return body
    // In bytes nothing can be replaced: those with something to hide in them are left out.
    const { base64 } = body
    return this.#hider.base64(base64) === base64 ? body : { omitted: atob(base64).length }
  }
}

/** An exchange in which nothing is hidden. */
export function withoutAnonymizing(exchange: Exchange): AnonymizedExchange {
  return { exchange, json: toReadBody(exchange.answer)?.json }
}

function toReadBody({ headers, body }: ExchangedMessage): TextBody | null {
  return body && 'text' in body ? new TextBody(body.text, isFormBody(headers)) : null
}

function createHider(aliases: Aliases): MessageRedactor {
  return new MessageRedactor({
    maskFor(name) {
      const kind = personalDataKind(name)
      return kind && ((value) => aliases.aliasForField(kind, value))
    },
    redactText: (text) => aliases.replaceInText(text),
    secretCount: () => aliases.learnedCount,
    maskHeader: (secret, scheme) => aliases.aliasFor(scheme === '' ? 'secret' : 'key', secret),
  })
}

/** Kinds that are hidden wherever they stand, once known: no word of a language is one of them. */
const kindsHiddenEverywhere: readonly PersonalDataKind[] = ['key', 'person', 'secret']

/** What stands between a name and its value in an address, in whatever way that is written: most have neither. */
const mayHoldSecrets = /[=%"']/

/** Learns every value that its place says to be a secret: it goes the ways on which secrets are hidden. */
class SecretCollector {
  readonly #walk: MessageRedactor

  constructor(aliases: Pick<Aliases, 'learn'>) {
    this.#walk = new MessageRedactor({
      maskFor(name) {
        const kind = personalDataKind(name)
        if (kind === null) return null
        return (value) => {
          if (kindsHiddenEverywhere.includes(kind)) aliases.learn(kind, value)
          return value
        }
      },
      redactText: (text) => text,
      secretCount: () => 0,
      maskHeader(secret, scheme, name) {
        if (!name.endsWith('cookie')) aliases.learn(scheme === '' ? 'secret' : 'key', secret)
        else for (const value of cookieValues(name, secret)) aliases.learn('secret', value)
        return secret
      },
    })
  }

  /** Of an address. */
  address(url: string): void {
    if (mayHoldSecrets.test(url)) this.#walk.url(url)
  }

  /** Of any value. */
  json(value: unknown): void {
    this.#walk.json(value)
  }

  /** Of headers and a body. @param text what it is, of a body that is a text */
  message({ headers, body }: ExchangedMessage, text: TextBody | null): void {
    for (const [name, value] of headers) this.#walk.header(name, value)
    if (text) this.#walk.body(text)
    else if (body && 'base64' in body) this.#walk.base64(body.base64)
  }
}

/** Of a cookie that is set, the first pair alone is its value. */
function cookieValues(name: string, header: string): string[] {
  const pairs = name === 'cookie' ? header.split(';') : [header.split(';')[0] as string]
  return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
}
