import { distance } from 'fastest-levenshtein'
import { formatCount, shortList } from './text.ts'

// A page with a Content-Security-Policy reports it when zod tries whether it may compile code. Each schema needs this file.
if ('document' in globalThis) {
  const config: object = Reflect.get(globalThis, '__zod_globalConfig') ?? {}
  Reflect.set(globalThis, '__zod_globalConfig', Object.assign(config, { jitless: true }))
}

/** The names and indexes that lead to a part of a value. */
export type Path = readonly PropertyKey[]

/** One thing that is wrong with a value. */
export interface Issue {
  /** Where it is in the value. Empty for the value as a whole */
  readonly path: Path
  /** What is wrong, such as `expected number, got "3"` */
  readonly text: string
  /** Whether there is no value at all */
  readonly isMissing?: true
  /** Whether it would be right, if another row or sandbox did not have it */
  readonly isTaken?: true
}

/** The package has the class several times: its bin and its factories are bundles. All of them set this mark. */
const mark: unique symbol = Symbol.for('understudy.UsageError')

/**
 * An error in using the simulator, not in using the API: a wrong option, name or file. It has getters, since Node prints
 * fields after the message.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  readonly #field: string | null
  readonly #reason: string
  readonly #details: readonly Issue[]

  constructor(
    message: string,
    field: string | null = null,
    reason: string = message,
    details: readonly Issue[] = [],
  ) {
    super(message)
    this.#field = field
    this.#reason = reason
    this.#details = details
  }

  /** The path of the wrong field, or of the first one, such as `steps[0].list`. Null for none */
  get field(): string | null {
    return this.#field
  }

  /** What is wrong, without what failed, if that is known. Otherwise the message */
  get reason(): string {
    return this.#reason
  }

  /** What is wrong with a value, if it is known: lines, those of its parts with their paths. At most 100. */
  get issues(): readonly string[] {
    return this.#details.map(formatIssue)
  }

  /** The same as data */
  get details(): readonly Issue[] {
    return this.#details
  }

  get [mark](): true {
    return true
  }
}

export function isUsageError(error: unknown): error is UsageError {
  return Object(error)[mark] === true
}

/** A limit is reached, such as that of sandboxes or fault rules. The admin API responds with 429. */
export class LimitError extends UsageError {}

/** A chosen value is taken by another row or sandbox. The admin API responds with 409. */
export class ConflictError extends UsageError {}

/** A check ends after this many issues. */
export const maxIssues = 100

/** @example countIssues(['id: …']) // '1 problem' */
export function countIssues({ length }: readonly Issue[]): string {
  return length < maxIssues ? formatCount(length, 'problem') : `at least ${maxIssues} problems`
}

/** Creates the error of a value with issues. @param details at least one. Each is a line of the message */
export function issuesError(message: string, details: readonly Issue[]): UsageError {
  const shown = (step: PropertyKey) => (typeof step === 'string' ? beginningOf(step) : step)
  const listed = details
    .slice(0, maxIssues)
    .map((issue) => ({ ...issue, path: issue.path.map(shown) }))
  const text = [message, ...listed.map((issue) => `  ${formatIssue(issue)}`)].join('\n')
  const Kind = listed.every(({ isTaken }) => isTaken) ? ConflictError : UsageError
  return new Kind(text, formatPath(listed[0]?.path ?? []) || null, text, listed)
}

/** As much of a name as is compared and shown: the time grows with its length. */
function beginningOf(name: string) {
  return name.slice(0, 100)
}

/** Finds the issues of items, in order. It stops at {@link maxIssues} issues: a message shows no more. */
export function findIssues<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => readonly Issue[],
): Issue[] {
  const issues: Issue[] = []
  items.some((item, index) => issues.push(...find(item, index)) >= maxIssues)
  return issues
}

export function issuesWithin(path: Path, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
}

/** @example formatIssue({ path: ['annotations', 3, 'scope'], text: 'expected …' }) // 'annotations[3].scope: expected …' */
export function formatIssue({ path, text }: Issue): string {
  return path.length === 0 ? text : `${formatPath(path)}: ${text}`
}

/** @example formatPath(['annotations', 3, 'scope']) // 'annotations[3].scope' */
export function formatPath(path: Path): string {
  return path.map(formatStep).join('').replace(/^\./, '')
}

/** A name that is no word, which a file can have, is quoted. */
function formatStep(step: PropertyKey) {
  if (typeof step === 'number') return `[${step}]`
  return /^[\w.$:-]{1,80}$/.test(String(step)) ? `.${String(step)}` : `[${inspectValue(step)}]`
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
  const hint = suggestion ? `. Did you mean ${suggestion}?` : ''
  const reason = `expected ${expected}, got ${inspectValue(actual)}${hint}`
  return new UsageError(`Failed to ${task}: ${reason}${hint ? '' : '.'}`, field, reason)
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

/** Refuses options of other names, without a schema: a page that only controls a server would load all of zod for it. */
export function refuseOthers(options: object, names: readonly string[], task: string): void {
  const unknown = Object.keys(options).filter((name) => !names.includes(name))
  const issues = unknown.map((name) => {
    const hint = suggestWord(name, names) || ` Allowed: ${names.join(', ')}`
    return { path: [name], text: `unknown field.${hint}` }
  })
  refuseIssues(issues, task)
}

/** The issues that a check throws; none if it passes. */
export function issuesOf(check: () => unknown): readonly Issue[] {
  try {
    check()
    return []
  } catch (error) {
    if (isUsageError(error)) return issuesIn(error)
    throw error
  }
}

/** The issues of an error. One about a single value is an issue itself. */
export function issuesIn(error: UsageError): readonly Issue[] {
  const { details, field, reason } = error
  if (details.length > 0) return details
  const path = field === null ? [] : [field]
  return [{ path, text: reason, ...(error instanceof ConflictError && { isTaken: true }) }]
}

/** How a message shows a value: as JSON of at most 80 characters, without the user and password of a URL. */
export function inspectValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  // JSON has no such number: a text such as 1e999 is read as infinite.
  if (typeof value === 'number') return String(value)
  const text = toJsonOrTag(value).replace(/:\/\/(?:\\.|[^/?#"\\])+@/g, '://…@')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/**
 * The JSON of an object of a class has its name: `URL "https://…"`. A value without a JSON form, such as a list that contains
 * itself, is shown as its tag: `[object Array]`, or as `Invalid Date`.
 */
function toJsonOrTag(value: unknown) {
  try {
    // Each part has a character at least.
    let left = 100
    const first = (_: string, part: unknown) => {
      if (part !== undefined && left-- <= 0) return undefined
      return Array.isArray(part) && part.length > 100 ? part.slice(0, 100) : part
    }
    const text = JSON.stringify(value, first) ?? 'null'
    const { name = '' } = Object.getPrototypeOf(Object(value))?.constructor ?? {}
    if (text === 'null') return String(value)
    return typeof value !== 'object' || /^(?:Object|Array|)$/.test(name) ? text : `${name} ${text}`
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** @throws UsageError for an argument of a list, which looks like a filter, and is none */
export function refuseFilter(rows: string, others: readonly unknown[], otherCure = ''): void {
  if (others[0] === undefined) return
  const cure = `Filter the list that it returns${otherCure}.`
  const got = inspectValue(others[0])
  throw new UsageError(`Failed to list ${rows}: expected no argument, got ${got}. ${cure}`)
}

/** Formats names for a message. @example listWords(['all', 'old']) // '"all", "old"'; of 14, the first 12 "… and 2 more" */
export function listWords(words: readonly unknown[]): string {
  return shortList(words.map(inspectValue), 12, (rest) => `… and ${rest} more`).join(', ')
}

/** Formats a suggestion for the end of a message. @returns an empty text if no allowed word is similar */
export function suggestWord(word: string, allowed: readonly string[]): string {
  const suggestion = didYouMean(word, allowed)
  return suggestion === undefined ? '' : ` Did you mean ${inspectValue(suggestion)}?`
}

/**
 * Finds the allowed word that a misspelled one was probably meant to be.
 *
 * @param maxDistance how many letters may differ; by default half of the longer word
 * @returns undefined if no allowed word is similar, or if the word itself is allowed
 */
export function didYouMean(
  written: string,
  allowed: readonly string[],
  maxDistance?: number,
): string | undefined {
  if (allowed.includes(written)) return undefined
  const word = beginningOf(written)
  // A word that differs in a number only means something else: 409 is not a misspelt 403.
  const withoutNumbers = (text: string) => text.replace(/\d+/g, '0')
  const isOther = (other: string) => withoutNumbers(other) !== withoutNumbers(word)
  // A beginning is meant rather than a word with as few other letters: delay is delay_ms, not detail.
  const isBegun = (other: string) => word.length >= 4 && other.startsWith(word) && isOther(other)
  const begun = allowed.filter(isBegun)
  if (begun.length === 1) return begun[0]
  // To compare lengths is quick: a body can have thousands of words.
  const isNear = ({ length }: string) => Math.abs(length - word.length) <= (maxDistance ?? length)
  const candidates = allowed.filter((other) => isNear(other) && isOther(other))
  if (candidates.length === 0) return undefined
  const nearest = candidates.reduce((best, other) =>
    distance(word, other) < distance(word, best) ? other : best,
  )
  // Any short word is part of a long one: nonsense is not a misspelt none.
  if (word.length >= 2 * nearest.length) return undefined
  const limit = maxDistance ?? Math.max(word.length, nearest.length) / 2
  return distance(word, nearest) <= limit ? nearest : undefined
}

/** @param task completes "Failed to …" @throws UsageError for issues. A single one is in its line */
export function refuseIssues(issues: readonly Issue[], task: string): void {
  const [issue] = issues
  if (!issue) return
  if (issues.length > 1) throw issuesError(`Failed to ${task}.`, issues)
  const sentence = formatIssue(issue).replace(/(?<![?.])$/, '.')
  const field = formatPath(issue.path) || null
  throw new UsageError(`Failed to ${task}: ${sentence}`, field, issue.text, [issue])
}
