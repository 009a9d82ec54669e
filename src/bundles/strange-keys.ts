import type { Exchange, ExchangedMessage } from '../recordings/exchange.ts'
import { isFormBody } from '../recordings/headers.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import { MessageRedactor } from '../secrets/hider.ts'
import { KnownSecrets } from '../secrets/known.ts'
import { apiKeyPattern, isKeyFieldName } from '../secrets/places.ts'
import { TextBody } from '../secrets/read-body.ts'

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
