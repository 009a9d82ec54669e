import { closest, distance } from 'fastest-levenshtein'

/**
 * A mistake in using the simulator (not in using the API): a bad option, name or file. Its message says
 * what failed, what was expected, what came, and what to do.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  /** Where there can be several at once: each fault with its path. */
  readonly issues: readonly string[]
  /** The field at fault, where it is one: its path, such as `steps[0].list`. */
  readonly field: string | null

  constructor(message: string, faults: readonly string[] = [], field: string | null = null) {
    super([message, ...faults.map((fault) => `  ${fault}`)].join('\n'))
    this.issues = faults
    this.field = field ?? /^([\w.[\]-]+):/.exec(faults[0] ?? '')?.[1] ?? null
  }
}

/** There are as many of something as there may be. */
export class LimitError extends UsageError {}

/**
 * Runs what reads one field of a larger value: the field of its mistakes begins with that field's name.
 *
 * @example within('clock', () => new Clock({ mode: 'still' })) // its error has the field clock.mode
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
 * A UsageError about one value.
 *
 * @param meant the allowed word that was probably meant
 * @param field where the value stood, such as `clock.mode`
 * @example unexpected('choose a profile', 'one of documented, live', 'lvie', 'live').message
 * // Failed to choose a profile: expected one of documented, live, got "lvie". Did you mean live?
 */
export function unexpectedValue(
  task: string,
  expected: string,
  got: unknown,
  meant?: string,
  field: string | null = null,
): UsageError {
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new UsageError(
    `Failed to ${task}: expected ${expected}, got ${inspectValue(got)}.${hint}`,
    [],
    field,
  )
}

/** The allowed word that was probably meant: the nearest one, if it is near at all. */
export function didYouMean(word: string, allowed: readonly string[]): string | undefined {
  if (allowed.length === 0) return undefined
  const found = closest(word, allowed)
  return distance(word, found) <= Math.max(word.length, found.length) / 2 ? found : undefined
}

/** The word that is misspelt by a letter or two; none for a word that is right, or may well be another. */
export function correctTypo(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || known.includes(word)) return undefined
  const found = closest(word, known)
  return distance(word, found) <= 2 ? found : undefined
}

/** A value as a message shows it: JSON, cut at 80 characters. */
export function inspectValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = toJsonOrTag(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** What cannot be written, a list within itself for one, by its kind. */
function toJsonOrTag(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/**
 * Rejects a value that is not an object, and an object with an unknown field.
 *
 * @param task completes the sentence "Failed to …"
 * @throws UsageError whose field is the unknown field
 * @example rejectUnknownFields({ sed: 1 }, ['seed'], 'fork the simulator')
 * // Failed to fork the simulator: unknown option "sed". Did you mean "seed"?
 */
export function rejectUnknownFields(value: object, fields: readonly string[], task: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unexpectedValue(task, 'an object with options', value)
  }
  const unknown = Object.keys(value).find((name) => !fields.includes(name))
  if (unknown === undefined) return
  const suggestion = didYouMean(unknown, fields)
  const hint =
    suggestion === undefined
      ? `The options are ${fields.join(', ')}.`
      : `Did you mean ${inspectValue(suggestion)}?`
  throw new UsageError(
    `Failed to ${task}: unknown option ${inspectValue(unknown)}. ${hint}`,
    [],
    unknown,
  )
}
