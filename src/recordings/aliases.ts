import { emailPattern, keyPattern, type Personal, shortest } from './personal.ts'

/**
 * What stands for secrets and personal data: for the same value always the same words, which say so:
 * `replaced-email-1@example.com`.
 */
export class Aliases {
  readonly #aliases = new Map<string, string>()
  readonly #counts = new Map<Personal, number>()
  readonly #heard = new Set<string>()
  readonly #everywhere = new Map<string, Personal>()
  #pattern: RegExp | null = null
  /** Whether what is met from here on comes from an answer. */
  isHearing = false

  /** Whether the value behind an alias first came in an answer: whoever replays this may get another one. */
  isHeard(alias: string): boolean {
    return this.#heard.has(alias)
  }

  /** A value that is hidden wherever it stands from here on. */
  learn(kind: Personal, value: string): void {
    if (value.length < shortest || this.#everywhere.has(value) || beginning.test(value)) return
    this.#everywhere.set(value, kind)
    this.#pattern = null
  }

  /** What stands for a value. */
  of(kind: Personal, value: string): string {
    if (value === '' || isAlias(value)) return value
    const known = this.#everywhere.get(value) ?? kind
    const same = `${known} ${known === 'email' ? value.toLowerCase() : value}`
    const before = this.#aliases.get(same)
    if (before !== undefined) return before
    const count = (this.#counts.get(known) ?? 0) + 1
    this.#counts.set(known, count)
    const made = `replaced-${known}-${count}${known === 'email' ? '@example.com' : ''}`
    this.#aliases.set(same, made)
    if (this.isHearing) this.#heard.add(made)
    return made
  }

  /** A text without what is hidden wherever it stands. */
  text(text: string): string {
    this.#pattern ??= patternOf([...this.#everywhere.keys()])
    const known = this.#everywhere.size === 0 ? text : text.replace(this.#pattern, this.#known)
    return known
      .replace(keyPattern, (key) => this.of('key', key))
      .replace(emailPattern, (email) => this.of('email', email))
  }

  readonly #known = (found: string): string => {
    const value = this.#everywhere.has(found) ? found : decodeURIComponent(found)
    return this.of(this.#everywhere.get(value) ?? 'secret', value)
  }
}

/** An alias, wherever it stands. */
export const aliasPattern: RegExp =
  /replaced-(?:email|key|name|person|secret)-\d+(?:@example\.com)?/g

const whole = new RegExp(`^(?:${aliasPattern.source})$`)

/** Whether a text is an alias, and nothing else. */
export function isAlias(text: string): boolean {
  return whole.test(text)
}

/** How all of them begin. */
const beginning = /^replaced-\w+-\d+/

/** Longer ones first: a shorter one may be the beginning of another. In texts that cannot be read they stand encoded. */
function patternOf(values: readonly string[]): RegExp {
  const sources = values
    .flatMap((value) => [...new Set([value, encoded(value)])])
    .sort((a, b) => b.length - a.length)
    .map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(sources.join('|'), 'g')
}

/** As in an address, which cannot hold what is no well-formed text. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
