import { didYouMean } from '../../utils/errors.ts'

/**
 * Reads an object or a list with the mistakes that people and other languages make: other quotation marks or none, a
 * comma too many or missing, a missing value or last brace, `None`, `True`, `NaN`.
 *
 * @returns undefined if the text has another mistake
 * @example repairJson("{'content': 'Launch', deleted: False") // { content: 'Launch', deleted: false }
 */
export function repairJson(text: string): unknown {
  try {
    return /^\s*[{[]/.test(text) ? new LenientReader(text).read() : undefined
  } catch {
    // A mistake that has no single correction, or too many levels.
    return undefined
  }
}

const words: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  none: null,
  undefined: null,
  nan: null,
  infinity: null,
  '-infinity': null,
}

class LenientReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): unknown {
    const value = this.#value()
    this.#take(/\s*/y)
    if (this.#at < this.#text.length) throw new SyntaxError('There is text after the value.')
    return value
  }

  #value(): unknown {
    if (this.#take(/\s*\{/y) !== undefined) return this.#object()
    if (this.#take(/\s*\[/y) !== undefined) return this.#list()
    const text = this.#string()
    if (text !== undefined) return text
    const word = (this.#take(/\s*[^\s,:{}[\]"']+/y) ?? 'null').trim()
    if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(word)) return Number(word)
    const meant = word.toLowerCase()
    const known = Object.hasOwn(words, meant) ? meant : didYouMean(meant, Object.keys(words))
    if (known === undefined) throw new SyntaxError(`${word} is no value.`)
    return words[known]
  }

  #object(): object {
    const fields: [string, unknown][] = []
    while (this.#take(/[\s,]*(?:\}|$)/y) === undefined) {
      this.#take(/[\s,]*/y)
      const name = this.#string() ?? this.#take(/\s*[\w$-]+/y)?.trim()
      if (name === undefined || this.#take(/\s*[:=]/y) === undefined) {
        throw new SyntaxError('A name or a colon is missing.')
      }
      fields.push([name, this.#value()])
    }
    return Object.fromEntries(fields)
  }

  #list(): unknown[] {
    const items: unknown[] = []
    while (this.#take(/[\s,]*\]/y) === undefined) {
      if (this.#take(/[\s,]*$/y) !== undefined) throw new SyntaxError('A list has no end.')
      this.#take(/[\s,]*/y)
      items.push(this.#value())
    }
    return items
  }

  /** Within single quotation marks, one that a name or a value does not end with is an apostrophe. */
  #string(): string | undefined {
    const double = this.#take(/\s*"(?:[^"\\]|\\.)*"/sy)
    if (double !== undefined) return JSON.parse(double)
    const single = this.#take(/\s*'(?:[^'\\]|\\.|'(?!\s*(?:[,:=}\]]|$)|\s+['"]))*'/sy)
    if (single === undefined) return undefined
    const inner = single.trim().slice(1, -1).replaceAll("\\'", "'")
    return JSON.parse(`"${inner.replace(/\\.|"/gs, (part) => (part === '"' ? '\\"' : part))}"`)
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [taken] = pattern.exec(this.#text) ?? []
    this.#at += taken?.length ?? 0
    return taken
  }
}
