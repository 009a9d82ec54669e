import { decoded, hideNamed, type Mask, type Named } from './in-text.ts'
import { encoded } from './known.ts'
import { secretOf } from './places.ts'

/** What is hidden, and how. */
export interface Hiding {
  /** Gives what hides a value, by the name it stands at; null for a name that says nothing */
  readonly named: Named
  /** A text without what is hidden wherever it stands */
  readonly within: (text: string) => string
  /** What stands in place of the secret of a header, which may say of which kind it is */
  readonly header: (secret: string, scheme: string, name: string) => string
  /** What stands in place of a number where a secret belongs; without it numbers stay */
  readonly number?: string
}

/** Walks requests and answers, and hides what shall not be told, wherever and however it stands in them. */
export class Hider {
  readonly #hiding: Hiding

  constructor(hiding: Hiding) {
    this.#hiding = hiding
  }

  /** A text, or a body that cannot be read. */
  text(text: string): string {
    return this.#hiding.within(hideNamed(text, this.#hiding.named))
  }

  /** A JSON value. @param mask hides the texts in it, whatever their names are */
  json(value: unknown, mask: Mask | null = null): unknown {
    const { named, number } = this.#hiding
    if (typeof value === 'string') return mask ? mask(value) : this.text(value)
    if (typeof value === 'number') return mask && number !== undefined ? number : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => this.json(item, mask))
    const entries = Object.entries(value).map(([name, inner]) => [
      this.text(name),
      this.json(inner, named(name) ?? mask),
    ])
    return Object.fromEntries(entries)
  }

  /** A query or the body of a form, as it stood on the wire. */
  form(text: string): string {
    const pairs = text.split('&').map((pair) => {
      const [[name = '', value = ''] = []] = new URLSearchParams(pair)
      const mask = this.#hiding.named(name)
      const shown = mask ? mask(value) : this.text(value)
      const shownName = this.text(name)
      if (shown === value && shownName === name) return this.#hiding.within(pair)
      return `${encoded(shownName)}=${encoded(shown)}`
    })
    return pairs.join('&')
  }

  /** A path as it stood on the wire, where any sign may be encoded. */
  path(path: string): string {
    const parts = this.text(path)
      .split('/')
      .map((part) => this.#meant(part, encoded))
    // A secret may have a slash in it, and so stand in several parts.
    return this.#meant(parts.join('/'), (text) => text.split('/').map(encoded).join('/'))
  }

  /** An address, or the path and the query of one. Its fragment is never sent. */
  address(url: string): string {
    const [, origin = '', path = '', query] = parts.exec(url) ?? []
    const search = query === undefined ? '' : `?${this.form(query)}`
    return origin.replace(/\/\/[^/@]*@/, '//') + this.path(path) + search
  }

  /** The value of a header. */
  header(name: string, value: string): string {
    const found = secretOf(name, value)
    if (!found) return this.text(value)
    return found.scheme + this.#hiding.header(found.secret, found.scheme, name.toLowerCase())
  }

  /** A body, as text: a form, JSON, or whatever else it is. What holds no secret stays as it was written. */
  body(text: string, isForm: boolean): string {
    if (isForm) return this.form(text)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return this.text(text)
    }
    // Of a name that stands there twice, only one value was read.
    return this.#hides(value) ? JSON.stringify(this.json(value)) : this.text(text)
  }

  /** Whether a JSON value is shown otherwise than it is: most are not, and making another one costs as much again. */
  #hides(value: unknown, mask: Mask | null = null): boolean {
    if (typeof value !== 'object' || value === null) return this.json(value, mask) !== value
    if (Array.isArray(value)) return value.some((item) => this.#hides(item, mask))
    return Object.entries(value).some(
      ([name, inner]) =>
        this.text(name) !== name || this.#hides(inner, this.#hiding.named(name) ?? mask),
    )
  }

  /** Bytes that are no text, or not all of them: secrets may stand between them. */
  base64(given: string): string {
    const bytes = atob(given)
    const shown = this.text(bytes)
    // What is shown is no byte by itself.
    return shown === bytes ? given : btoa(shown.replace(/[^\0-\xff]/g, '.'))
  }

  /** The text as it is, where no secret is in what it stands for; else that without it, encoded again. */
  #meant(text: string, encode: (shown: string) => string): string {
    const meant = decoded(text.replaceAll('+', '%2B'))
    const shown = this.text(meant)
    return shown === meant ? text : encode(shown)
  }
}

/** The origin, the path, and the query of an address. */
const parts = /^([a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i
