import type { ClockEdit, EditLog, PlacedEdit } from '../history/edits.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalRecord } from '../journal/record.ts'
import { type PlacedStep, toEditSteps } from './edit-steps.ts'
import type { RecordOptions } from './record-options.ts'

/** A request of a journal, and its position there. */
interface PlacedRecord {
  readonly record: JournalRecord
  readonly position: number
}

/** The part of a journal that is recorded: the requests, and what was done besides from its beginning to the last of them. */
export interface JournalSpan {
  readonly records: readonly PlacedRecord[]
  readonly steps: readonly PlacedStep[]
  /** The first change of the clock within it */
  readonly firstMove: ClockEdit | undefined
  /** What of it is not in it, in whole sentences */
  readonly warnings: readonly string[]
}

/** Whose journal it is. */
interface JournalAndEdits {
  readonly journal: Journal
  readonly edits: EditLog
}

/** @param chosen those of some records that are asked for */
export function selectSpan(
  { journal, edits }: JournalAndEdits,
  { after = 0, entries, world }: RecordOptions,
  chosen: (all: readonly JournalRecord[]) => readonly JournalRecord[],
): JournalSpan {
  const all = journal.records.map((record, index, { length }) => {
    return { record, position: journal.position - length + index }
  })
  const wanted = new Set(chosen(journal.records))
  const records = all.filter(
    ({ record }) =>
      wanted.has(record) && record.id > after && (entries?.includes(record.id) ?? true),
  )
  const begins = entries ? records[0] : all.find(({ record }) => record.id > after)
  const [from, until] = [begins?.position ?? 0, records.at(-1)?.position ?? 0]
  const within = edits.list().filter(({ position }) => position >= from && position <= until)
  const isWhole = from === 0 || world !== undefined
  const { steps, warnings } = toEditSteps(within, from, isWhole ? edits.initialTables : null)
  return {
    records,
    steps,
    firstMove: within.map(({ edit }) => edit).find((edit) => 'to' in edit),
    warnings: [
      ...warnAboutLostRequests(all, after, journal.evictedCount),
      ...warnAboutLostEdits(edits.list(), from, edits.evictedCount),
      ...warnings,
    ],
  }
}

/** Nothing is left out without a word. */
function warnAboutLostRequests(
  all: readonly PlacedRecord[],
  after: number,
  forgotten: number,
): string[] {
  const first = all.reduce(
    (least, { record }) => Math.min(least, record.id),
    Number.POSITIVE_INFINITY,
  )
  if (forgotten === 0 || all.length === 0 || first <= after + 1) return []
  return [
    `The journal no longer keeps the requests before entry ${first}: they are not in it. A larger journal keeps more: ` +
      'createSimulator({ journal: { entries, bytes } }).',
  ]
}

function warnAboutLostEdits(
  [first]: readonly PlacedEdit[],
  from: number,
  forgotten: number,
): string[] {
  if (forgotten === 0 || (first && first.position < from)) return []
  const [what, it] =
    forgotten === 1
      ? ['1 change of the world that was made without a request is', 'it is']
      : [`${forgotten} changes of the world that were made without a request are`, 'they are']
  return [`${what} no longer kept: ${it} not in it. Record before there are so many.`]
}
