import { isKeyName, secretHeader, withoutKeys } from './key-places.ts'
import { masked, maskedWithin } from './masked.ts'

/** What keys that were made look like, known or not. */
const keyPattern = /\bphx_[A-Za-z0-9]{16,}/g
/** Shorter values are words that stand everywhere: they are hidden only where keys stand. */
const shortest = 6

/** Hides keys in what the journal shows: known ones wherever they stand, unknown ones where keys stand. */
export class Redactor {
  readonly #secrets: RegExp | null

  /** @param keys the values of the keys that are known */
  constructor(keys: Iterable<string>) {
    const long = [...new Set(keys)].filter((key) => key.length >= shortest)
    const sources = long
      .flatMap((key) => [...new Set([key, encoded(key), JSON.stringify(key).slice(1, -1)])])
      .sort((a, b) => b.length - a.length)
      .map((key) => key.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    this.#secrets = sources.length === 0 ? null : new RegExp(sources.join('|'), 'g')
  }

  /** The same text without keys. */
  text(text: string): string {
    const known = this.#secrets ? text.replace(this.#secrets, masked) : text
    return known.replace(keyPattern, masked)
  }

  /** The same JSON without keys. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => this.json(item))
    const entries = Object.entries(value).map(([name, inner]) => [
      this.text(name),
      isKeyName(name) ? maskedWithin(inner) : this.json(inner),
    ])
    return Object.fromEntries(entries)
  }

  /** What stands somewhere in a body, without keys; at no path at all, the body itself. */
  part(value: unknown, path: readonly (string | number)[]): unknown {
    if (path.some((step) => isKeyName(String(step)))) return maskedWithin(value)
    return path.length === 0 && typeof value === 'string' ? this.body(value) : this.json(value)
  }

  /** Headers by their names. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    const entries = [...headers].map(([name, value]) => [
      name,
      secretHeader(name, value) ?? this.text(value),
    ])
    return Object.fromEntries(entries)
  }

  /** A path as it stood on the wire, where any sign may be encoded. */
  path(path: string): string {
    const parts = this.text(path)
      .split('/')
      .map((part) => this.#decoded(part, encoded))
    // A key may have a slash in it, and so stand in several parts.
    return this.#decoded(parts.join('/'), (text) => text.split('/').map(encoded).join('/'))
  }

  /** A query or the body of a form, as it stood on the wire. */
  form(text: string): string {
    const pairs = text.split('&').map((pair) => {
      const [[name = '', value = ''] = []] = new URLSearchParams(pair)
      const shown = isKeyName(name) ? masked(value) : this.text(value)
      const shownName = this.text(name)
      if (shown === value && shownName === name) return pair
      return `${encoded(shownName)}=${encoded(shown)}`
    })
    return pairs.join('&')
  }

  /** A body of another kind, or one that cannot be read. */
  body(text: string): string {
    return withoutKeys(this.text(text))
  }

  /** The text as it is, where no key is in what it stands for; else that without the key, encoded again. */
  #decoded(text: string, encode: (shown: string) => string): string {
    // Reads what is not encoded well, too.
    const pair = `=${text.replace(/[+&]/g, encodeURIComponent)}`
    const meant = new URLSearchParams(pair).get('') as string
    const shown = this.text(meant)
    return shown === meant ? text : encode(shown)
  }
}

/** As in an address, which cannot hold what is no well-formed text. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
