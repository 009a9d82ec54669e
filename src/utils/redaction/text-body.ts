import { tryParseJson } from '../json.ts'

/** A text body and its parsed JSON. The text is parsed once, on first use. */
export class TextBody {
  readonly text: string
  readonly isForm: boolean
  #json: { readonly value: unknown } | null | undefined
  #isLossless: boolean | undefined

  /** @param json the parsed text, if it is already known */
  constructor(text: string, isForm: boolean, json?: { readonly value: unknown }) {
    this.text = text
    this.isForm = isForm
    this.#json = json
  }

  /** The parsed JSON, wrapped; undefined if the text is not valid JSON. */
  get json(): { readonly value: unknown } | undefined {
    if (this.#json === undefined) this.#json = tryParseJson(this.text) ?? null
    return this.#json ?? undefined
  }

  /**
   * Whether the parsed JSON holds everything that the text says. It does not if an object repeats a name: then all
   * values but the last are lost.
   */
  get isLossless(): boolean {
    this.#isLossless ??= hasUniqueNames(this.text, this.json?.value)
    return this.#isLossless
  }
}

function hasUniqueNames(text: string, value: unknown): boolean {
  const parsed = countParsedNames(value)
  // Every name is followed by `":`, unless there is white space before a colon. If `":` occurs once per parsed name,
  // then no name is repeated.
  const isQuickCount = !spacedColons.some((characters) => text.includes(characters))
  return (
    (isQuickCount && countOccurrences('":', text) === parsed) || countWrittenNames(text) === parsed
  )
}

/** A colon after each white space character of JSON. */
const spacedColons = [' :', '\t:', '\r:', '\n:']

function countOccurrences(characters: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(characters); at >= 0; at = text.indexOf(characters, at + 1)) count += 1
  return count
}

function countWrittenNames(text: string): number {
  let count = 0
  for (let start = text.indexOf('"'); start >= 0; ) {
    let end = text.indexOf('"', start + 1)
    while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
    if (end < 0) return count
    let next = end + 1
    while (/\s/.test(text[next] ?? '')) next += 1
    if (text[next] === ':') count += 1
    start = text.indexOf('"', next)
  }
  return count
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first -= 1
  return (at - first) % 2 === 1
}

function countParsedNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  for (const child of Object.values(value)) {
    count += Array.isArray(value) ? countParsedNames(child) : 1 + countParsedNames(child)
  }
  return count
}
