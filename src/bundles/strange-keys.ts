import type { Exchange, SentMessage } from '../recordings/exchange.ts'
import { isForm } from '../recordings/headers.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import { Hider } from '../secrets/hider.ts'
import { KnownSecrets } from '../secrets/known.ts'
import { isKeyName, keyPattern } from '../secrets/places.ts'
import { ReadBody } from '../secrets/read-body.ts'

/** The labels of the keys of the world that is asked, by their values; null for one that no label tells from others. */
export type KnownKeys = ReadonlyMap<string, string | null>

/** How a step says which key it was sent with: by its label, or by a header; neither where there was none. */
export interface KeyOfStep {
  readonly as?: string
  readonly authorization?: string
}

/**
 * Replaces keys that the world does not have, which may be somebody's own: in requests where keys stand, and what
 * looks like one; in answers and changes those that came with a request. A word of the same length takes their place,
 * which is refused in the same way.
 */
export class StrangeKeys {
  /** To be asked each time: keys come and go. */
  readonly #known: () => KnownKeys
  /** In the order in which they came, from 1 on. */
  readonly #met = new Map<string, number>()
  #everywhere = new KnownSecrets([])
  /** Of a request. */
  readonly asked: Hider
  /** Of what comes after it: an answer, a change. */
  readonly told: Hider

  constructor(known: () => KnownKeys) {
    this.#known = known
    const meet = (value: string): string => {
      if (value === '' || this.#known().has(value)) return value
      return nobodys(value.length, this.#met.get(value) ?? this.#remember(value))
    }
    const replace = (value: string): string => (this.#met.has(value) ? meet(value) : value)
    const replaced = (text: string): string => this.#everywhere.hide(text, meet)
    this.asked = new Hider({
      named: (name) => (isKeyName(name) ? meet : null),
      within: (text) => replaced(this.#withoutLookalikes(text, meet)),
      header: meet,
    })
    this.told = new Hider({
      named: (name) => (isKeyName(name) ? replace : null),
      within: replaced,
      header: replace,
    })
  }

  /** Gets to know the strange keys of a request: they may stand before the place that tells of them. */
  meet({ url, request: { headers, body } }: Exchange): void {
    this.asked.address(url)
    // Of cookies nothing is in a step, and what is in them are words as well.
    for (const [name, value] of headers)
      if (!name.endsWith('cookie')) this.asked.header(name, value)
    if (body === null || 'omitted' in body) return
    if ('base64' in body) this.asked.base64(body.base64)
    else this.asked.body(new ReadBody(body.text, isForm(headers)))
  }

  /** A change that was made after they were met: what they came into may be in it. */
  change(change: ChangeStep): ChangeStep {
    return this.#met.size === 0 ? change : (this.told.json(change) as ChangeStep)
  }

  /** How a step says which key it was sent with. */
  ofStep(headers: SentMessage['headers']): KeyOfStep {
    const header = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
    if (header === undefined) return {}
    const [, key = ''] = /^Bearer (.*)$/s.exec(header) ?? []
    const label = this.#known().get(key)
    if (typeof label === 'string') return { as: label }
    return { authorization: this.asked.header('authorization', header) }
  }

  #remember(value: string): number {
    this.#met.set(value, this.#met.size + 1)
    const long = [...this.#met.keys()].filter(({ length }) => length >= longWord)
    this.#everywhere = new KnownSecrets(long)
    return this.#met.size
  }

  #withoutLookalikes(text: string, meet: (value: string) => string): string {
    return text.replace(keyPattern, (found, at: number) => {
      // Of a known key it may be the beginning only.
      const isKnown = (key: string): boolean => key.startsWith(found) && text.startsWith(key, at)
      return [...this.#known().keys()].some(isKnown) ? found : meet(found)
    })
  }
}

/** From here on, in characters, a value is no word that a test has for a wrong key, such as `invalid`. */
const longWord = 16

/** What stands in place of a key that nobody knows: of two, neither is found in the other. */
function nobodys(length: number, number: number): string {
  return `phx_unknown_${number}`.slice(0, length).padEnd(length, '_')
}
