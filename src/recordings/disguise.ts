import { Aliases } from './aliases.ts'
import { disguisedAddress, disguisedForm } from './disguised-address.ts'
import type { Exchange, ExchangedBody, SentMessage } from './exchange.ts'
import { isForm } from './headers.ts'
import { parsed } from './json.ts'
import { learnFrom } from './learn.ts'
import { type Personal, personalBy, scheme, secretHeaders } from './personal.ts'

/**
 * Replaces secrets and personal data, the same ones always by the same words: keys and e-mail addresses wherever
 * they stand, names where a field says that they are some.
 */
export class Disguise {
  readonly #aliases = new Aliases()

  /** @param secrets values that are known to be keys */
  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.#aliases.learn('key', secret)
  }

  /** Whether the value behind an alias first came in an answer. */
  isHeard(alias: string): boolean {
    return this.#aliases.isHeard(alias)
  }

  /** A request and its answer without what is hidden. */
  exchange(exchange: Exchange): Exchange {
    const { request, answer, url, key } = exchange
    const aliases = this.#aliases
    aliases.isHearing = false
    learnFrom(request, url, aliases)
    const asked = { url: disguisedAddress(url, aliases), request: this.#message(request) }
    aliases.isHearing = true
    learnFrom(answer, '', aliases)
    const { status } = answer
    return {
      ...exchange,
      ...asked,
      answer: { status, ...this.#message(answer) },
      ...(typeof key === 'string' && { key: aliases.text(key) }),
    }
  }

  #message({ headers, body }: SentMessage): SentMessage {
    return {
      headers: headers.map(([name, value]) => [name, this.#header(name, value)]),
      body: body && this.#body(body, headers),
    }
  }

  #header(name: string, value: string): string {
    if (!secretHeaders.includes(name.toLowerCase())) return this.#aliases.text(value)
    const before = scheme.exec(value)?.[0] ?? ''
    return before + this.#aliases.of(before === '' ? 'secret' : 'key', value.slice(before.length))
  }

  #body(body: ExchangedBody, headers: SentMessage['headers']): ExchangedBody {
    if (!('text' in body)) return body
    const { text } = body
    if (isForm(headers)) return { text: disguisedForm(text, this.#aliases) }
    const json = parsed(text)
    if (!json) return { text: this.#aliases.text(text) }
    const shown = JSON.stringify(this.#json(json.value, null))
    // What holds no secret stays as it was written.
    return shown === JSON.stringify(json.value) ? body : { text: shown }
  }

  #json(value: unknown, kind: Personal | null): unknown {
    const aliases = this.#aliases
    if (typeof value === 'string') return kind ? aliases.of(kind, value) : aliases.text(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => this.#json(item, kind))
    const entries = Object.entries(value).map(([name, inner]) => [
      aliases.text(name),
      this.#json(inner, personalBy(name) ?? kind),
    ])
    return Object.fromEntries(entries)
  }
}
