import type { ChangeStep } from '../scenarios/scenario.ts'
import { Hider } from '../secrets/hider.ts'
import { ReadBody } from '../secrets/read-body.ts'
import { Aliases } from './aliases.ts'
import type { Exchange, ExchangedBody, SentMessage } from './exchange.ts'
import { isForm } from './headers.ts'
import { Learner } from './learn.ts'
import { personalBy } from './personal.ts'

/** An exchange without what is hidden. */
export interface Disguised {
  readonly exchange: Exchange
  /** What the body of its answer says, where that is JSON */
  readonly json: { readonly value: unknown } | undefined
}

/** A message without what is hidden, and its body where that is a text. */
interface Told {
  readonly message: SentMessage
  readonly read: ReadBody | null
}

/**
 * Replaces secrets and personal data, the same ones always by the same words: keys and e-mail addresses wherever
 * they stand, names where a field says that they are some.
 */
export class Disguise {
  readonly #aliases = new Aliases()
  readonly #learner = new Learner(this.#aliases)
  readonly #hider = hiderOf(this.#aliases)

  /** @param secrets values that are known to be keys */
  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.#aliases.learn('key', secret)
  }

  /** Whether the value behind an alias first came in an answer. */
  isHeard(alias: string): boolean {
    return this.#aliases.isHeard(alias)
  }

  /** Whether the client sent what a field holds, an alias, as a value of its own. */
  isSent(alias: string, field: string): boolean {
    return this.#aliases.isSent(alias, personalBy(field) !== null)
  }

  /** An address without what is hidden. */
  address(url: string): string {
    this.#aliases.isHearing = false
    this.#learner.address(url)
    return this.#hider.address(url)
  }

  /** A request and its answer without what is hidden. */
  exchange(exchange: Exchange): Exchange {
    return this.read(exchange).exchange
  }

  /** The same, and what the body of the answer says then. */
  read(exchange: Exchange): Disguised {
    const { request, answer, url, key } = exchange
    const aliases = this.#aliases
    const [sent, heard] = [readOf(request), readOf(answer)]
    aliases.isHearing = false
    this.#learner.address(url)
    this.#learner.message(request, sent)
    const asked = { url: this.#hider.address(url), ...this.#message(request, sent) }
    aliases.isHearing = true
    this.#learner.message(answer, heard)
    const told = this.#message(answer, heard)
    return {
      exchange: {
        ...exchange,
        url: asked.url,
        request: asked.message,
        answer: { status: answer.status, ...told.message },
        ...(typeof key === 'string' && { key: aliases.text(key) }),
      },
      json: told.read?.json,
    }
  }

  /** A change of the world without what is hidden. */
  change(step: ChangeStep): ChangeStep {
    this.#aliases.isHearing = false
    this.#learner.json(step)
    return this.#hider.json(step) as ChangeStep
  }

  #message({ headers, body }: SentMessage, given: ReadBody | null): Told {
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
export function undisguised(exchange: Exchange): Disguised {
  return { exchange, json: readOf(exchange.answer)?.json }
}

function readOf({ headers, body }: SentMessage): ReadBody | null {
  return body && 'text' in body ? new ReadBody(body.text, isForm(headers)) : null
}

function hiderOf(aliases: Aliases): Hider {
  return new Hider({
    named(name) {
      const kind = personalBy(name)
      return kind && ((value) => aliases.field(kind, value))
    },
    within: (text) => aliases.text(text),
    learned: () => aliases.learned,
    header: (secret, scheme) => aliases.of(scheme === '' ? 'secret' : 'key', secret),
  })
}
