import { escapeRegExp } from '../escape-reg-exp.ts'
import type { Mask } from './redact-text.ts'

/** The name by which a key stands in a query or in a body (observed §2). */
export const keyFieldName = 'personal_api_key'

/** Whether a key stands by a name, in a query or in a body: `personal_api_key`, `personal_api_key[]`. */
export function isKeyFieldName(name: string): boolean {
  return /personal_api_key(?:\[.*)?$/is.test(name)
}

/** What may stand right before a key: no letter and no digit, unless it is the end of an escaped sign. */
const keyBoundary = '(?:\\b|(?<=_|\\\\[bfnrt]|\\\\u[\\da-f]{4}|%[\\da-f]{2}))'

/** What secrets of the service look like, wherever they stand. The token of a project is none: pages carry it. */
export const apiKeyPattern: RegExp = new RegExp(`${keyBoundary}ph(?!c_)[a-z]_[A-Za-z0-9]{16,}`, 'g')

/** The same, and what tells whose it is: the token of a project, too. */
export const tokenPattern: RegExp = new RegExp(`${keyBoundary}ph[a-z]_[A-Za-z0-9]{16,}`, 'g')

/** Shorter values are words that stand everywhere: they are hidden only where secrets stand. */
export const minSecretLength = 6

/** Headers whose whole value is a secret, as far as they do not say what kind it is. */
const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']

/** How a header begins that says what its secret is; any other first word may be the secret itself. */
const scheme = /^(?:Basic|Bearer|Digest|DPoP|HOBA|Mutual|Negotiate|OAuth|Token)\s+/i

/** The secret of a header, and what stands before it to say of which kind it is. */
export interface HeaderSecret {
  readonly scheme: string
  readonly secret: string
}

/**
 * What of a header is secret; null where it holds none.
 *
 * @example secretOf('Authorization', 'Bearer phx_all') // { scheme: 'Bearer ', secret: 'phx_all' }
 */
export function headerSecret(name: string, value: string): HeaderSecret | null {
  if (!secretHeaders.includes(name.toLowerCase())) return null
  const found = scheme.exec(value)?.[0] ?? ''
  return { scheme: found, secret: value.slice(found.length) }
}

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
