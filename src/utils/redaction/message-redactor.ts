import { mapValues, mapValuesToCopy } from '../json.ts'
import { decodeFormText, type Mask, type MaskForName, redactNamedValues } from './redact-text.ts'
import { headerSecret, percentEncode } from './secrets.ts'
import { TextBody } from './text-body.ts'

/** What is hidden, and how. */
export interface RedactionRules {
  /** Gives what hides a value, by the name it stands at; null for a name that says nothing */
  readonly maskFor: MaskForName
  /** A text without what is hidden wherever it stands */
  readonly redactText: (text: string) => string
  /** How much was learned that is hidden so; without it names are looked through each time */
  readonly secretCount?: () => number
  /** What stands in place of the secret of a header, which may say of which kind it is */
  readonly maskHeader: (secret: string, scheme: string, name: string) => string
  /** What stands in place of a number where a secret belongs; without it numbers stay */
  readonly numberMask?: string
}

/** Walks requests and answers, and hides what shall not be told, wherever and however it stands in them. */
export class MessageRedactor {
  readonly #hiding: RedactionRules
  readonly #names: FieldNameCache

  constructor(hiding: RedactionRules) {
    this.#hiding = hiding
    const { maskFor, secretCount } = hiding
    this.#names = new FieldNameCache(
      (name) => ({ mask: maskFor(name), isPlain: this.text(name) === name }),
      secretCount,
    )
  }

  /** A text, or a body that cannot be read. */
  text(text: string): string {
    return this.#hiding.redactText(redactNamedValues(text, this.#hiding.maskFor))
  }

  /** A copy of a JSON value. @param mask hides the texts in it, whatever their names are */
  json(value: unknown, mask: Mask | null = null): unknown {
    return this.#json(value, mask, mapValuesToCopy)
  }

  /** A query or the body of a form, as it stood on the wire. */
  form(text: string): string {
    const pairs = text.split('&').map((pair) => {
      const [[name = '', value = ''] = []] = new URLSearchParams(pair)
      const mask = this.#hiding.maskFor(name)
      const shown = mask ? mask(value) : this.text(value)
      const shownName = this.text(name)
      if (shown === value && shownName === name) return this.#hiding.redactText(pair)
      return `${percentEncode(shownName)}=${percentEncode(shown)}`
    })
    return pairs.join('&')
  }

  /** A path as it stood on the wire, where any sign may be encoded. */
  path(path: string): string {
    const parts = this.text(path)
      .split('/')
      .map((part) => this.#meant(part, percentEncode))
    // A secret may have a slash in it, and so stand in several parts.
    return this.#meant(parts.join('/'), (text) => text.split('/').map(percentEncode).join('/'))
  }

  /** An address, or the path and the query of one. Its fragment is never sent. */
  url(url: string): string {
    const [, origin = '', path = '', query] = urlParts.exec(url) ?? []
    const search = query === undefined ? '' : `?${this.form(query)}`
    return origin.replace(/\/\/[^/@]*@/, '//') + this.path(path) + search
  }

  /** The value of a header. */
  header(name: string, value: string): string {
    const found = headerSecret(name, value)
    if (!found) return this.text(value)
    return found.scheme + this.#hiding.maskHeader(found.secret, found.scheme, name.toLowerCase())
  }

  /** A body: a form, JSON, or whatever else it is. What holds no secret stays as it was written. */
  body(body: TextBody): TextBody {
    const { text, isForm } = body
    const json = isForm ? undefined : body.json
    const shown = json && this.#json(json.value, null, mapValues)
    if (shown !== json?.value) return new TextBody(JSON.stringify(shown), isForm, { value: shown })
    if (json && body.isLossless) return body
    const rest = isForm ? this.form(text) : this.text(text)
    return rest === text ? body : new TextBody(rest, isForm)
  }

  #json(value: unknown, mask: Mask | null, map: typeof mapValues): unknown {
    if (typeof value === 'string') return mask ? mask(value) : this.text(value)
    if (typeof value === 'number') return mask ? (this.#hiding.numberMask ?? value) : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return map(value, (item) => this.#json(item, mask, map))
    let isPlain = true
    const shown = map(value, (inner, name) => {
      const met = this.#names.get(name)
      isPlain &&= met.isPlain
      return this.#json(inner, met.mask ?? mask, map)
    })
    if (isPlain) return shown
    return Object.fromEntries(
      Object.entries(shown).map(([name, inner]) => [this.text(name), inner]),
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
    const meant = decodeFormText(text.replaceAll('+', '%2B'))
    const shown = this.text(meant)
    return shown === meant ? text : encode(shown)
  }
}

/** The origin, the path, and the query of an address. */
const urlParts = /^([a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i

/** The name of a field. */
export interface FieldNameInfo {
  /** What hides its value */
  readonly mask: Mask | null
  /** Whether nothing is hidden in the name itself */
  readonly isPlain: boolean
}

/** How many are kept in mind: a client may make up new ones for ever. */
const maxCachedNames = 1000

/** Those that are kept in mind: neither too long, nor an alias, which is looked for each time. */
const cacheableName = /^\w{1,100}$/

/** The names of fields that were met: they come again and again, and are looked through once. */
class FieldNameCache {
  readonly #look: (name: string) => FieldNameInfo
  readonly #learned: (() => number) | undefined
  readonly #names = new Map<string, FieldNameInfo>()
  #known: number | undefined

  /** @param learned how much is known that may stand in a name; without it they are looked through each time */
  constructor(look: (name: string) => FieldNameInfo, learned: (() => number) | undefined) {
    this.#look = look
    this.#learned = learned
  }

  /** What is known of a name. */
  get(name: string): FieldNameInfo {
    const known = this.#learned?.()
    if (known === undefined) return this.#look(name)
    if (known !== this.#known) this.#names.clear()
    this.#known = known
    const before = this.#names.get(name)
    if (before) return before
    const met = this.#look(name)
    if (!cacheableName.test(name)) return met
    if (this.#names.size === maxCachedNames) this.#names.clear()
    this.#names.set(name, met)
    return met
  }
}
