import type { AnnotationRow } from '../../world/rows.ts'
import { type JournalRecord, responseHead } from './journal.ts'
import { type DecisionSource, latestWrites, positionOf } from './past-request.ts'

/** How many earlier requests and writes are compared. */
const maxCompared = 1_000

/** A client that asks for the same page later than this polls for changes. In milliseconds. */
const pollInterval = 1_000

/**
 * Describes a success that repeats an earlier one, which is often a mistake: a client that follows only the path of
 * `next` gets the first page again, and one that compares times as text writes the same annotation again.
 *
 * @returns null for any other success
 */
export function describeRepetition(record: JournalRecord, source: DecisionSource): string | null {
  const { operation, target, policyReads } = record
  // Recordings and neighbours answer without reading policies.
  if (!policyReads) return null
  if (operation === 'createAnnotation') return describeTwin(record, source)
  const isFirstPage = operation?.startsWith('list') && !target.includes('?')
  return isFirstPage ? describeRepeatedPage(record, source) : null
}

function describeRepeatedPage(record: JournalRecord, source: DecisionSource): string | null {
  const [, next] = /"next":"[^"?]*(\?[^"]*)"/.exec(responseHead(record)) ?? []
  if (next === undefined) return null
  const earlier = source.journal.records.filter(({ id }) => id < record.id).slice(-maxCompared)
  const key = ({ requestHeaders }: JournalRecord) => requestHeaders.get('authorization')
  const previous = earlier.findLast((each) => key(each) === key(record))
  const isRepeated =
    previous?.target === record.target &&
    previous.method === record.method &&
    previous.response.status === record.response.status &&
    responseHead(previous).includes('"next":"') &&
    record.at - previous.at < pollInterval &&
    !isChangedBetween(previous, record, source)
  return isRepeated
    ? `the first page again, as in entry ${previous.id}; the next one has ${next}`
    : null
}

function isChangedBetween(one: JournalRecord, two: JournalRecord, source: DecisionSource): boolean {
  const [from, to] = [positionOf(one, source), positionOf(two, source)]
  for (const change of source.history.all.latest()) {
    const isWrite = !('to' in change)
    if (isWrite && change.position <= to) return change.position > from
  }
  return false
}

function describeTwin(record: JournalRecord, source: DecisionSource): string | null {
  const created = record.changes.find(({ list }) => list === 'annotations')?.after
  const { content, date_marker, project } = (created ?? {}) as Partial<AnnotationRow>
  if (!content) return null
  const position = positionOf(record, source)
  const seen = new Set<number>()
  let compared = 0
  for (const { list, before, after } of latestWrites(source.history, position)) {
    compared += 1
    if (compared > maxCompared) return null
    if (list !== 'annotations') continue
    const row = (after ?? before) as AnnotationRow
    const isLatest = after !== undefined && !seen.has(row.id) && !row.deleted
    seen.add(row.id)
    const isTwin =
      row.content === content && row.date_marker === date_marker && row.project === project
    if (isLatest && isTwin) return `the same content and date_marker as annotation ${row.id}`
  }
  return null
}
