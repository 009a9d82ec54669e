import { type Difference, diffValues } from '../../utils/diff.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import type { CountedExpectation, Expectation, ExpectedRequest } from './expectation.ts'
import { matchesStatus } from './filter.ts'
import type { KeyRedactor } from './key-redactor.ts'
import type { JournalRecord } from './record.ts'
import { decodeRequestBody } from './render-message.ts'
import { documentedOperation, type Renderer } from './renderer.ts'

/** Whether what was expected came. */
export interface VerifyResult {
  readonly held: boolean
  /** How many requests are as expected; of requests in order, how many of these came in it */
  readonly found: number
  /** Where it did not hold: those that came nearest, the nearest first */
  readonly nearest: readonly NearMiss[]
  readonly message: string
}

/** What is looked through: in the order in which the requests came. */
interface SearchedJournal {
  readonly records: readonly JournalRecord[]
  readonly renderer: Renderer
  /** How many are no longer kept. */
  readonly evictedCount: number
}

/** Compares what was asked with what was expected. */
export function verify(expectation: Expectation, journalled: SearchedJournal): VerifyResult {
  if ('in_order' in expectation) return verifyInOrder(expectation.in_order, journalled)
  const { records, renderer } = journalled
  const misses = records.map((record) => compareRequest(record, expectation, renderer))
  const met = misses.filter((miss) => miss.differences.length === 0)
  const { least, most, words } = countBounds(expectation)
  const held = met.length >= least && met.length <= most
  const nearest = met.length > most ? met.slice(0, maxNearMisses) : nearestMisses(misses)
  const task = `${describe(expectation, renderer)} ${words}`
  return toResult(held, met.length, nearest, `expected ${task}, found ${met.length}`, journalled)
}

/** Each from the first request on that comes after the one before. */
function verifyInOrder(
  expected: readonly ExpectedRequest[],
  journalled: SearchedJournal,
): VerifyResult {
  const { records, renderer } = journalled
  const used = new Set<number>()
  let from = 0
  for (const [step, request] of expected.entries()) {
    const misses = records.map((record) => compareRequest(record, request, renderer))
    const index = misses.findIndex((miss, at) => at >= from && miss.differences.length === 0)
    if (index >= 0) {
      used.add(index)
      from = index + 1
      continue
    }
    const before = records[from - 1]?.id
    const early = misses
      .slice(0, from)
      .filter((miss, at) => miss.differences.length === 0 && !used.has(at))
    const difference = `order: expected after entry ${before}, came before it`
    const late = nearestMisses(misses.slice(from))
    const nearest = [
      ...early.map(({ entry }) => ({ entry, differences: [difference] })),
      ...late,
    ].slice(0, maxNearMisses)
    const place = before === undefined ? '' : ` after entry ${before}`
    const task = `step ${step + 1} of ${expected.length}, ${describe(request, renderer)}`
    return toResult(false, step, nearest, `expected ${task}${place}, found none`, journalled)
  }
  const all = `${expected.length} requests in order`
  return toResult(true, expected.length, [], `expected ${all}, found them`, journalled)
}

function countBounds({ count, at_least, at_most }: CountedExpectation): {
  least: number
  most: number
  words: string
} {
  if (count !== undefined) return { least: count, most: count, words: `exactly ${times(count)}` }
  const least = at_least ?? (at_most === undefined ? 1 : 0)
  const most = at_most ?? Number.POSITIVE_INFINITY
  const words = [
    ...(least > 0 ? [`at least ${times(least)}`] : []),
    ...(at_most === undefined ? [] : [`at most ${times(at_most)}`]),
  ]
  return { least, most, words: words.join(' and ') || 'any number of times' }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function describe({ operation, body, key, status }: ExpectedRequest, renderer: Renderer): string {
  const parts = [
    operation ?? 'a request',
    ...(body === undefined ? [] : [`with ${inspectValue(renderer.redactor.part(body, []))}`]),
    ...(key === undefined ? [] : [`by ${renderer.displayKey(key)}`]),
    ...(status === undefined ? [] : [`answered ${status}`]),
  ]
  return parts.join(' ')
}

function toResult(
  held: boolean,
  found: number,
  nearest: readonly NearMiss[],
  outcome: string,
  { records, evictedCount }: SearchedJournal,
): VerifyResult {
  const lost =
    evictedCount === 0 ? '' : ` Of the requests before, ${evictedCount} are no longer kept.`
  if (held) return { held, found, nearest: [], message: `Verified: ${outcome}.${lost}` }
  const [first] = nearest
  const hint = first ? ` Nearest: entry ${first.entry}${reasons(first)}.` : ''
  const message = `Failed to verify: ${outcome} among ${records.length} requests.${lost}${hint}`
  return { held, found, nearest, message }
}

function reasons({ differences: lines }: NearMiss): string {
  return lines.length === 0 ? '' : ` (${lines.join('; ')})`
}

/** A request beside what was expected. */
export interface NearMiss {
  /** The id of the entry */
  readonly entry: number
  /** A line for each; empty for a request as expected, where there were too many */
  readonly differences: readonly string[]
}

/** How many near misses are told. */
const maxNearMisses = 3

/** How a request differs from what was expected. */
function compareRequest(
  record: JournalRecord,
  expected: ExpectedRequest,
  renderer: Renderer,
): NearMiss {
  return {
    entry: record.id,
    differences: [
      ...headDifferences(record, expected, renderer),
      ...bodyDifferences(record, expected, renderer),
    ],
  }
}

function headDifferences(
  record: JournalRecord,
  { operation, key, status }: ExpectedRequest,
  renderer: Renderer,
): string[] {
  const found: string[] = []
  if (operation !== undefined && record.operation !== operation) {
    found.push(
      `operation: expected ${operation}, got ${documentedOperation(record) ?? describeUnmatched(record, renderer)}`,
    )
  }
  if (key !== undefined && !renderer.hasKey(record, key)) {
    const got = renderer.key(record)
    found.push(
      `key: expected ${renderer.displayKey(key)}, got ${got?.label ?? got?.value ?? 'none'}`,
    )
  }
  if (status !== undefined && !matchesStatus(record.response.status, status)) {
    found.push(`status: expected ${status}, got ${record.response.status}`)
  }
  return found
}

/** No operation, and which was probably meant. */
function describeUnmatched(record: JournalRecord, renderer: Renderer): string {
  const [near] = renderer.nearest(record)
  if (!near) return 'none'
  const asked = `${record.method} ${renderer.redactor.path(record.target.split('?')[0] as string)}`
  return `none; nearest to ${asked} is ${near.route}, ${near.differs}`
}

function bodyDifferences(
  record: JournalRecord,
  { body: expected }: ExpectedRequest,
  renderer: Renderer,
): string[] {
  if (expected === undefined) return []
  const { redactor } = renderer
  const got = decodeRequestBody(record)
  if ('value' in got) return differenceLines(expected, got.value, 'body', redactor)
  const wanted = inspectValue(redactor.part(expected, []))
  return [`body: expected ${wanted}, got ${got.omitted} bytes that were not kept`]
}

/** Those with the fewest differences first. */
function nearestMisses(misses: readonly NearMiss[]): NearMiss[] {
  return misses
    .filter((miss) => miss.differences.length > 0)
    .sort((a, b) => missDistance(a) - missDistance(b) || b.entry - a.entry)
    .slice(0, maxNearMisses)
}

/** Another operation is further away than any number of other fields. */
function missDistance({ differences: lines }: NearMiss): number {
  return lines.length + (lines[0]?.startsWith('operation:') ? 1_000 : 0)
}

/**
 * Where a value differs from what was expected of it, a line for each place. Objects may have more fields than
 * expected, lists may not have more items. Values are compared as they are, and told without keys.
 *
 * @example differences({ content: 'Launch' }, { content: 'Lunch', scope: 'project' }, 'body', redactor)
 * // ['body.content: expected "Launch", got "Lunch"']
 */
function differenceLines(
  expected: unknown,
  got: unknown,
  path: string,
  redactor: KeyRedactor,
): string[] {
  return diffValues(expected, got).map(
    (difference) => `${path}${formatDifference(difference, redactor)}`,
  )
}

function formatDifference(
  { path, expected, got, inLength }: Difference,
  redactor: KeyRedactor,
): string {
  const place = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${redactor.text(step)}`,
  )
  if (!inLength) {
    const [wanted, found] = [redactor.part(expected, path), redactor.part(got, path)]
    return `${place.join('')}: expected ${inspectValue(wanted)}, got ${inspectValue(found)}`
  }
  const [wanted, found] = [expected, got] as [readonly unknown[], readonly unknown[]]
  return `${place.join('')}: expected ${wanted.length} items, got ${found.length}`
}
