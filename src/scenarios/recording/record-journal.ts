import type { Exchange } from '../../http/exchange.ts'
import { sandboxPrefix } from '../../http/url.ts'
import type { FaultEffect } from '../../sandbox/faults/rule.ts'
import { filterRecords, parseFilter } from '../../sandbox/journal/filter.ts'
import type { JournalRecord } from '../../sandbox/journal/record.ts'
import { type JournalSource, type RenderedEntry, Renderer } from '../../sandbox/journal/renderer.ts'
import { toExchange } from '../../sandbox/journal/to-har.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { ChangeStep } from '../format/scenario.ts'
import { nearestProfile, toFaultStep, toPolicyStep } from './change-steps.ts'
import { extractFilter, type JournalSpan, type RecordOptions, selectSpan } from './journal-span.ts'
import { Recorder } from './recorder.ts'
import { type Recording, toScenario } from './write-scenario.ts'

/** Whose requests are recorded. */
export interface RecordableSandbox extends JournalSource {
  readonly clock: Clock
}

/**
 * What a journal holds as a scenario: the requests in the order in which they were answered, and between them what
 * was done without one: rows that were written, put back or replaced, also by second actors, policies that were set, a
 * clock that was moved, faults that struck. What no step can say is told in a warning.
 *
 * @param origin of addresses whose requests do not tell their host
 * @throws UsageError for a bad option, and where nothing was asked
 */
export function recordFromJournal(
  sandbox: RecordableSandbox,
  origin: string,
  options: RecordOptions = {},
): Recording {
  const filter = parseFilter(extractFilter(options))
  const { keep = false, title, description, world } = options
  const renderer = new Renderer(sandbox)
  const span = selectSpan(sandbox, options, (all) => filterRecords(all, filter, renderer))
  const recorder = new Recorder({ keep })
  const warnings = [...span.warnings]
  const change = (step: ChangeStep): void =>
    recorder.addChange(renderer.redactor.json(step) as ChangeStep)
  const clock = new RecordedClock(sandbox.clock, span)
  const edits = [...span.steps]
  let before: JournalRecord | undefined
  const stale = toStaleReadSteps(span)
  for (const [index, { record, position }] of span.records.entries()) {
    for (const step of stale.get(index) ?? []) change(step)
    const policies = before && toPolicyStep(before.settings, record.settings)
    if (policies) change(policies)
    while (edits[0] && edits[0].position <= position) {
      const { step } = edits.shift() as (typeof edits)[number]
      change(step)
      clock.apply(step)
    }
    const rendered = renderer.render(record)
    const late = clock.stepTo(record.at)
    if (late) change(late)
    const fault = toFaultStep(rendered)
    if (fault && 'warning' in fault) warnings.push(fault.warning)
    else if (fault) change(fault)
    warnings.push(...recorder.add(renderedToExchange(rendered, record, origin)).warnings)
    before = record
  }
  const [first] = span.records
  const head = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(world !== undefined && { world }),
    ...(first && nearestProfile(first.record.settings)),
    ...(clock.startTime !== null && { clock: clock.startTime }),
  }
  return { scenario: toScenario(recorder, head), warnings }
}

const sandboxInAddress = new RegExp(`^([a-z]+://[^/]*)${sandboxPrefix}/[^/]+`)

function renderedToExchange(
  rendered: RenderedEntry,
  record: JournalRecord,
  origin: string,
): Exchange {
  const { url, ...exchange } = toExchange(rendered, origin)
  const breaksOff = breaksInBody(record)
  return {
    ...exchange,
    // A sandbox is wherever a scenario is replayed.
    url: url.replace(sandboxInAddress, '$1'),
    ...(breaksOff && { answer: { status: 0, headers: [], body: null } }),
  }
}

/** Whether a fault broke the connection in the middle of the answer, of which the journal keeps the whole. */
function breaksInBody({ fault, response }: JournalRecord): boolean {
  if (fault?.phase !== 'mid-body') return false
  const { drop, cut_bytes } = (fault.effect ?? {}) as { drop?: true; cut_bytes?: number }
  const length = Number(response.headers['content-length'] ?? 0)
  return drop === true || (cut_bytes !== undefined && cut_bytes < length)
}

/**
 * The faults behind reads that came from before some writes, by the request that each stands before: the rows of then
 * are only kept from where such a fault begins.
 */
function toStaleReadSteps({
  records,
  steps,
}: JournalSpan): ReadonlyMap<number, readonly ChangeStep[]> {
  const early = new Map<number, ChangeStep[]>()
  for (const [index, { record }] of records.entries()) {
    const effect = (record.fault?.effect ?? {}) as FaultEffect
    if (effect.stale === undefined) continue
    const begins = findStart(index, effect.stale.writes, { records, steps })
    const between = records.slice(begins, index)
    const skip = between.filter(({ record: { method } }) => /^(GET|HEAD)$/.test(method)).length
    const when = { times: 1, ...(skip > 0 && { skip }) }
    early.set(begins, [...(early.get(begins) ?? []), { fault: { when, effect } }])
  }
  return early
}

/** The request before which so many writes had yet to come; the first one where there were fewer. */
function findStart(
  index: number,
  writes: number,
  { records, steps }: Pick<JournalSpan, 'records' | 'steps'>,
): number {
  let left = writes
  let at = index
  while (at > 0) {
    const [from, until] = [records[at - 1]?.position ?? 0, records[at]?.position ?? 0]
    left -= steps.filter(({ position }) => position > from && position <= until).length
    if (left <= 0) return at
    at -= 1
    if ((records[at]?.record.changes.length ?? 0) > 0) left -= 1
    if (left <= 0) return at
  }
  return at
}

/** What the clock of a recording shows from step to step. One that runs is nobody's: times are matched. */
class RecordedClock {
  /** The time that the recording begins at, where its clock stands still: ISO 8601 */
  readonly startTime: string | null
  #time: string | null

  constructor(clock: Clock, { firstMove, records: [first] }: JournalSpan) {
    const { mode } = firstMove?.from ?? clock
    const now = firstMove?.from.now ?? first?.record.at
    this.startTime = mode === 'frozen' && now !== undefined ? new Date(now).toISOString() : null
    this.#time = this.startTime
  }

  /** Takes note of a step that sets the clock. */
  apply(step: ChangeStep): void {
    if ('clock' in step)
      this.#time = typeof step.clock === 'string' && step.clock !== 'real' ? step.clock : null
  }

  /** What sets it to the time of a request; null where it shows that, or runs. */
  stepTo(time: number): ChangeStep | null {
    const wanted = new Date(time).toISOString()
    if (this.#time === null || this.#time === wanted) return null
    this.#time = wanted
    return { clock: wanted }
  }
}
