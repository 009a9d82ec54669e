import { decodePercent } from '../query.ts'
import { KnownSecrets, minSecretLength } from './known-secrets.ts'
import type { Replacement } from './redactor.ts'
import { replaceByForm, type SecretKind } from './secrets.ts'

/**
 * Replaces secrets and personal data in files. The same value always gets the same alias, and an alias says what it
 * replaces: `replaced-email-1@example.com`. Where a file is served, an alias matches any value.
 */
export class Aliases implements Replacement {
  readonly hidesPersonalData: boolean
  readonly #hidesKeysOnly: boolean
  readonly #aliases = new Map<string, string>()
  readonly #counts = new Map<SecretKind, number>()
  readonly #learned = new Map<string, SecretKind>()
  readonly #keys = new Set<string>()
  readonly #known = new KnownSecrets()

  /** @param hidesKeysOnly whether only API keys are replaced, in their fields */
  constructor(hidesKeysOnly = false) {
    this.#hidesKeysOnly = hidesKeysOnly
    this.hidesPersonalData = !hidesKeysOnly
  }

  /** Learns the values of secret names, and replaces nothing. */
  get learner(): Replacement {
    return {
      hidesPersonalData: true,
      replaceInText: (text) =>
        replaceByForm(text, false, (value, kind) => {
          if (!ordinaryWords.test(value)) this.learn(kind, value)
          return value
        }),
      replace: (value, kind, header, isWithin) => {
        // A name can be an ordinary word. An e-mail address is recognized anywhere.
        if (kind === 'name' || kind === 'email') return value
        // So can a value within an object, such as the type of a value with a secret name.
        if (isWithin && ordinaryWords.test(value)) return value
        if (header?.endsWith('authorization')) {
          for (const password of passwordsOf(value)) {
            if (!ordinaryWords.test(password)) this.learn('secret', password)
          }
        }
        if (!header?.endsWith('cookie')) this.learn(kind, value)
        else {
          // The pairs of a `set-cookie` header but the first are attributes.
          for (const pair of value.split(';', header === 'cookie' ? undefined : 1)) {
            const cookie = pair.slice(pair.indexOf('=') + 1).trim()
            this.learn(kind, cookie)
            this.learn(kind, decodePercent(cookie))
          }
        }
        return value
      },
    }
  }

  /** How many values are replaced wherever they occur. */
  get learnedCount(): number {
    return this.#learned.size
  }

  /** Replaces this value wherever it occurs from now on. */
  learn(kind: SecretKind, value: string): void {
    const isKnown = this.#learned.has(value) || aliasPrefix.test(value)
    if (value.length < minSecretLength || isKnown) return
    this.#learned.set(value, kind)
    this.#known.add(value)
  }

  /** Replaces the value of a key from now on. */
  learnKey(value: string): void {
    this.#keys.add(value)
    this.learn('key', value)
  }

  /** Replaces the value or the label of a key if it is the value of one, also a short one. */
  replaceKey(text: string): string {
    return this.#keys.has(text) ? this.#aliasFor('key', text) : text
  }

  /** Replaces this full name of a person wherever it occurs from now on. */
  learnName(name: string): void {
    if (!this.#hidesKeysOnly) this.learn('name', name)
  }

  replace(value: string, kind: SecretKind): string {
    return this.#hidesKeysOnly && kind !== 'key' ? value : this.#aliasFor(kind, value)
  }

  replaceInText(text: string): string {
    if (this.#hidesKeysOnly) return text
    const withoutKnown = mapPlainParts(text, (part) => this.#replaceKnown(part))
    const replaceForms = (part: string, isPersonal: boolean): string =>
      replaceByForm(part, isPersonal, (value, kind) => this.#aliasFor(kind, value))
    // A password before a host looks like an e-mail address. Its alias does not.
    const withoutSecrets = mapPlainParts(withoutKnown, (part) => replaceForms(part, false))
    return mapPlainParts(withoutSecrets, (part) => replaceForms(part, true))
  }

  /** Replaces known secrets, except for those that are a part of a longer secret, such as digits of a token. */
  #replaceKnown(text: string): string {
    let isPart: ReturnType<typeof partsOfSecrets> | undefined
    return this.#known.replace(text, (value, start, length) => {
      isPart ??= partsOfSecrets(text)
      const end = start + length
      return isPart(start, end) ? text.slice(start, end) : this.#aliasFor('secret', value)
    })
  }

  #aliasFor(kind: SecretKind, value: string): string {
    if (value === '') return value
    if (isAlias(value)) return value
    const knownKind = this.#learned.get(value) ?? kind
    const id = `${knownKind} ${knownKind === 'email' ? value.toLowerCase() : value}`
    const existing = this.#aliases.get(id)
    if (existing !== undefined) return existing
    let alias: string
    do {
      const count = (this.#counts.get(knownKind) ?? 0) + 1
      this.#counts.set(knownKind, count)
      alias = `replaced-${knownKind}-${count}${knownKind === 'email' ? '@example.com' : ''}`
      // A world that was recorded before has keys that are aliases.
    } while (this.#keys.has(alias))
    this.#aliases.set(id, alias)
    return alias
  }
}

interface TextRange {
  readonly start: number
  readonly end: number
}

/**
 * Finds the secrets in a text that their form identifies.
 *
 * @returns whether a range is a part of a longer one of them. Call it with ascending ranges
 */
function partsOfSecrets(text: string): (start: number, end: number) => boolean {
  const ranges: TextRange[] = []
  replaceByForm(text, true, (value, _kind, start, length) => {
    if (length === value.length) ranges.push({ start, end: start + length })
    return value
  })
  ranges.sort((a, b) => a.start - b.start)
  let [next, endOfEarlier] = [0, 0]
  return (start, end) => {
    for (let range = ranges[next]; range && range.start < start; range = ranges[++next]) {
      endOfEarlier = Math.max(endOfEarlier, range.end)
    }
    let [at, isPart] = [next, endOfEarlier >= end]
    for (let range = ranges[at]; range?.start === start; range = ranges[++at]) {
      isPart ||= range.end > end
    }
    return isPart
  }
}

/** The password of Basic credentials, as bytes and as UTF-8. None of any other text. */
function passwordsOf(credentials: string): string[] {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(credentials) || credentials.length % 4 !== 0) return []
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(atob(credentials)) ?? []
  const bytes = Uint8Array.from(password, (character) => character.charCodeAt(0))
  return [password, new TextDecoder().decode(bytes)]
}

/** A longer word without spaces is rather a token. */
const ordinaryWords = /^\p{L}{1,15}(?:[\s_-]+\p{L}{1,15})*$/u

const aliasPrefix = /^replaced-\w+-\d+/

/** Each alias begins so. */
const aliasStart = 'replaced-'

/** An alias anywhere in a text, percent-encoded or not. */
const aliasPattern: RegExp =
  /replaced-(?:email|key|name|person|secret)-\d+(?:(?:@|%40)example\.com)?/g

const wholeAlias = new RegExp(`^(?:${aliasPattern.source})$`)

export function isAlias(text: string): boolean {
  return text.startsWith(aliasStart) && wholeAlias.test(text)
}

const aliasSplitter = new RegExp(`(${aliasPattern.source})`)

/** Changes a text except for its aliases. */
function mapPlainParts(text: string, change: (part: string) => string): string {
  if (!text.includes(aliasStart)) return change(text)
  let [changed, at] = ['', 0]
  for (const { 0: alias, index } of text.matchAll(aliasPattern)) {
    changed += change(text.slice(at, index)) + alias
    at = index + alias.length
  }
  return changed + change(text.slice(at))
}

/** Whether a text is like a recorded one, whose aliases stand for any text. */
function matchAliases(recorded: string, text: string): boolean {
  // Plain texts and aliases alternate.
  const [start = '', ...parts] = recorded.split(aliasSplitter)
  if (!text.startsWith(start)) return false
  let at = start.length
  // The earliest match of each plain text takes linear time. An expression with many wildcards would not.
  for (let index = 0; index < parts.length; index += 2) {
    const after = parts[index + 1] as string
    const isLast = index + 2 === parts.length
    const end = isLast ? text.length - after.length : text.indexOf(after, at + 1)
    if (end <= at || !text.startsWith(after, end)) return false
    at = end + after.length
  }
  return at === text.length
}

/**
 * Whether a value is what a recorded one may be: an alias stands for any text, and alone for any value.
 *
 * @returns undefined if the recorded value has no alias
 */
export function matchesAlias(recorded: unknown, value: unknown): boolean | undefined {
  if (typeof recorded !== 'string' || !recorded.includes(aliasStart)) return undefined
  if (recorded.search(aliasPattern) < 0) return undefined
  if (typeof value !== 'string') return isAlias(recorded) && value !== null && value !== undefined
  return matchAliases(recorded, value)
}
