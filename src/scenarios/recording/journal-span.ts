import * as z from 'zod'
import type { ChangeHistory, ClockEdit, PlacedEdit } from '../../sandbox/history/history.ts'
import type { JournalFilter } from '../../sandbox/journal/filter.ts'
import type { Journal } from '../../sandbox/journal/journal.ts'
import type { JournalRecord } from '../../sandbox/journal/record.ts'
import { isObject } from '../../utils/json.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { type PlacedStep, toEditSteps } from './change-steps.ts'
import type { RecordingHead } from './write-scenario.ts'

/** Which part of a journal is recorded, and how. The fields of a journal filter select requests. */
export interface RecordOptions
  extends JournalFilter,
    Pick<RecordingHead, 'title' | 'description' | 'world'> {
  /** Records only later entries than the one with this id */
  readonly after?: number | undefined
  /** Records only the entries with these ids */
  readonly entries?: readonly number[] | undefined
  /** Whether to keep personal data. By default it is replaced. Keys are always hidden */
  readonly keep?: boolean | undefined
}

const recordOptions: z.ZodType<Partial<RecordOptions>> = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  world: z
    .union([z.string(), z.looseObject({})], { error: 'expected the name of a fixture, or a world' })
    .optional(),
  after: z.int().min(0).optional(),
  entries: z.array(z.int()).optional(),
  keep: z.boolean().optional(),
}) as never

/** Checks the options and returns the filter among them, unchecked. @throws UsageError that names the wrong option */
export function extractFilter(options: RecordOptions): JournalFilter {
  if (!isObject(options)) throw unexpectedValue('record', 'an object of options', options)
  const { title, description, after, entries, keep, world, ...filter } = options
  const rest = { title, description, after, entries, keep, world }
  parseOptions(recordOptions, rest, 'record', 'options')
  return filter
}

/** A request, and its position in the journal. */
interface PlacedRecord {
  readonly record: JournalRecord
  readonly position: number
}

/** The part of a journal that is recorded: requests, and the changes from its start to the last request. */
export interface JournalSpan {
  readonly records: readonly PlacedRecord[]
  readonly steps: readonly PlacedStep[]
  /** The first change of the clock */
  readonly firstMove: ClockEdit | undefined
  /** What the span leaves out, in sentences */
  readonly warnings: readonly string[]
}

interface JournalAndEdits {
  readonly journal: Journal
  readonly history: ChangeHistory
}

/** @param filter returns the records that match the filter of the options */
export function selectSpan(
  { journal, history }: JournalAndEdits,
  { after = 0, entries, world }: RecordOptions,
  filter: (records: readonly JournalRecord[]) => readonly JournalRecord[],
): JournalSpan {
  const allRecords = journal.records.map((record, index, { length }) => {
    return { record, position: journal.position - length + index }
  })
  const matching = new Set(filter(journal.records))
  const records = allRecords.filter(
    ({ record }) =>
      matching.has(record) && record.id > after && (entries?.includes(record.id) ?? true),
  )
  const first = entries ? records[0] : allRecords.find(({ record }) => record.id > after)
  const [from, until] = [first?.position ?? 0, records.at(-1)?.position ?? 0]
  const edits = history.edits()
  const spanEdits = edits.filter(({ position }) => position >= from && position <= until)
  // Without a world, a replay starts with the rows at the start of the journal.
  const isStartKnown = from === 0 || world !== undefined
  const { steps, warnings } = toEditSteps(
    spanEdits,
    from,
    isStartKnown ? history.initialTables : null,
  )
  return {
    records,
    steps,
    firstMove: spanEdits.map(({ edit }) => edit).find((edit) => 'to' in edit),
    warnings: [
      ...warnAboutEvictedRequests(allRecords, after, journal.evictedCount),
      ...warnAboutEvictedEdits(edits, from, history.evictedEdits),
      ...warnings,
    ],
  }
}

function warnAboutEvictedRequests(
  records: readonly PlacedRecord[],
  after: number,
  evictedCount: number,
): string[] {
  const firstId = records.reduce(
    (least, { record }) => Math.min(least, record.id),
    Number.POSITIVE_INFINITY,
  )
  if (evictedCount === 0 || records.length === 0 || firstId <= after + 1) return []
  return [
    `The recording starts at entry ${firstId}: the journal has dropped earlier requests. To keep more, set createSimulator({ journal: { entries, bytes } }).`,
  ]
}

function warnAboutEvictedEdits(
  [first]: readonly PlacedEdit[],
  from: number,
  evictedCount: number,
): string[] {
  if (evictedCount === 0 || (first && first.position < from)) return []
  const changes =
    evictedCount === 1 ? '1 change of the world' : `${evictedCount} changes of the world`
  return [
    `The recording leaves out ${changes} without a request: only the latest ones are stored. Record earlier, or change fewer rows.`,
  ]
}
