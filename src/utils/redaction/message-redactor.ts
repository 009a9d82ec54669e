import { mapValues, mapValuesToCopy } from '../json.ts'
import {
  decodeFormText,
  type Mask,
  type MaskForName,
  redactNamedValues,
  TextBody,
} from './redact-text.ts'
import { headerSecret, type SecretNames } from './secret-names.ts'
import { percentEncode } from './secrets.ts'

export interface RedactionRules {
  /** The names of secret headers. */
  readonly names: SecretNames
  readonly maskFor: MaskForName
  /** Masks secrets that are recognized anywhere in a text. */
  readonly redactText: (text: string) => string
  /** How many secrets `redactText` knows. If given, field names are examined again only when this number changes. */
  readonly secretCount?: () => number
  /** Returns the replacement for the secret of a header. The scheme is empty if the header has none. */
  readonly maskHeader: (secret: string, scheme: string, name: string) => string
  /** The replacement for a number in a secret field. By default numbers are kept. */
  readonly numberMask?: string
}

/**
 * Masks secrets in requests and responses. It finds them by the names of fields, parameters and headers, and in any
 * text by the rules of `redactText`: known values, tokens and e-mail addresses. It does not guess at other personal
 * data: the name of a person in a sentence stays.
 */
export class MessageRedactor {
  readonly #rules: RedactionRules
  /** Examines each field name once, because bodies repeat them: recording takes 60 % longer without it. */
  readonly #names = new Map<string, FieldNameInfo>()
  #cachedCount: number | undefined

  constructor(rules: RedactionRules) {
    this.#rules = rules
  }

  text(text: string): string {
    return this.#rules.redactText(redactNamedValues(text, this.#rules.maskFor))
  }

  /** Redacts a JSON value. Always returns a copy. @param mask replaces every string in the value, whatever its field */
  json(value: unknown, mask: Mask | null = null): unknown {
    return this.#json(value, mask, mapValuesToCopy)
  }

  form(text: string): string {
    const pairs = text.split('&').map((pair) => {
      const [[name = '', value = ''] = []] = new URLSearchParams(pair)
      const mask = this.#rules.maskFor(name, true)
      const redactedValue = mask ? mask(value) : this.text(value)
      const redactedName = this.text(name)
      if (redactedValue === value && redactedName === name) return this.#rules.redactText(pair)
      return `${percentEncode(redactedName)}=${percentEncode(redactedValue)}`
    })
    return pairs.join('&')
  }

  /** Redacts a path, in which any character may be percent-encoded. */
  path(path: string): string {
    const segments = this.text(path)
      .split('/')
      .map((segment) => this.#encoded(segment, percentEncode))
    // A secret can contain a slash and so span several segments.
    return this.#encoded(segments.join('/'), (text) => text.split('/').map(percentEncode).join('/'))
  }

  /** Redacts an absolute URL, or a path with a query. Drops user names, passwords and the fragment. */
  url(url: string): string {
    const [, origin = '', path = '', query] = urlParts.exec(url) ?? []
    const search = query === undefined ? '' : `?${this.form(query)}`
    return origin.replace(/\/\/[^/@]*@/, '//') + this.path(path) + search
  }

  header(name: string, value: string): string {
    const header = headerSecret(name, value, this.#rules.names)
    if (!header) return this.text(value)
    const { scheme, secret } = header
    return scheme + this.#rules.maskHeader(secret, scheme, name.toLowerCase())
  }

  /** Redacts a form, a JSON body, or any other text. A body without secrets keeps its exact text. */
  body(body: TextBody): TextBody {
    const { text, isForm } = body
    const json = isForm ? undefined : body.json
    const value = json && this.#json(json.value, null, mapValues)
    if (value !== json?.value) return new TextBody(JSON.stringify(value), isForm, { value })
    if (json && body.isLossless) return body
    const redacted = isForm ? this.form(text) : this.text(text)
    return redacted === text ? body : new TextBody(redacted, isForm)
  }

  /** Redacts bytes that are not valid text, or not all of them. Secrets can stand between them. */
  base64(base64: string): string {
    const bytes = atob(base64)
    const redacted = this.text(bytes)
    // A mask may contain characters that are not single bytes.
    return redacted === bytes ? base64 : btoa(redacted.replace(/[^\0-\xff]/g, '.'))
  }

  #json(value: unknown, mask: Mask | null, map: typeof mapValues): unknown {
    if (typeof value === 'string') return mask ? mask(value) : this.text(value)
    if (typeof value === 'number') return mask ? (this.#rules.numberMask ?? value) : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return map(value, (item) => this.#json(item, mask, map))
    let areNamesPlain = true
    const redacted = map(value, (child, name) => {
      const info = this.#nameInfo(name)
      areNamesPlain &&= info.isPlain
      return this.#json(child, info.mask ?? mask, map)
    })
    if (areNamesPlain) return redacted
    return Object.fromEntries(
      Object.entries(redacted).map(([name, child]) => [this.text(name), child]),
    )
  }

  #nameInfo(name: string): FieldNameInfo {
    const count = this.#rules.secretCount?.()
    if (count !== this.#cachedCount) this.#names.clear()
    this.#cachedCount = count
    const cached = this.#names.get(name)
    if (cached) return cached
    const info = { mask: this.#rules.maskFor(name), isPlain: this.text(name) === name }
    if (count === undefined || !cacheableName.test(name)) return info
    if (this.#names.size === maxCachedNames) this.#names.clear()
    this.#names.set(name, info)
    return info
  }

  /** Redacts a percent-encoded text. It is encoded again only if it contained a secret. */
  #encoded(text: string, encode: (redacted: string) => string): string {
    const decoded = decodeFormText(text.replaceAll('+', '%2B'))
    const redacted = this.text(decoded)
    return redacted === decoded ? text : encode(redacted)
  }
}

const urlParts = /^([a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i

interface FieldNameInfo {
  readonly mask: Mask | null
  readonly isPlain: boolean
}

/** Bounds the memory, because clients can send any number of different names. */
const maxCachedNames = 1000

/** Longer names and the aliases of replaced values are not cached. */
const cacheableName = /^\w{1,100}$/
