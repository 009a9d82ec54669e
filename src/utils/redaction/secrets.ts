import { escapeRegExp } from '../escape.ts'
import type { Mask } from './redact-text.ts'
import { plainValue, type SecretNames } from './secret-names.ts'

/** The name of the parameter or body field that may hold an API key. */
export const keyFieldName = 'personal_api_key'

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

/** The known schemes. Any other first word may be part of the secret. */
const knownScheme = /^(?:Basic|Bearer|Digest|DPoP|HOBA|Mutual|Negotiate|OAuth|Token)\s+/i

/** Finds the secret part of a header. @returns null if headers of this name are not secret */
export function headerSecret(
  name: string,
  value: string,
  names: SecretNames,
): { readonly scheme: string; readonly secret: string } | null {
  if (!names.has(name, true) || plainValue.test(value)) return null
  const scheme = knownScheme.exec(value)?.[0] ?? ''
  return { scheme, secret: value.slice(scheme.length) }
}

/** Masks what looks like a secret in a text: `Bearer …` and JSON Web Tokens. */
export function redactLookalikes(text: string, mask: Mask): string {
  if (!/bearer|eyJ/i.test(text)) return text
  return text
    .replace(bearer, (match, scheme: string, token: string) =>
      /\d|.{20}/.test(token) ? scheme + mask(token) : match,
    )
    .replace(jsonWebToken, mask)
}

/** An ordinary word after it, as in "Bearer authentication", is shorter and has no digit. */
const bearer = /\b(Bearer(?:\s|%20|\+){1,8})([\w.~+/-]{8,}=*)/gi

const jsonWebToken =
  /(?:(?<![\w-])|(?<=_|\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2}))eyJ[\w-]{8,}(?:\.[\w-]*){2,4}/g

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
