import * as z from 'zod'
import { queryString } from '../../http/messages.ts'
import { type Difference, diffValues, formatLengths } from '../../utils/diff.ts'
import { inspectValue, listWords, maxIssues, suggestWord, UsageError } from '../../utils/errors.ts'
import { parseQuery } from '../../utils/query.ts'
import type { KeyRedactor } from '../../utils/redaction/redactor.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { formatCount } from '../../utils/text.ts'
import { expectedTexts, sentFields } from '../request-pattern.ts'
import type { State } from '../state.ts'
import { filterRecords, matchesStatus, requestFilterFields } from './filter.ts'
import type { JournalRecord } from './journal.ts'
import type { KeyLabels } from './key-labels.ts'
import { decodeRequestBody, maskPath } from './messages.ts'
import { adviseWaiting, nearestTo } from './written-entry.ts'

const countSchema = z.int().min(0).optional()

const { operation, key, status } = requestFilterFields

const expectationSchema = z.strictObject({
  operation,
  ...sentFields,
  /** The label or the value of a key */
  key,
  status,
  /** The exact number of requests. Excludes `at_least` and `at_most` */
  count: countSchema,
  at_least: countSchema,
  at_most: countSchema,
})

/** An expected request, and how often: by default at least once. Only the fields that are set are compared. */
export interface Expectation extends z.infer<typeof expectationSchema> {}

/** @throws UsageError for an invalid expectation */
export function parseExpectation(expectation: unknown): Expectation {
  const parsed = parseOptions(expectationSchema, expectation, 'verify')
  const { count, at_least, at_most } = parsed
  if (count !== undefined && (at_least !== undefined || at_most !== undefined)) {
    const message = 'Failed to verify: count cannot be combined with at_least or at_most.'
    throw new UsageError(message, 'count')
  }
  if (at_least !== undefined && at_most !== undefined && at_least > at_most) {
    const message = `Failed to verify: at_least (${at_least}) is greater than at_most (${at_most}).`
    throw new UsageError(message, 'at_least')
  }
  return parsed
}

/**
 * Rejects a key that neither the world nor any request has. A misspelt key would never be found, and `count: 0` would
 * pass.
 *
 * @throws UsageError whose message lists the labels
 */
function rejectUnknownKey(key: string, records: readonly JournalRecord[], keys: KeyLabels) {
  if (keys.has(key) || records.some((record) => keys.isSentWith(record, key))) return
  const labels = keys.list()
  const choices = labels.length > 0 ? ` The labels are ${listWords(labels)}.` : ''
  throw new UsageError(
    `Failed to verify: no key has the label or the value ${inspectValue(key)}, and no request was sent with it.${suggestWord(key, labels)}${choices}`,
    'key',
  )
}

/** The result of `journal.verify`. */
export interface VerifyResult {
  /** Whether the expectation is met */
  readonly passed: boolean
  /** The number of matching requests */
  readonly found: number
  /** If the expectation is not met: the closest requests, the closest first */
  readonly nearest: readonly NearMiss[]
  readonly message: string
}

/** A request compared with the expected one. */
export interface NearMiss {
  /** The id of the journal entry */
  readonly entry: number
  /** A line for each of the first differences. Empty for a match, if there were too many of them */
  readonly differences: readonly string[]
}

/**
 * Compares the requests in a journal with an expectation.
 *
 * @param waiting which requests have no response yet, in sentences
 * @throws UsageError for an invalid expectation, and for an unknown key
 */
export function verify(
  requested: Expectation,
  { journal, labels: keys }: Pick<State, 'journal' | 'labels'>,
  waiting: readonly string[],
): VerifyResult {
  const expectation = parseExpectation(requested)
  const records = filterRecords(journal.records, {}, keys)
  if (expectation.key !== undefined) rejectUnknownKey(expectation.key, records, keys)
  const { operation } = expectation
  const compare = comparerOf(expectation, keys)
  const compared = records.map((record) => {
    // Another operation outweighs all other differences.
    const isOther = operation !== undefined && record.operation !== operation
    return { record, distance: compare(record).length + (isOther ? 1_000 : 0) }
  })
  const matches = compared.filter(({ distance }) => distance === 0)
  const { least, most, text } = countBounds(expectation)
  const passed = matches.length >= least && matches.length <= most
  if (passed && expectation.status !== undefined) {
    for (const { record } of matches) if (isRefusal(record)) journal.askedFor.set(record.id, true)
  }
  const expected = `${describeExpected(expectation, keys)} ${text}`
  const found = matches.length
  const outcome = `expected ${expected}, found ${found}`
  const evicted = journal.cut && ` ${journal.cut}`
  if (passed) return { passed, found, nearest: [], message: `Verified: ${outcome}.${evicted}` }
  const misses = compared
    .filter(({ distance }) => distance > 0)
    .sort((a, b) => a.distance - b.distance || b.record.id - a.record.id)
  const near = matches.length > most ? matches : misses
  const nearest = near.slice(0, 3).map(({ record }) => {
    return { entry: record.id, differences: compare(record).map((describe) => describe()) }
  })
  const [first] = nearest
  const differences = first?.differences.length ? ` (${first.differences.join('; ')})` : ''
  const hint = first ? ` Nearest: entry ${first.entry}${differences}.` : ''
  const total = formatCount(records.length, 'request')
  const message = `Failed to verify: ${outcome} in ${total}.${evicted}${hint}`
  return { passed, found, nearest, message: [message, ...adviseWaiting(waiting)].join(' ') }
}

/** A 429 asks to wait, whoever expects it. */
function isRefusal({ response: { status } }: JournalRecord) {
  return status >= 400 && status < 500 && status !== 429
}

function countBounds({ count, at_least, at_most }: Expectation) {
  if (count !== undefined) return { least: count, most: count, text: `exactly ${times(count)}` }
  const least = at_least ?? (at_most === undefined ? 1 : 0)
  const most = at_most ?? Number.POSITIVE_INFINITY
  const parts = [
    least > 0 && `at least ${times(least)}`,
    at_most !== undefined && `at most ${times(at_most)}`,
  ]
  return { least, most, text: parts.filter(Boolean).join(' and ') || 'any number of times' }
}

function times(count: number) {
  return count === 1 ? 'once' : `${count} times`
}

export function describeExpectation(expectation: Expectation): string {
  return `${describeExpected(expectation)} ${countBounds(expectation).text}`
}

function describeExpected(expectation: Expectation, keys?: KeyLabels) {
  const { operation, query, body, key, status } = expectation
  const request = operation ?? 'a request'
  const inspect = (value: unknown) => keys?.redactor.inspect(value) ?? inspectValue(value)
  const details = [
    query !== undefined && `query ${inspect(query)}`,
    body !== undefined && `body ${inspect(body)}`,
    key !== undefined && `key ${inspectValue(keys?.show(key) ?? key)}`,
    status !== undefined && `status ${status}`,
  ].filter(Boolean)
  return details.length === 0 ? request : `${request} with ${details.join(', ')}`
}

/** Returns what compares a request, and describes its first differences if shown. */
function comparerOf({ operation, query, key, status, ...sent }: Expectation, keys: KeyLabels) {
  // As a client sends it: a Date as its text, and without what is undefined.
  const body = sent.body === undefined ? undefined : JSON.parse(JSON.stringify(sent.body) ?? 'null')
  const options = { most: maxIssues, names: new WeakMap() }
  const texts = query && expectedTexts(query)
  return (record: JournalRecord): readonly (() => string)[] => {
    const differences: (() => string)[] = []
    const addAll = (part: string, found: readonly Difference[]) => {
      for (const difference of found)
        differences.push(() => part + formatDifference(difference, keys.redactor))
    }
    if (operation !== undefined && record.operation !== operation) {
      const actual = () => record.operation ?? describeUnknown(record, keys)
      differences.push(() => `operation: expected ${operation}, got ${actual()}`)
    }
    if (key !== undefined && !keys.isSentWith(record, key)) {
      const name = keys.nameOf(record)
      const got = name === null ? 'no key' : inspectValue(name)
      differences.push(() => `key: expected ${inspectValue(keys.show(key))}, got ${got}`)
    }
    if (status !== undefined && !matchesStatus(record.response.status, status))
      differences.push(() => `status: expected ${status}, got ${record.response.status}`)
    if (texts)
      addAll(
        'query',
        diffValues(texts, Object.fromEntries(parseQuery(queryString(record.target))), options),
      )
    if (body === undefined) return differences
    const actual = decodeRequestBody(record)
    if ('value' in actual) addAll('body', diffValues(body, actual.value, options))
    else {
      const got = `${actual.omitted} bytes, too many for the journal`
      differences.push(() => `body: expected ${keys.redactor.inspect(body)}, got ${got}`)
    }
    return differences
  }
}

function describeUnknown(record: JournalRecord, { redactor }: KeyLabels) {
  const text = `none: ${record.method} ${maskPath(record.target, redactor)} is unknown`
  const [suggestion] = nearestTo(record, redactor)
  return suggestion ? `${text} (closest: ${suggestion.route}, ${suggestion.difference})` : text
}

/** `.content: expected "Launch", got "Lunch"`. */
function formatDifference(difference: Difference, redactor: KeyRedactor) {
  const { path, expected, got, inLength } = difference
  const inspect = (value: unknown) => redactor.inspect(value, path)
  const location = path
    .map((step) => {
      const isName = typeof step === 'string' && step.length < 1_000
      return isName ? `.${redactor.text(step)}` : `[${redactor.inspect(step)}]`
    })
    .join('')
  const shown = inLength
    ? formatLengths(difference, inspect)
    : { expected: inspect(expected), got: inspect(got) }
  return `${location}: expected ${shown.expected}, got ${shown.got}`
}
