import * as z from 'zod'
import type { FaultEffect } from '../../sandbox/faults/rule.ts'
import type { ClockEdit } from '../../sandbox/history/history.ts'
import {
  filterRecords,
  type JournalFilter,
  journalFilterFields,
} from '../../sandbox/journal/filter.ts'
import type { JournalRecord } from '../../sandbox/journal/record.ts'
import { type JournalSource, Renderer } from '../../sandbox/journal/renderer.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { ChangeStep } from '../format/scenario.ts'
import {
  type EditSteps,
  nearestProfile,
  toEditSteps,
  toFaultStep,
  toPolicyStep,
} from './change-steps.ts'
import {
  RecordedClock,
  Recorder,
  type Recording,
  type RecordingHead,
  toScenario,
} from './recorder.ts'
import { renderedToExchange } from './run-recorder.ts'

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

const recordOptions: z.ZodType<RecordOptions> = z.strictObject({
  ...journalFilterFields,
  title: z.string().optional(),
  description: z.string().optional(),
  world: z
    .union([z.string(), z.looseObject({})], { error: 'expected the name of a fixture, or a world' })
    .optional(),
  after: z.int().min(0).optional(),
  entries: z.array(z.int()).optional(),
  keep: z.boolean().optional(),
}) as never

/** The part of a journal that is recorded: requests, and the changes from its start to the last request. */
interface JournalSpan extends EditSteps {
  readonly records: readonly { readonly record: JournalRecord; readonly position: number }[]
  readonly firstMove: ClockEdit | undefined
}

interface RecordableSandbox extends JournalSource {
  readonly clock: Clock
}

/**
 * Makes a scenario of a journal. It contains the requests in the order of their responses. Between them it contains the
 * changes without a request: rows that were written, replaced or restored, also by second actors, and changes of
 * policies, the clock and faults. Warnings list what no step can contain.
 *
 * @param origin for requests without a Host header
 * @throws UsageError for an invalid option, and if there are no requests
 */
export function recordFromJournal(
  sandbox: RecordableSandbox,
  origin: string,
  options: RecordOptions = {},
): Recording {
  parseOptions(recordOptions, options, 'record', 'options')
  const { title, description, after, entries, keep, world, ...filter } = options
  const renderer = new Renderer(sandbox)
  const matching = filterRecords(sandbox.journal.records, filter, renderer)
  const span = selectSpan(sandbox, options, new Set(matching))
  const recorder = new Recorder({ keep: keep ?? false, redact: sandbox.journal.limits.redact })
  const warnings = [...span.warnings]
  const addChange = (step: ChangeStep): void =>
    recorder.addChange(renderer.redactor.json(step) as ChangeStep)
  const clock = new RecordedClock(startTime(sandbox.clock, span))
  const [first] = span.records
  const head: RecordingHead = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(world !== undefined && { world }),
    ...(first && nearestProfile(first.record.settings)),
    ...(clock.time !== null && { clock: clock.time }),
  }
  const edits = [...span.steps]
  const staleReads = toStaleReadSteps(span)
  let previous: JournalRecord | undefined
  for (const [index, { record, position }] of span.records.entries()) {
    for (const step of staleReads.get(index) ?? []) addChange(step)
    const policies = previous && toPolicyStep(previous.settings, record.settings)
    if (policies) addChange(policies)
    while (edits[0] && edits[0].position <= position) {
      const { step } = edits.shift() as (typeof edits)[number]
      addChange(step)
      clock.apply(step)
    }
    const move = clock.moveTo(record.at)
    if (move) addChange(move)
    const rendered = renderer.render(record)
    const fault = toFaultStep(rendered)
    if (fault && 'warning' in fault) warnings.push(fault.warning)
    else if (fault) addChange(fault)
    warnings.push(...recorder.add(renderedToExchange(rendered, record, origin)).warnings)
    previous = record
  }
  return { scenario: toScenario(recorder, head), warnings }
}

function selectSpan(
  { journal, history }: RecordableSandbox,
  { after = 0, entries, world }: RecordOptions,
  matching: ReadonlySet<JournalRecord>,
): JournalSpan {
  const allRecords = journal.records.map((record, index, { length }) => {
    return { record, position: journal.position - length + index }
  })
  const records = allRecords.filter(
    ({ record }) =>
      matching.has(record) && record.id > after && (entries?.includes(record.id) ?? true),
  )
  const first = entries ? records[0] : allRecords.find(({ record }) => record.id > after)
  const [from, until] = [first?.position ?? 0, records.at(-1)?.position ?? 0]
  const edits = history.edits()
  const spanEdits = edits.filter(({ position }) => position >= from && position <= until)
  // Without a world, a replay starts with the rows at the start of the journal.
  const initialTables = from === 0 || world !== undefined ? history.initialTables : null
  const { steps, warnings } = toEditSteps(spanEdits, from, initialTables)
  const firstId = allRecords.reduce((least, { record }) => Math.min(least, record.id), Infinity)
  const isCut = journal.evictedCount > 0 && firstId > after + 1 && allRecords.length > 0
  const evictedEdits = edits[0] && edits[0].position < from ? 0 : history.evictedEdits
  const changes = evictedEdits === 1 ? '1 change' : `${evictedEdits} changes`
  const firstMove = spanEdits.map(({ edit }) => edit).find((edit) => 'to' in edit)
  const cut = `The recording starts at entry ${firstId}: the journal has dropped earlier requests. To keep more, set createSimulator({ journal: { entries, bytes } }).`
  const evicted = `The recording leaves out ${changes} of the world without a request: only the latest ones are stored. Record earlier, or change fewer rows.`
  const gaps = [...(isCut ? [cut] : []), ...(evictedEdits > 0 ? [evicted] : [])]
  return { records, steps, firstMove, warnings: [...gaps, ...warnings] }
}

/** When the clock was frozen at the start of a recording, in milliseconds since 1970. Null if it ran. */
function startTime(clock: Clock, { firstMove, records: [first] }: JournalSpan): number | null {
  const { mode } = firstMove?.from ?? clock
  const now = firstMove?.from.now ?? first?.record.at
  return mode === 'frozen' && now !== undefined ? new Date(now).getTime() : null
}

/** Stale reads by the index of the request that each must precede: a fault sees only the rows since it was added. */
function toStaleReadSteps(span: JournalSpan): ReadonlyMap<number, readonly ChangeStep[]> {
  const staleReads = new Map<number, ChangeStep[]>()
  for (const [index, { record }] of span.records.entries()) {
    const effect = (record.fault?.effect ?? {}) as FaultEffect
    if (effect.stale === undefined) continue
    const start = findStart(index, effect.stale.writes, span)
    const between = span.records.slice(start, index)
    const skip = between.filter(({ record: { method } }) => /^(GET|HEAD)$/.test(method)).length
    const when = { times: 1, ...(skip > 0 && { skip }) }
    staleReads.set(start, [...(staleReads.get(start) ?? []), { fault: { when, effect } }])
  }
  return staleReads
}

/** The index of the last request that precedes this number of writes, or 0 if there were fewer writes. */
function findStart(index: number, writes: number, { records, steps }: JournalSpan): number {
  let remaining = writes
  let at = index
  while (at > 0 && remaining > 0) {
    const [from, until] = [records[at - 1]?.position ?? 0, records[at]?.position ?? 0]
    remaining -= steps.filter(({ position }) => position > from && position <= until).length
    if (remaining <= 0) return at
    at -= 1
    if ((records[at]?.record.changes.length ?? 0) > 0) remaining -= 1
  }
  return at
}
