import { parsedJson } from '../parsed-json.ts'

/** A body that is a text, and what it says: it is read once, however often it is looked through. */
export class ReadBody {
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
    if (this.#json === undefined) this.#json = parsedJson(this.text) ?? null
    return this.#json ?? undefined
  }

  /** Whether its JSON is all that it says: of a name that stands twice in an object, only one value was read. */
  get isPlain(): boolean {
    this.#isPlain ??= isPlain(this.text, this.json?.value)
    return this.#isPlain
  }
}

function isPlain(text: string, value: unknown): boolean {
  const read = namesRead(value)
  // A written name ends in `":` where no space stands before a colon: as many of these as were read are all there are.
  const isClear = !spaced.some((signs) => text.includes(signs)) && countOf('":', text) === read
  return isClear || namesWritten(text) === read
}

/** A colon behind each space of JSON. */
const spaced = [' :', '\t:', '\r:', '\n:']

function countOf(signs: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(signs); at >= 0; at = text.indexOf(signs, at + 1)) count += 1
  return count
}

/** How many names stand in a JSON text: strings before a colon. */
function namesWritten(text: string): number {
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

function namesRead(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  for (const inner of Object.values(value)) {
    count += Array.isArray(value) ? namesRead(inner) : 1 + namesRead(inner)
  }
  return count
}
