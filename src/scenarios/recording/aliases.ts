import { decodeFormText } from '../../utils/redaction/redact-text.ts'
import { redactLookalikes, type SecretNames } from '../../utils/redaction/secret-names.ts'
import {
  isKeyFieldName,
  KnownSecrets,
  minSecretLength,
  percentEncode,
  tokenPattern,
} from '../../utils/redaction/secrets.ts'

/**
 * Replacements for secrets and personal data. The same value always gets the same alias, and an alias says what it
 * replaces: `replaced-email-1@example.com`.
 */
export class Aliases {
  readonly #aliases = new Map<string, string>()
  readonly #counts = new Map<PersonalDataKind, number>()
  readonly #fromResponses = new Map<string, boolean>()
  /** The aliases that the client sent as whole values, and whether it sent them in fields for personal data. */
  readonly #sent = new Map<string, boolean>()
  readonly #hiddenEverywhere = new Map<string, PersonalDataKind>()
  readonly #names: SecretNames
  #knownSecrets: KnownSecrets | null = null
  /** Whether the next values come from a response. */
  isInResponse = false

  constructor(names: SecretNames) {
    this.#names = names
  }

  get learnedCount(): number {
    return this.#hiddenEverywhere.size
  }

  isFromResponse(alias: string): boolean {
    return this.#fromResponses.get(decodeAlias(alias)) === true
  }

  /** Whether the client sent the value as a whole value, of the same kind as this field. */
  isSentByClient(alias: string, field: string): boolean {
    const isPersonal = this.#sent.get(alias)
    const isPlain = personalDataKind(field) === null && !this.#names.has(field)
    return isPersonal === true || (isPersonal === false && isPlain)
  }

  /** Replaces this value wherever it occurs from now on. */
  learn(kind: PersonalDataKind, value: string): void {
    const isKnown = this.#hiddenEverywhere.has(value) || aliasPrefix.test(value)
    if (value.length < minSecretLength || isKnown) return
    this.#hiddenEverywhere.set(value, kind)
    this.#knownSecrets = null
  }

  aliasFor(kind: PersonalDataKind, value: string): string {
    if (value === '') return value
    if (isAlias(value)) return this.#use(value)
    const knownKind = this.#hiddenEverywhere.get(value) ?? kind
    const id = `${knownKind} ${knownKind === 'email' ? value.toLowerCase() : value}`
    const existing = this.#aliases.get(id)
    if (existing !== undefined) return this.#use(existing)
    const count = (this.#counts.get(knownKind) ?? 0) + 1
    this.#counts.set(knownKind, count)
    const alias = `replaced-${knownKind}-${count}${knownKind === 'email' ? '@example.com' : ''}`
    this.#aliases.set(id, alias)
    return this.#use(alias)
  }

  aliasForField(kind: PersonalDataKind, value: string): string {
    const alias = this.aliasFor(kind, value)
    if (!this.isInResponse) this.#sent.set(alias, true)
    return alias
  }

  /** Replaces learned secrets, keys and e-mail addresses in a text. */
  replaceInText(text: string): string {
    this.#knownSecrets ??= new KnownSecrets(this.#hiddenEverywhere.keys())
    const withoutKnown = this.#knownSecrets.redact(text, (value) => this.aliasFor('secret', value))
    const replaced = quickCheck.test(withoutKnown)
      ? redactLookalikes(
          withoutKnown.replace(tokenPattern, (key) => this.aliasFor('key', key)),
          (secret) => this.aliasFor('secret', secret),
        )
          .replace(emailPattern, (email) => this.aliasFor('email', email))
          .replace(encodedEmailPattern, (email) =>
            percentEncode(this.aliasFor('email', decodeFormText(email.replaceAll('+', '%2B')))),
          )
          .replace(aliasPattern, (alias) => this.#use(alias))
      : withoutKnown
    if (!this.isInResponse && isAlias(replaced) && !this.#sent.has(replaced)) {
      this.#sent.set(replaced, false)
    }
    return replaced
  }

  /** Also counts aliases that the text contained before, such as those of an imported recording. */
  #use(alias: string): string {
    const plain = decodeAlias(alias)
    if (!this.#fromResponses.has(plain)) this.#fromResponses.set(plain, this.isInResponse)
    return alias
  }
}

function decodeAlias(alias: string): string {
  return alias.replace('%40', '@')
}

/** An alias anywhere in a text, percent-encoded or not. */
export const aliasPattern: RegExp =
  /replaced-(?:email|key|name|person|secret)-\d+(?:(?:@|%40)example\.com)?/g

const wholeAlias = new RegExp(`^(?:${aliasPattern.source})$`)

export function isAlias(text: string): boolean {
  return text.startsWith('replaced-') && wholeAlias.test(text)
}

/** An e-mail address in a query, such as in the link to the next page. */
const encodedEmailPattern =
  /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+%40(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu

/** A text without a match contains no key, e-mail address or alias. Most texts have none. */
const quickCheck = /@|%40|ph[a-z]_|replaced-|eyJ|bearer/i

const aliasPrefix = /^replaced-\w+-\d+/

/** What a value is. The alias names it. */
export type PersonalDataKind = 'email' | 'key' | 'name' | 'person' | 'secret'

/** Fields for names of people, and ways to reach them. */
const namePatterns: ReadonlyArray<readonly [RegExp, PersonalDataKind]> = [
  [/^(?:first|last|middle|full|given|family|display|user|nick)_?name$|^surname$/i, 'name'],
  [/^distinct_?id$|^phone(?:_?number)?$/i, 'person'],
  [/^e_?mail(?:_?address)?$/i, 'email'],
]

/** What personal data or key a field holds, by its name. Null for any other field; `SecretNames` knows other secrets. */
export function personalDataKind(name: string): PersonalDataKind | null {
  if (isKeyFieldName(name)) return 'key'
  return namePatterns.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** An e-mail address. @note The match starts at a word boundary: starting within a long word is slow. */
const emailPattern: RegExp =
  /(?:(?<=\\[bfnrt])|(?<![\p{L}\p{N}._%+'-]|\\(?=[bfnrt])))[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu
