import { tryParseJson } from '../json.ts'

/** A body that is a text, and what it says: it is read once, however often it is looked through. */
export class TextBody {
  readonly text: string
  readonly isForm: boolean
  #json: { readonly value: unknown } | null | undefined
  #isPlain: boolean | undefined

  /** @param json what it says, where that is known */
  constructor(text: string, isForm: boolean, json?: { readonly value: unknown }) {
    this.text = text
    this.isForm = isForm
    this.#json = json
  }

  /** What it is as JSON; undefined for what is none */
  get json(): { readonly value: unknown } | undefined {
    if (this.#json === undefined) this.#json = tryParseJson(this.text) ?? null
    return this.#json ?? undefined
  }

  /** Whether its JSON is all that it says: of a name that stands twice in an object, only one value was read. */
  get isLossless(): boolean {
    this.#isPlain ??= hasUniqueNames(this.text, this.json?.value)
    return this.#isPlain
  }
}

function hasUniqueNames(text: string, value: unknown): boolean {
  const read = countParsedNames(value)
  // A written name ends in `":` where no space stands before a colon: as many of these as were read are all there are.
  const isClear =
    !spacedColons.some((signs) => text.includes(signs)) && countOccurrences('":', text) === read
  return isClear || countWrittenNames(text) === read
}

/** A colon behind each space of JSON. */
const spacedColons = [' :', '\t:', '\r:', '\n:']

function countOccurrences(signs: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(signs); at >= 0; at = text.indexOf(signs, at + 1)) count += 1
  return count
}

/** How many names stand in a JSON text: strings before a colon. */
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
  for (const inner of Object.values(value)) {
    count += Array.isArray(value) ? countParsedNames(inner) : 1 + countParsedNames(inner)
  }
  return count
}
