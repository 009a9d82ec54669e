import { escapeRegExp } from '../escape-reg-exp.ts'
import type { Mask } from './in-text.ts'
import { minSecretLength } from './places.ts'

/** Values that are hidden wherever they stand: as they are, in an address, and in JSON. */
export class KnownSecrets {
  readonly #values = new Map<string, string>()
  readonly #pattern: RegExp | null
  readonly #least: number

  /** @param values short ones are left out: they are words that stand everywhere */
  constructor(values: Iterable<string>) {
    for (const value of values) {
      if (value.length < minSecretLength) continue
      for (const form of [JSON.stringify(value).slice(1, -1), percentEncode(value), value]) {
        this.#values.set(form, value)
      }
    }
    // Longer ones first: a shorter one may be the beginning of another.
    const forms = [...this.#values.keys()].sort((a, b) => b.length - a.length)
    this.#least = forms.at(-1)?.length ?? 0
    this.#pattern = forms.length === 0 ? null : new RegExp(forms.map(escapeRegExp).join('|'), 'g')
  }

  /** A text without them. */
  redact(text: string, mask: Mask): string {
    if (!this.#pattern || text.length < this.#least) return text
    return text.replace(this.#pattern, (form) => mask(this.#values.get(form) as string))
  }
}

/** As in an address, which cannot hold what is no well-formed text. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
