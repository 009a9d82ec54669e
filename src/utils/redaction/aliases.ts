import { decodePercent } from '../query.ts'
import { KnownSecrets } from './known-secrets.ts'
import { aliasForm, isAlias, minSecretLength, passwordOf, type SecretKind } from './names.ts'
import type { Replacement } from './scanner.ts'

/**
 * Replaces secrets and personal data in files. The same value always gets the same alias, and an alias says what it
 * replaces: `replaced-email-1@example.com`. Where a file is served, an alias matches any value.
 */
export class Aliases implements Replacement {
  readonly finds: Replacement['finds']
  readonly known = new KnownSecrets()
  readonly #aliases = new Map<string, string>()
  readonly #counts = new Map<SecretKind, number>()
  readonly #learned = new Map<string, SecretKind>()
  readonly #keys = new Set<string>()

  constructor(hidesKeysOnly = false) {
    this.finds = hidesKeysOnly ? 'names' : 'people'
  }

  /** How many values are learned */
  get learned(): number {
    return this.#learned.size
  }

  /** Learns the values of secret names, and those that their form identifies, and replaces nothing. */
  get learner(): Replacement {
    return {
      finds: 'people',
      number: (written) => written,
      replace: (value, kind, parameter, mayBeWord) => {
        // A name can be an ordinary word. An e-mail address is recognized anywhere.
        if (kind === 'name' || kind === 'email') return value
        // So can a value within an object, such as the type of a value with a secret name.
        if (mayBeWord && ordinaryWords.test(value)) return value
        if (parameter?.endsWith('authorization')) this.#learnPasswords(value)
        if (!parameter?.endsWith('cookie')) this.learn(kind, value)
        else {
          // The pairs of a `set-cookie` header but the first are attributes.
          for (const pair of value.split(';', parameter === 'cookie' ? undefined : 1)) {
            const cookie = pair.slice(pair.indexOf('=') + 1).trim()
            this.learn(kind, cookie)
            this.learn(kind, decodePercent(cookie))
          }
        }
        return value
      },
    }
  }

  /** Learns the password of Basic credentials, as bytes and as UTF-8. */
  #learnPasswords(credentials: string) {
    const password = passwordOf(credentials) ?? ''
    const bytes = Uint8Array.from(password, (character) => character.charCodeAt(0))
    for (const text of [password, new TextDecoder().decode(bytes)]) {
      if (!ordinaryWords.test(text)) this.learn('secret', text)
    }
  }

  /** Replaces this value wherever it occurs from now on. */
  learn(kind: SecretKind, value: string): void {
    const isKnown = this.#learned.has(value) || aliasStart.test(value)
    if ((this.finds === 'names' && kind !== 'key') || value.length < minSecretLength || isKnown)
      return
    this.#learned.set(value, kind)
    this.known.add(value)
  }

  learnKey(value: string): void {
    this.#keys.add(value)
    this.learn('key', value)
  }

  /** Replaces the value or the label of a key if it is the value of one, also a short one. */
  replaceKey(text: string): string {
    return this.#keys.has(text) ? this.#aliasFor('key', text) : text
  }

  replace(value: string, kind: SecretKind): string {
    const isKey = kind === 'key' || this.#learned.get(value) === 'key'
    return this.finds === 'names' && !isKey ? value : this.#aliasFor(kind, value)
  }

  /** Replaces the digits of a number by 1 and zeros. One of one or two digits stays. */
  number(written: string): string {
    const isHidden = this.finds === 'people' && /\d\D*\d\D*\d/.test(written)
    return isHidden ? written.replace(/\d/g, '0').replace('0', '1') : written
  }

  #aliasFor(kind: SecretKind, value: string) {
    if (value === '' || isAlias(value)) return value
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

/** A longer word without spaces is rather a token. */
const ordinaryWords = /^\p{L}{1,15}(?:[\s_-]+\p{L}{1,15})*$/u

const aliasStart = new RegExp(`^${aliasForm}`)
