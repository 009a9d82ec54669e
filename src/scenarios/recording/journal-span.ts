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

/** What of a journal is recorded, and how. What a filter can say stands beside it. */
export interface RecordOptions
  extends JournalFilter,
    Pick<RecordingHead, 'title' | 'description' | 'world'> {
  /** The id of an entry of the journal: only what came after it */
  readonly after?: number | undefined
  /** The ids of entries: only these */
  readonly entries?: readonly number[] | undefined
  /** Whether personal data stays as it is; by default it is replaced. Keys are hidden either way */
  readonly keep?: boolean | undefined
}

const ownOptions: z.ZodType<Partial<RecordOptions>> = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  world: z
    .union([z.string(), z.looseObject({})], { error: 'expected the name of a fixture, or a world' })
    .optional(),
  after: z.int().min(0).optional(),
  entries: z.array(z.int()).optional(),
  keep: z.boolean().optional(),
}) as never

/** The filter among the options, unchecked. @throws UsageError that names the option at fault */
export function extractFilter(options: RecordOptions): JournalFilter {
  if (!isObject(options)) throw unexpectedValue('record', 'options by their names', options)
  const { title, description, after, entries, keep, world, ...filter } = options
  parseOptions(ownOptions, { title, description, after, entries, keep, world }, 'record', 'options')
  return filter
}

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
  readonly history: ChangeHistory
}

/** @param chosen those of some records that are asked for */
export function selectSpan(
  { journal, history }: JournalAndEdits,
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
  const edits = history.edits()
  const within = edits.filter(({ position }) => position >= from && position <= until)
  const isWhole = from === 0 || world !== undefined
  const { steps, warnings } = toEditSteps(within, from, isWhole ? history.initialTables : null)
  return {
    records,
    steps,
    firstMove: within.map(({ edit }) => edit).find((edit) => 'to' in edit),
    warnings: [
      ...warnAboutLostRequests(all, after, journal.evictedCount),
      ...warnAboutLostEdits(edits, from, history.evictedEdits),
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
