import { escapeRegExp } from '../escape.ts'
import type { Mask } from './redact-text.ts'

/** Whether a parameter or body field holds an API key: `personal_api_key`, `personal_api_key[]`. */
export function isKeyFieldName(name: string): boolean {
  return /personal_api_key(?:\[.*)?$/is.test(name)
}

/** A token starts after a character that is neither a letter nor a digit, or after an escape sequence. */
const tokenStart = '(?:\\b|(?<=_|\\\\[bfnrt]|\\\\u[\\da-f]{4}|%[\\da-f]{2}))'

/** Matches secret tokens of the service anywhere in a text. The token of a project (`phc_`) is public. */
export const apiKeyPattern: RegExp = new RegExp(`${tokenStart}ph(?!c_)[a-z]_[A-Za-z0-9]{16,}`, 'g')

/** Matches all tokens of the service, including the public ones, which identify their project. */
export const tokenPattern: RegExp = new RegExp(`${tokenStart}ph[a-z]_[A-Za-z0-9]{16,}`, 'g')

/** Shorter values can be ordinary words, so they are masked in secret fields only, not anywhere in a text. */
export const minSecretLength = 6

/** Masks known values anywhere in a text: literal, percent-encoded, or escaped as in JSON. */
export class KnownSecrets {
  readonly #values = new Map<string, string>()
  readonly #pattern: RegExp | null
  readonly #shortestLength: number

  /** @param values values of fewer than 6 characters are ignored, because they can be ordinary words */
  constructor(values: Iterable<string>) {
    for (const value of values) {
      if (value.length < minSecretLength) continue
      for (const form of [JSON.stringify(value).slice(1, -1), percentEncode(value), value]) {
        this.#values.set(form, value)
      }
    }
    // Longest first, because a value may begin with another one.
    const forms = [...this.#values.keys()].sort((a, b) => b.length - a.length)
    this.#shortestLength = forms.at(-1)?.length ?? 0
    this.#pattern = forms.length === 0 ? null : new RegExp(forms.map(escapeRegExp).join('|'), 'g')
  }

  redact(text: string, mask: Mask): string {
    if (!this.#pattern || text.length < this.#shortestLength) return text
    return text.replace(this.#pattern, (form) => mask(this.#values.get(form) as string))
  }
}

/** Percent-encodes a text. A lone surrogate, which has no encoding, becomes U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
