import { distance } from 'fastest-levenshtein'

/** The names and indexes that lead to a part of a value. */
export type Path = readonly PropertyKey[]

/** One thing that is wrong with a value. */
export interface Issue {
  /** Where it is in the value. Empty for the value as a whole */
  readonly path: Path
  /** What is wrong, such as `expected a number, got "3"` */
  readonly text: string
  readonly kind?: 'missing' | 'unknown'
  /** The end of the text that lists the allowed names. A message has it once for all rows. */
  readonly allowed?: string
  /** What the value as a whole is called */
  readonly root?: string
  /** Its line in a file in which rows are lines, from 1 */
  readonly line?: number
}

/**
 * An error in using the simulator, not in using the API: a wrong option, name or file. Its message says what failed,
 * what was expected, what was received, and what to do.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  /** If several values are wrong: one line for each, which begins with its path. At most 10,000. */
  readonly issues: readonly string[] = []
  /** The same as data */
  readonly details: readonly Issue[] = []
  /** The path of the wrong field, such as `steps[0].list`; null if no single field is wrong. */
  readonly field: string | null
  /** What is wrong, without what failed: the text of an issue */
  readonly reason: string

  constructor(message: string, field: string | null = null, reason: string = message) {
    super(message)
    this.field = field
    this.reason = reason
  }
}

/** A limit is reached: no more sandboxes, snapshots or fault rules can be added. The control API responds with 429. */
export class LimitError extends UsageError {}

/**
 * Runs a function that reads one field of a larger value. If it throws a UsageError, the name of that field is put in
 * front of the error's own field.
 */
export function withFieldPrefix<T>(field: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw Object.assign(error, { field: [field, error.field].filter(Boolean).join('.') })
  }
}

/**
 * Creates a UsageError about one value.
 *
 * @param task completes "Failed to …"
 * @param suggestion the allowed word that was probably meant
 * @param field the path of the value, such as `clock.mode`
 */
export function unexpectedValue(
  task: string,
  expected: string,
  actual: unknown,
  suggestion?: string,
  field: string | null = null,
): UsageError {
  return failedTo(task, `expected ${expected}, got ${inspectValue(actual)}`, suggestion, field)
}

function failedTo(
  task: string,
  wrong: string,
  suggestion: string | undefined,
  field: string | null,
): UsageError {
  const [reason, end] =
    suggestion === undefined ? [wrong, '.'] : [`${wrong}. Did you mean ${suggestion}?`, '']
  return new UsageError(`Failed to ${task}: ${reason}${end}`, field, reason)
}

/** Formats a suggestion for the end of a message. @returns an empty text if no allowed word is similar */
export function suggestWord(word: string, allowed: readonly string[]): string {
  const suggestion = didYouMean(word, allowed)
  return suggestion === undefined ? '' : ` Did you mean ${inspectValue(suggestion)}?`
}

/** How many names a message lists. */
const maxListedWords = 12

/** Formats names for a message. @example listWords(['all', 'old']) // '"all", "old"'; of 14, the first 12 "… and 2 more" */
export function listWords(words: readonly string[]): string {
  const rest = words.length - maxListedWords
  const texts = words.slice(0, maxListedWords).map(inspectValue)
  return [...texts, ...(rest > 0 ? [`… and ${rest} more`] : [])].join(', ')
}

/** Creates a UsageError about a value that is not an allowed word. It suggests the word that was probably meant. */
export function unknownWord(
  task: string,
  allowed: readonly string[],
  actual: unknown,
  field: string | null = null,
  expected: string = `one of ${allowed.join(', ')}`,
): UsageError {
  return unexpectedValue(task, expected, actual, didYouMean(String(actual), allowed), field)
}

export function inspectValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  // JSON has no such number: a text such as 1e999 is read as infinite.
  if (typeof value === 'number') return String(value)
  const text = toJsonOrTag(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** A value without a JSON form, such as a list that contains itself, is shown as its tag: `[object Array]`. */
function toJsonOrTag(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** The names of all options: the compiler requires every one. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/** Rejects a value that is not an object, and an object with an unknown field, which is the field of the error. */
export function rejectUnknownFields(value: object, fields: readonly string[], task: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unexpectedValue(task, 'an object with options', value)
  }
  const unknown = Object.keys(value).find((name) => !fields.includes(name))
  if (unknown === undefined) return
  const suggestion = didYouMean(unknown, fields)
  const options =
    fields.length === 0 ? 'There are no options' : `The options are ${fields.join(', ')}`
  const wrong = `unknown option ${inspectValue(unknown)}`
  if (suggestion === undefined) throw failedTo(task, `${wrong}. ${options}`, undefined, unknown)
  throw failedTo(task, wrong, inspectValue(suggestion), unknown)
}

/**
 * Finds the allowed word that a misspelled one was probably meant to be.
 *
 * @param maxDistance how many letters may differ; by default half of the longer word
 * @returns undefined if no allowed word is similar, or if the word itself is allowed
 */
export function didYouMean(
  word: string,
  allowed: readonly string[],
  maxDistance?: number,
): string | undefined {
  if (allowed.includes(word)) return undefined
  // A word that differs in a number only means something else: 409 is not a misspelt 403.
  const candidates = allowed.filter((other) => withoutNumbers(other) !== withoutNumbers(word))
  if (candidates.length === 0) return undefined
  const nearest = candidates.reduce((best, other) =>
    distance(word, other) < distance(word, best) ? other : best,
  )
  // Any short word is part of a long one: nonsense is not a misspelt none.
  if (word.length >= 2 * nearest.length) return undefined
  const limit = maxDistance ?? Math.max(word.length, nearest.length) / 2
  return distance(word, nearest) <= limit ? nearest : undefined
}

function withoutNumbers(word: string): string {
  return word.replace(/\d+/g, '0')
}
