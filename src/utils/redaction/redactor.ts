import { inspectValue } from '../errors.ts'
import { readJsonBody } from '../json.ts'
import { LatestMap } from '../latest-map.ts'
import { decodeFormText, decodePercent, percentEncode } from '../query.ts'
import { escapeRegExp } from '../text.ts'
import { applyEdits, type Edit, editDecoded } from './decoded.ts'
import { KnownSecrets } from './known-secrets.ts'
import {
  isOpaqueValue,
  kindOfName,
  mayNameSecret,
  nameField,
  type SecretKind,
  valueField,
} from './names.ts'
import { type FindReplace, findSecrets, type Replace, type Replacement } from './scanner.ts'

/** Where a value of JSON is. */
interface Place {
  /** Replaces the secret values of its name, or of a name around it. Null without such a name */
  readonly replace: Replace | null
  /** Whether that is a name around it */
  readonly mayBeWord?: boolean
  /** Whether its names are those of parameters or headers */
  readonly isForm?: boolean
}

interface Container extends Place {
  readonly isObject: boolean
  /** The latest name in it */
  field?: string
  /** The value of its `name`, which `value` is beside, or the latest word of a list, such as `["X-Api-Key", "…"]` */
  pair?: string
  /** Where its `value` is, if that came before `name` */
  value?: readonly [start: number, end: number]
}

/** Where no name is secret */
const nowhere: Place = { replace: null }

/** How often a text is decoded: a link can be in a link, and JSON in a text of JSON. */
const maxDepth = 3

/**
 * Replaces secrets in requests and responses. It finds them by the names of fields, parameters and headers, and in any
 * text by their form, or if they are known. It does not guess at other personal data: the name of a person in a sentence
 * stays. What is not secret keeps its exact text.
 */
export class Redactor {
  readonly #added: ReadonlySet<string>
  readonly #strategy: Replacement
  /** Of the latest names: texts have the same again and again */
  readonly #replacers = new LatestMap<string, Replace | null>(100)

  /** @param added further names of secrets, without case: `name` is that of `user[name]`, too */
  constructor(strategy: Replacement, added: readonly string[] = []) {
    this.#added = new Set(added.map((name) => name.toLowerCase()))
    this.#strategy = strategy
  }

  /** Whether the values of a name are replaced. */
  isSecretName(name: string): boolean {
    return this.#replacer(name)?.isDoubtful === false
  }

  /**
   * Redacts a text: JSON, a form of many parts, or any other one, in which `name=value` and `name: "value"` can be, and
   * which can be percent-encoded in part.
   *
   * @param depth in how many texts it is
   */
  text(text: string, depth = 0): string {
    if (this.#isPlain(text)) return text
    return this.#inJson(text, depth) ?? this.#inText(text, depth)
  }

  /** Whether nothing can be secret: most paths, queries and words have no other characters. */
  #isPlain(text: string) {
    if (/[^a-z\d/?&=]|\/\//.test(text) || this.#strategy.known?.find(text, 0)) return false
    return !text.includes('=') || (this.#added.size === 0 && !mayNameSecret.test(text))
  }

  /** @returns undefined for a text that is not JSON, or that has no texts */
  #inJson(text: string, depth: number): string | undefined {
    if (depth === maxDepth || !text.includes('"') || !isJsonText(text)) return undefined
    return this.#json(text, nowhere, depth + 1)
  }

  #inText(text: string, depth: number): string {
    if (depth < maxDepth && text.includes('form-data') && headOfPart.test(text))
      return this.#parts(text, depth + 1)
    const find = (inner: string) => {
      const hasNames = /[=:>,]/.test(inner) && (this.#added.size > 0 || mayNameSecret.test(inner))
      return findSecrets(inner, this.#strategy, hasNames ? this.#replacer : null)
    }
    const redacted = applyEdits(text, find(text))
    if (depth === maxDepth || !/%[\da-f]{2}/i.test(redacted)) return redacted
    const withoutJson = redacted.replace(encodedJson, (part) => this.#inEncodedJson(part, depth))
    return editDecoded(withoutJson, maxDepth - depth, find)
  }

  /** Redacts a part of a text that can be JSON, percent-encoded. Of any other one, the names and forms are read. */
  #inEncodedJson(part: string, depth: number): string {
    if (!part.startsWith('%')) return this.#inJson(part, depth) ?? part
    const decoded = decodePercent(part)
    const redacted = this.#inEncodedJson(decoded, depth)
    return redacted === decoded ? part : percentEncode(redacted)
  }

  /** Redacts a form of many parts, `multipart/form-data`. */
  #parts(text: string, depth: number): string {
    const [boundary = '--'] = /^--[^\r\n]*/m.exec(text) ?? []
    // The boundaries stand between the parts.
    const parts = text.split(new RegExp(`(\\r?\\n${escapeRegExp(boundary)})`)).map((part) => {
      const [head = '', parameters = ''] = headOfPart.exec(part) ?? []
      const [, quoted, name = quoted ?? ''] = nameOfPart.exec(parameters) ?? []
      const start = part.indexOf(head) + head.length
      return (
        this.#inText(part.slice(0, start), maxDepth) + this.header(name, part.slice(start), depth)
      )
    })
    return parts.join('')
  }

  /**
   * Redacts a JSON value. The values of an object `headers` are those of headers. Always returns a copy.
   *
   * @param path where the value is in another one
   */
  json(value: unknown, path: readonly (string | number)[] = [], isForm = false): unknown {
    // JSON has no such numbers.
    if (typeof value === 'number' && !Number.isFinite(value)) return value
    const replace = path.map((step) => this.#replacer(String(step))).findLast(Boolean) ?? null
    const text = JSON.stringify(value) as string | undefined
    return text && JSON.parse(this.#json(text, { replace, isForm }))
  }

  /** Shows a value in a message: only its first parts are read, and the names of pairs, by which they may be secret. */
  inspect(value: unknown, path?: readonly (string | number)[]): string {
    let left = 100
    const cut = (name: string, part: unknown) => {
      if (left-- <= 0 && !nameField.test(name)) return undefined
      if (Array.isArray(part)) return part.slice(0, left)
      const isLong = typeof part === 'string' && part.length > 10_000
      // No part of a key stays at the end.
      return isLong ? part.slice(0, 10_000).replace(/\S{1,100}$/, '') : part
    }
    const shown = Object(value) === value ? JSON.parse(JSON.stringify(value, cut)) : cut('', value)
    return inspectValue(this.json(shown, path))
  }

  form(text: string): string {
    const pairs = text.split('&').map((pair) => {
      const sign = `${pair}=`.indexOf('=')
      const name = decodeFormText(pair.slice(0, sign))
      const value = decodeFormText(pair.slice(sign + 1))
      const redactedValue = this.header(name, value)
      const redactedName = this.text(name)
      if (redactedValue === value && redactedName === name) return pair
      return `${percentEncode(redactedName)}=${percentEncode(redactedValue)}`
    })
    return pairs.join('&')
  }

  /** Redacts an absolute URL, or a path with a query. Drops user names, passwords and the fragment. */
  url(url: string): string {
    if (this.#isPlain(url)) return url
    const [, origin = '', path = '', query] = urlParts.exec(url) ?? []
    const search = query === undefined ? '' : `?${this.form(query)}`
    // An encoded slash belongs to the value of a name, and another one ends it.
    const parts = encodedSign.test(path) ? path.split('/').map((part) => this.text(part)) : [path]
    return origin.replace(/\/\/[^/]*@/, '//') + this.text(parts.join('/')) + search
  }

  /** Redacts the value of a header or of a parameter. @param depth in how many texts it is */
  header(name: string, value: string, depth = 0): string {
    const replaced = this.#replacer(name, true)?.(value) ?? value
    // A secret that is kept can have a key in it.
    return replaced === value ? this.text(value, depth) : replaced
  }

  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    // A shorter name has no secret form. Nearly every name is, and is read for each entry of a journal.
    const shown = (name: string) => (name.length < 16 ? name : this.text(name))
    return Object.fromEntries(
      [...headers].map(([name, value]) => [shown(name), this.header(name, value)]),
    )
  }

  /** Redacts a form, a JSON body, or any other text. What is not secret keeps its exact text. */
  body(text: string, isForm = false): string {
    if (isForm) return this.form(text)
    return isJsonText(text) ? this.#json(text, nowhere) : this.#inText(text, 0)
  }

  /** Redacts bytes that are not valid text, or not all of them. Secrets can stand between them. */
  base64(base64: string): string {
    const bytes = atob(base64)
    const redacted = this.text(bytes)
    // A replacement may contain characters that are not single bytes.
    return redacted === bytes ? base64 : btoa(redacted.replace(/[^\0-\xff]/g, '.'))
  }

  readonly #replacer: FindReplace = (name, isParameter) => {
    const id = isParameter ? `?${name}` : name
    let replace = this.#replacers.get(id)
    if (replace === undefined) {
      replace = this.#createReplacer(decodeFormText(name), isParameter)
      this.#replacers.set(id, replace)
    }
    return replace
  }

  #createReplacer(name: string, isParameter?: boolean): Replace | null {
    const parts = [name, ...name.split(/[.[\]]+/)].map((part) => part.toLowerCase())
    const isAdded = parts.some((part) => this.#added.has(part))
    const kind = isAdded ? 'secret' : kindOfName(name, isParameter)
    const isPersonal = kind !== 'key' && kind !== 'secret'
    const isDoubtful = kind === null || (isPersonal && this.#strategy.finds !== 'people')
    if (isDoubtful && !/^key$/i.test(name)) return null
    const parameter = isParameter ? name.toLowerCase() : undefined
    const replace = (value: string, mayBeWord?: boolean) => {
      if (isDoubtful ? !isOpaqueValue(value) : plainValue.test(value)) return value
      const [scheme = ''] = (isParameter && knownScheme.exec(value)) || []
      const secret = value.slice(scheme.length)
      const ownKind = /^bearer/i.test(scheme) ? 'key' : (kind ?? 'secret')
      return scheme + this.#strategy.replace(secret, ownKind, parameter, mayBeWord)
    }
    return Object.assign(replace, { isDoubtful, isKey: kind === 'key' })
  }

  /** Redacts JSON token by token. @param start the place of the whole @param depth in how many texts its own texts are */
  #json(json: string, start: Place, depth = 0) {
    const outer: Container[] = []
    let container: Container = { ...start, isObject: false }
    const edits = new Map<number, Edit>()
    let cursor = start
    let isName = false
    const redact = (start: number, end: number, { replace, mayBeWord }: Place) => {
      const written = json.slice(start, end)
      let replacement = written
      if (written.startsWith('"')) {
        const text = textOf(written)
        const replaced = replace ? replace(text, mayBeWord) : text
        // What a name such as "key" does not make a secret, can have one.
        const redacted = replaced === text ? this.text(text, depth) : replaced
        if (redacted !== text) replacement = JSON.stringify(redacted)
      } else if (replace && /^[-\dIN]/.test(written)) replacement = this.#strategy.number(written)
      if (replacement !== written) edits.set(start, { start, end, replacement })
    }
    const tokens = new RegExp(jsonToken)
    for (let match = tokens.exec(json); match; match = tokens.exec(json)) {
      const { 0: token, index } = match
      const end = token === '"' ? endOfText(json, index) : index + token.length
      tokens.lastIndex = end
      if (token === '{' || token === '[') {
        isName = token === '{'
        cursor = isName || !cursor.isForm ? cursor : { ...cursor, isForm: false }
        outer.push(container)
        container = { ...cursor, isObject: isName }
      } else if (token === '}' || token === ']') container = outer.pop() as Container
      else if (token === ',') {
        isName = container.isObject
        cursor = container
      } else if (token === '"' && isName) {
        const text = textOf(json.slice(index, end))
        // An object with a secret name can have secrets as names, such as a session by its id.
        redact(index, end, container.replace && isOpaqueValue(text) ? container : nowhere)
        container.field = text
        cursor = this.#placeOf(text, container)
        isName = false
      } else {
        const isNaming = !container.isObject || nameField.test(container.field ?? '')
        const text = isNaming && token === '"' ? textOf(json.slice(index, end)) : ''
        const isNamed = container.pair && !container.isObject && isOpaqueValue(text)
        redact(index, end, isNamed ? this.#placeOf('value', container) : cursor)
        if (valueField.test(container.field ?? '')) container.value = [index, end]
        if (!wordForm.test(text)) continue
        container.pair = text
        if (container.value) redact(...container.value, this.#placeOf('value', container))
        delete container.value
      }
    }
    return applyEdits(
      json,
      [...edits.values()].sort((a, b) => a.start - b.start),
    )
  }

  /** The place of the value of a name in an object. */
  #placeOf(name: string, { replace, isForm, pair }: Container): Place {
    const named = pair && valueField.test(name) ? this.#replacer(pair, true) : null
    const own = this.#replacer(name, isForm) ?? named
    return { replace: own ?? replace, mayBeWord: !own, isForm: /^headers$/i.test(name) }
  }
}

/** What follows a name, percent-encoded */
const encodedSign = /%(?:25){0,2}3[AD]/i

/** What is never secret: `Access-Control-Allow-Credentials: true`, `token_type=Bearer`, and times. */
const plainValue = /^(?:|true|false|null|basic|bearer|digest|\d{4}-\d\d-\d\dT[\d:.Z+-]{5,25})$/i

const urlParts = /^([a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i

/** The known schemes. Any other first word may be part of the secret. */
const knownScheme = /^(?:Basic|Bearer|Digest|DPoP|HOBA|Mutual|Negotiate|OAuth|Token)\s+/i

/** A part of a text that begins as encoded JSON does. It starts after a delimiter: starting within a long one is slow. */
const encodedJson = /(?<![^\s"'`<>&=?#/])%(?:25){0,2}[57]B[^\s"'`<>&=?#/]*/gi

const headOfPart =
  /^content-disposition:[ \t]*form-data;([^\r\n]*)(?:\r?\n[^\r\n]+){0,8}\r?\n\r?\n/im

const nameOfPart = /(?<![^; \t])name\*?=(?:utf-8'')?(?:"([^"]*)"|'?([^\s;"']+))/i

const wordForm = /^[\w.[\]-]{1,100}$/

/** The tokens of JSON: the start of a text, a mark, a number or a word. */
const jsonToken = /["{}[\],]|[^\s"{}[\],:]+/g

/** Where a text of JSON ends. Searched, since an expression that matches a long text with escapes overflows the stack. */
function endOfText(json: string, start: number) {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let slashes = 0
    while (json[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end + 1
  }
}

function textOf(written: string) {
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
}

/** Whether the service can read a text as a list or an object of JSON, in which `NaN` and infinite numbers are allowed. */
function isJsonText(text: string) {
  // To parse one that is not between brackets takes much longer.
  if (!/^\s*[{[]/.test(text) || !/[}\]]/.test(text.trimEnd().slice(-1))) return false
  return readJsonBody(text.replace(/\b(?:NaN|Infinity)\b/g, '0')) !== undefined
}

/** Masks secrets: known keys anywhere, of which parts are shown, others by the names of headers, parameters and fields, and by their form. */
export class KeyRedactor extends Redactor {
  readonly #keys: KnownSecrets

  /**
   * @param keys the values of known keys
   * @param redact further names of secrets
   */
  constructor(keys: Iterable<string>, redact: readonly string[] = []) {
    const secrets = new KnownSecrets()
    for (const key of keys) secrets.add(key)
    const replace = (value: string, kind: SecretKind) => (kind === 'key' ? maskKey(value) : '…')
    super({ finds: 'secrets', known: secrets, replace, number: () => '"…"' }, redact)
    this.#keys = secrets
  }

  /** Masks a further key. */
  addKey(key: string): void {
    this.#keys.add(key)
  }
}

/**
 * Masks a key. A long key shows its first and last four characters, a short one only a prefix such as `phx_`.
 *
 * @example maskKey('phx_0123456789abcdef1234') // 'phx_…1234'
 * @example maskKey('phx_all') // 'phx_…'
 */
export function maskKey(key: string): string {
  // By code points, so that no surrogate pair is cut
  if (key.length >= 16) return key.replace(/^(.{4}).*(.{4})$/su, '$1…$2')
  return `${/^[a-z]{1,3}_/.exec(key)?.[0] ?? ''}…`
}
