import { JsonParseError } from './json-error.ts'
import { errorAt } from './json-position.ts'
import { endOfScalar, endOfString } from './json-token.ts'

type Bracket = '{' | '['

const closing = { '{': '}', '[': ']' } as const

/**
 * Walks through a text as Python's JSON reader does and throws a {@link JsonParseError} at the first
 * thing that reader would refuse (observed §1). Keeps its own list of open brackets, so that no
 * depth of nesting overflows the stack.
 *
 * @example
 * checkJson('[1 2]') // JsonError: Expecting ',' delimiter: line 1 column 4 (char 3)
 */
export function checkJson(text: string): void {
  if (text.startsWith('\ufeff')) {
    throw errorAt(text, 0, 'Unexpected UTF-8 BOM (decode using utf-8-sig)')
  }

  const open: Bracket[] = []
  let next: number | undefined = skipSpace(text, 0)
  while (next !== undefined) {
    const end: number | undefined = scanValue(text, next, open)
    next = end === undefined ? firstValueStart(text, next, open) : nextValueStart(text, end, open)
  }
}

/** The end of the value that starts at `at`, or undefined when it is a list or object to go into. */
function scanValue(text: string, at: number, open: Bracket[]): number | undefined {
  const bracket = text[at]
  if (bracket !== '{' && bracket !== '[') return endOfScalar(text, at)

  const inside = skipSpace(text, at + 1)
  if (text[inside] === closing[bracket]) return inside + 1
  open.push(bracket)
  return undefined
}

/** Where the first value of a just opened list or object starts. */
function firstValueStart(text: string, bracketAt: number, open: Bracket[]): number {
  return valueStartAfterKey(text, skipSpace(text, bracketAt + 1), open)
}

/** Where the next value starts after one that ended at `end`; undefined at the end of the text. */
function nextValueStart(text: string, end: number, open: Bracket[]): number | undefined {
  let at = skipSpace(text, end)
  for (let inside = open.at(-1); inside !== undefined; inside = open.at(-1)) {
    if (text[at] === ',') return valueStartAfterKey(text, skipSpace(text, at + 1), open)
    if (text[at] !== closing[inside]) throw errorAt(text, at, "Expecting ',' delimiter")
    open.pop()
    at = skipSpace(text, at + 1)
  }
  if (at < text.length) throw errorAt(text, at, 'Extra data')
  return undefined
}

/** In an object, where the value starts whose key starts at `at`; in a list, `at` itself. */
function valueStartAfterKey(text: string, at: number, open: Bracket[]): number {
  if (open.at(-1) === '[') return at
  if (text[at] !== '"') {
    throw errorAt(text, at, 'Expecting property name enclosed in double quotes')
  }
  const colon = skipSpace(text, endOfString(text, at))
  if (text[colon] !== ':') throw errorAt(text, colon, "Expecting ':' delimiter")
  return skipSpace(text, colon + 1)
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}
