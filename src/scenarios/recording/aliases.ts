import { decodeFormText } from '../../utils/redaction/redact-text.ts'
import {
  isKeyFieldName,
  KnownSecrets,
  minSecretLength,
  percentEncode,
  tokenPattern,
} from '../../utils/redaction/secrets.ts'

/**
 * What stands for secrets and personal data: for the same value always the same words, which say so:
 * `replaced-email-1@example.com`.
 */
export class Aliases {
  readonly #aliases = new Map<string, string>()
  readonly #counts = new Map<PersonalDataKind, number>()
  readonly #met = new Set<string>()
  readonly #heard = new Set<string>()
  readonly #sentInFields = new Set<string>()
  readonly #sentAsTexts = new Set<string>()
  readonly #everywhere = new Map<string, PersonalDataKind>()
  #known: KnownSecrets | null = null
  /** Whether what is met from here on comes from an answer. */
  isInResponse = false

  /** How many values are hidden wherever they stand. */
  get learnedCount(): number {
    return this.#everywhere.size
  }

  /** Whether the value behind an alias first came in an answer: whoever replays this may get another one. */
  isFromResponse(alias: string): boolean {
    return this.#heard.has(decodeAlias(alias))
  }

  /** Whether the client sent an alias as a value of its own, and not only within a text; in a field of such a kind. */
  isSentByClient(alias: string, isPersonal: boolean): boolean {
    return this.#sentInFields.has(alias) || (!isPersonal && this.#sentAsTexts.has(alias))
  }

  /** A value that is hidden wherever it stands from here on. */
  learn(kind: PersonalDataKind, value: string): void {
    if (value.length < minSecretLength || this.#everywhere.has(value) || aliasPrefix.test(value))
      return
    this.#everywhere.set(value, kind)
    this.#known = null
  }

  /** What stands for a value. */
  aliasFor(kind: PersonalDataKind, value: string): string {
    if (value === '') return value
    if (isAlias(value)) return this.#meet(value)
    const known = this.#everywhere.get(value) ?? kind
    const same = `${known} ${known === 'email' ? value.toLowerCase() : value}`
    const before = this.#aliases.get(same)
    if (before !== undefined) return this.#meet(before)
    const count = (this.#counts.get(known) ?? 0) + 1
    this.#counts.set(known, count)
    const made = `replaced-${known}-${count}${known === 'email' ? '@example.com' : ''}`
    this.#aliases.set(same, made)
    return this.#meet(made)
  }

  /** What stands for the value of a field that is hidden by its name. */
  aliasForField(kind: PersonalDataKind, value: string): string {
    const alias = this.aliasFor(kind, value)
    if (!this.isInResponse) this.#sentInFields.add(alias)
    return alias
  }

  /** A text without what is hidden wherever it stands. */
  replaceInText(text: string): string {
    this.#known ??= new KnownSecrets(this.#everywhere.keys())
    const unknown = this.#known.redact(text, (value) => this.aliasFor('secret', value))
    const hidden = quickCheck.test(unknown)
      ? unknown
          .replace(tokenPattern, (key) => this.aliasFor('key', key))
          .replace(emailPattern, (email) => this.aliasFor('email', email))
          .replace(encodedEmail, (email) =>
            percentEncode(this.aliasFor('email', decodeEmail(email))),
          )
          .replace(aliasPattern, (alias) => this.#meet(alias))
      : unknown
    if (isAlias(hidden) && !this.isInResponse) this.#sentAsTexts.add(hidden)
    return hidden
  }

  /** An alias, also one that stood there before, as in the archive of a recorder. */
  #meet(alias: string): string {
    const plain = decodeAlias(alias)
    if (this.isInResponse && !this.#met.has(plain)) this.#heard.add(plain)
    this.#met.add(plain)
    return alias
  }
}

function decodeAlias(alias: string): string {
  return alias.replace('%40', '@')
}

/** An alias, wherever it stands, also within an address. */
export const aliasPattern: RegExp =
  /replaced-(?:email|key|name|person|secret)-\d+(?:(?:@|%40)example\.com)?/g

const wholeAlias = new RegExp(`^(?:${aliasPattern.source})$`)

/** Whether a text is an alias, and nothing else. */
export function isAlias(text: string): boolean {
  return text.startsWith('replaced-') && wholeAlias.test(text)
}

/** An e-mail address as it stands in a query, also in one within an answer: the link to the next page. */
const encodedEmail = /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+%40(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu

function decodeEmail(email: string): string {
  return decodeFormText(email.replaceAll('+', '%2B'))
}

/** What a key, an address or an alias has in it: most texts have none, and are looked through once. */
const quickCheck = /@|%40|ph[a-z]_|replaced-/

/** How all of them begin. */
const aliasPrefix = /^replaced-\w+-\d+/

/** What is replaced: by it the replacement is named. */
export type PersonalDataKind = 'email' | 'key' | 'name' | 'person' | 'secret'

/** Values that are as good as a password, by the end of their field's name. */
const secretNamePattern =
  /(?:^|[_-]|(?<=[a-z]))(?:token|secret|password|passwd|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)$/i

/** Names of people, and what else leads to one of them. */
const personalNamePatterns: ReadonlyArray<readonly [RegExp, PersonalDataKind]> = [
  [/^(?:first|last|middle|full|given|family|display|user|nick)_?name$|^surname$/i, 'name'],
  [/^distinct_?id$|^phone(?:_?number)?$/i, 'person'],
  [/^e_?mail(?:_?address)?$/i, 'email'],
  [secretNamePattern, 'secret'],
]

/** What the value of a field is, by the field's name; null for one that may be told. */
export function personalDataKind(name: string): PersonalDataKind | null {
  if (isKeyFieldName(name)) return 'key'
  return personalNamePatterns.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** E-mail addresses wherever they stand. @note Looked for from the beginning of a word alone: a long one holds many. */
const emailPattern: RegExp =
  /(?:(?<=\\[bfnrt])|(?<![\p{L}\p{N}._%+'-]|\\(?=[bfnrt])))[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu
