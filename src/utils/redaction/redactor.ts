import { tryParseJson } from '../foreign-json.ts'
import { mapValues, mapValuesToCopy } from '../json.ts'
import {
  decodeFormText,
  decodePercent,
  isOpaqueValue,
  isPersonal,
  isPlainValue,
  kindOfName,
  percentEncode,
  type SecretKind,
} from './secrets.ts'

/** A way to replace secrets: by a mask for people, or by an alias for files. */
export interface Strategy {
  /** Whether names of people, and ways to reach them, are replaced, too. */
  readonly hidesPersonalData: boolean
  /**
   * Replaces a value that its name identifies.
   *
   * @param header the lower-case name if it is that of a header
   * @param isWithin whether the name is that of an object which contains the value under another name
   */
  replace(value: string, kind: SecretKind, header?: string, isWithin?: boolean): string
  /** Replaces the secrets in a text that are recognized without a name. */
  replaceInText(text: string): string
  /** The replacement for a number in a secret field. By default numbers are kept. */
  readonly number?: string
}

type Replace = (value: string, isWithin?: boolean) => string

/**
 * Replaces secrets in requests and responses. It finds them by the names of fields, parameters and headers, and in any
 * text by their form, or if they are known. It does not guess at other personal data: the name of a person in a sentence
 * stays. A body that is neither JSON nor a form is such a text: names in it are not read.
 */
export class Redactor {
  readonly #added: ReadonlySet<string>
  readonly #strategy: Strategy
  /** Whether the text in hand is within JSON that is a text itself. Only the outer one is read: the inner ones could be many. */
  #isInText = false

  /** @param added further names of secrets, without case */
  constructor(strategy: Strategy, added: readonly string[] = []) {
    this.#added = new Set(added.map((name) => name.toLowerCase()))
    this.#strategy = strategy
  }

  /** Whether the values of a name are replaced. */
  isSecretName(name: string): boolean {
    return this.#kindOf(name) !== null
  }

  /** Redacts a text, which may be JSON, and in it the values of queries. */
  text(text: string): string {
    if (!this.#isInText && /^\s*[{[]/.test(text)) {
      this.#isInText = true
      try {
        return this.body(text)
      } finally {
        this.#isInText = false
      }
    }
    if (!text.includes('=')) return this.#strategy.replaceInText(text)
    let redacted = ''
    let from = 0
    for (const { 0: start, 1: before, 2: name = '', index } of text.matchAll(nameOfValue)) {
      const replace = index < from ? null : this.#replacer(decodeFormText(name), before !== '')
      if (!replace) continue
      const at = index + start.length
      const [value = ''] = /^[^\s&"'<>\\]*/.exec(text.slice(at)) ?? []
      const decoded = decodeFormText(value)
      const replaced = replace(decoded)
      // A mask can show parts of the value. It stays one value.
      const written = replaced === decoded ? value : replaced.replace(/[\s&"'<>\\]/g, percentEncode)
      redacted += text.slice(from, at) + written
      from = at + value.length
    }
    return this.#strategy.replaceInText(redacted + text.slice(from))
  }

  /** Redacts a JSON value. The values of an object `headers` are those of headers. Always returns a copy. */
  json(value: unknown): unknown {
    return this.#json(value, null, mapValuesToCopy)
  }

  /** Redacts a part of a JSON value. @param path the path to it. The empty path is the value itself */
  part(value: unknown, path: readonly (string | number)[]): unknown {
    const replacers = path.map((step) => this.#replacer(String(step)))
    return this.#json(value, replacers.findLast(Boolean) ?? null, mapValuesToCopy)
  }

  form(text: string): string {
    const pairs = text.split('&').map((pair) => {
      const [[name = '', value = ''] = []] = new URLSearchParams(pair)
      const replace = this.#replacer(name, true)
      const redactedValue = replace ? replace(value) : this.text(value)
      const redactedName = this.text(name)
      if (redactedValue === value && redactedName === name) {
        return this.#strategy.replaceInText(pair)
      }
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
    return origin.replace(/\/\/[^/]*@/, '//') + this.path(path) + search
  }

  header(name: string, value: string): string {
    if (this.#kindOf(name, true) === null || isPlainValue(value)) return this.text(value)
    const scheme = knownScheme.exec(value)?.[0] ?? ''
    const secret = value.slice(scheme.length)
    const kind = scheme === '' ? 'secret' : 'key'
    return scheme + this.#strategy.replace(secret, kind, name.toLowerCase())
  }

  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    return Object.fromEntries([...headers].map(([name, value]) => [name, this.header(name, value)]))
  }

  /** Redacts a form, a JSON body, or any other text. A body without secrets keeps its exact text. */
  body(text: string, isForm = false): string {
    if (isForm) return this.form(text)
    const json = tryParseJson(text)
    if (!json) return this.text(text)
    const value = this.#json(json.value, null, mapValues)
    // What an object repeats under the same name is lost with its secrets.
    return value === json.value && isLossless(text, value) ? text : JSON.stringify(value)
  }

  /** Redacts bytes that are not valid text, or not all of them. Secrets can stand between them. */
  base64(base64: string): string {
    const bytes = atob(base64)
    const redacted = this.text(bytes)
    // A replacement may contain characters that are not single bytes.
    return redacted === bytes ? base64 : btoa(redacted.replace(/[^\0-\xff]/g, '.'))
  }

  #kindOf(name: string, isParameter?: boolean): SecretKind | null {
    const kind = this.#added.has(name.toLowerCase()) ? 'secret' : kindOfName(name, isParameter)
    return kind && (this.#strategy.hidesPersonalData || !isPersonal(kind)) ? kind : null
  }

  /** The function that replaces the values of a name, or null if they are not secret. */
  #replacer(name: string, isParameter?: boolean): Replace | null {
    const kind = this.#kindOf(name, isParameter)
    if (kind === null && !/^key$/i.test(name)) return null
    return (value, isWithin) => {
      const isSecret = kind === null ? isOpaqueValue(value) : !isPlainValue(value)
      return isSecret ? this.#strategy.replace(value, kind ?? 'secret', undefined, isWithin) : value
    }
  }

  #json(
    value: unknown,
    replace: Replace | null,
    map: typeof mapValues,
    areHeaders = false,
    isWithin = false,
  ): unknown {
    if (typeof value === 'string') return replace ? replace(value, isWithin) : this.text(value)
    if (typeof value === 'number') return replace ? (this.#strategy.number ?? value) : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value))
      return map(value, (item) => this.#json(item, replace, map, false, isWithin))
    let areNamesPlain = true
    const redacted = map(value, (child, name) => {
      areNamesPlain &&= this.text(name) === name
      if (areHeaders && !replace && typeof child === 'string') return this.header(name, child)
      const own = this.#replacer(name)
      return this.#json(child, own ?? replace, map, name === 'headers', !own)
    })
    if (areNamesPlain) return redacted
    return Object.fromEntries(
      Object.entries(redacted).map(([name, child]) => [this.text(name), child]),
    )
  }

  /** Redacts a percent-encoded text. It is encoded again only if it contained a secret. */
  #encoded(text: string, encode: (redacted: string) => string): string {
    const decoded = decodePercent(text)
    const redacted = this.text(decoded)
    return redacted === decoded ? text : encode(redacted)
  }
}

const urlParts = /^([a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i

/** The known schemes. Any other first word may be part of the secret. */
const knownScheme = /^(?:Basic|Bearer|Digest|DPoP|HOBA|Mutual|Negotiate|OAuth|Token)\s+/i

/** The name before `=` after `?` or `&`, or anywhere else. Any character of it may be percent-encoded. */
const nameOfValue = /([?&]?)(?<![^\s?&"'<>#(),;=\\])([^\s?&"'<>#(),;=\\]{1,200})=/g

/** Whether a parsed text holds everything that the text says. If an object repeats a name, all values but the last are lost. */
function isLossless(text: string, value: unknown): boolean {
  const again = JSON.stringify(value)
  return again === text || countNames(again) === countNames(text)
}

function countNames(json: string): number {
  let count = 0
  for (const [, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/gs)) if (colon) count += 1
  return count
}
