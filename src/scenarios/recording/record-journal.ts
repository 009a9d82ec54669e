import type { FaultEffect } from '../../sandbox/faults/rule.ts'
import { filterRecords, parseFilter } from '../../sandbox/journal/filter.ts'
import type { JournalRecord } from '../../sandbox/journal/record.ts'
import { type JournalSource, Renderer } from '../../sandbox/journal/renderer.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { ChangeStep } from '../format/scenario.ts'
import { nearestProfile, toFaultStep, toPolicyStep } from './change-steps.ts'
import { renderedToExchange } from './journal-exchange.ts'
import { extractFilter, type JournalSpan, type RecordOptions, selectSpan } from './journal-span.ts'
import { RecordedClock, Recorder } from './recorder.ts'
import { type Recording, type RecordingHead, toScenario } from './write-scenario.ts'

/** A sandbox whose journal can be recorded. */
export interface RecordableSandbox extends JournalSource {
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
  const filter = parseFilter(extractFilter(options))
  const renderer = new Renderer(sandbox)
  const span = selectSpan(sandbox, options, (records) => filterRecords(records, filter, renderer))
  const recorder = new Recorder({ keep: options.keep ?? false })
  const warnings = [...span.warnings]
  const addChange = (step: ChangeStep): void =>
    recorder.addChange(renderer.redactor.json(step) as ChangeStep)
  const clock = new RecordedClock(startTime(sandbox.clock, span))
  const head = toHead(options, span, clock.time)
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

function toHead(
  { title, description, world }: RecordOptions,
  { records: [first] }: JournalSpan,
  clock: string | null,
): RecordingHead {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(world !== undefined && { world }),
    ...(first && nearestProfile(first.record.settings)),
    ...(clock !== null && { clock }),
  }
}

/** When the clock was frozen at the start of a recording, in milliseconds since 1970. Null if it ran. */
function startTime(clock: Clock, { firstMove, records: [first] }: JournalSpan): number | null {
  const { mode } = firstMove?.from ?? clock
  const now = firstMove?.from.now ?? first?.record.at
  return mode === 'frozen' && now !== undefined ? new Date(now).getTime() : null
}

/**
 * The faults for stale reads, by the index of the request that each must precede: a fault sees only the rows since it
 * was added.
 */
function toStaleReadSteps({
  records,
  steps,
}: JournalSpan): ReadonlyMap<number, readonly ChangeStep[]> {
  const staleReads = new Map<number, ChangeStep[]>()
  for (const [index, { record }] of records.entries()) {
    const effect = (record.fault?.effect ?? {}) as FaultEffect
    if (effect.stale === undefined) continue
    const start = findStart(index, effect.stale.writes, { records, steps })
    const between = records.slice(start, index)
    const skip = between.filter(({ record: { method } }) => /^(GET|HEAD)$/.test(method)).length
    const when = { times: 1, ...(skip > 0 && { skip }) }
    staleReads.set(start, [...(staleReads.get(start) ?? []), { fault: { when, effect } }])
  }
  return staleReads
}

/** The index of the last request that precedes this number of writes, or 0 if there were fewer writes. */
function findStart(
  index: number,
  writes: number,
  { records, steps }: Pick<JournalSpan, 'records' | 'steps'>,
): number {
  let remaining = writes
  let at = index
  while (at > 0) {
    const [from, until] = [records[at - 1]?.position ?? 0, records[at]?.position ?? 0]
    remaining -= steps.filter(({ position }) => position > from && position <= until).length
    if (remaining <= 0) return at
    at -= 1
    if ((records[at]?.record.changes.length ?? 0) > 0) remaining -= 1
    if (remaining <= 0) return at
  }
  return at
}
