/** Where a key stands by its name, in a query or in a body. */
const keyNames = ['personal_api_key']
/** Headers that hold a secret. */
const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']
/** What keys that were made look like, known or not. */
const keyPattern = /\bphx_[A-Za-z0-9]{16,}/g
/** Shorter values are words that stand everywhere: they are hidden only where keys stand. */
const shortest = 6

/**
 * A key as it may be shown: the first four and the last four characters of a long one, of a short one what stands
 * before its first `_`.
 *
 * @example masked('phx_0123456789abcdef1234') // 'phx_…1234'
 * @example masked('phx_all') // 'phx_…'
 */
export function masked(key: string): string {
  if (key.length >= 16) {
    // By characters: half of one is no text.
    const characters = [...key]
    return `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`
  }
  return `${/^[a-z]{1,3}_/.exec(key)?.[0] ?? ''}…`
}

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
      typeof inner === 'string' && keyNames.includes(name) ? masked(inner) : this.json(inner),
    ])
    return Object.fromEntries(entries)
  }

  /** Headers by their names. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    const entries = [...headers].map(([name, value]) => [name, this.#header(name, value)])
    return Object.fromEntries(entries)
  }

  /** A query or the body of a form, as it stood on the wire. */
  form(text: string): string {
    const pairs = text.split('&').map((pair) => {
      const [[name = '', value = ''] = []] = new URLSearchParams(pair)
      const shown = keyNames.includes(name) ? masked(value) : this.text(value)
      const shownName = this.text(name)
      if (shown === value && shownName === name) return pair
      return `${encoded(shownName)}=${encoded(shown)}`
    })
    return pairs.join('&')
  }

  /** A body of another kind, or one that cannot be read. */
  body(text: string): string {
    return this.text(text)
      .replace(/("personal_api_key"\s*:\s*")([^"]*)/g, hidden)
      .replace(/(name="personal_api_key"(?:\r?\n[^\r\n]+)*\r?\n\r?\n)([^\r\n]*)/g, hidden)
      .replace(/(\bpersonal_api_key=)([^&\s]*)/g, hidden)
  }

  #header(name: string, value: string): string {
    if (!secretHeaders.includes(name)) return this.text(value)
    const [, scheme = '', secret = ''] = /^(\S+\s+)?(.*)$/s.exec(value) ?? []
    return `${scheme}${masked(secret)}`
  }
}

/** As in an address, which cannot hold what is no well-formed text. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

function hidden(_found: string, before: string, key: string): string {
  return before + masked(key)
}
