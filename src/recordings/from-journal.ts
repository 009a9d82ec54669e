import type { EditLog } from '../history/edits.ts'
import { sandboxPrefix } from '../http/base.ts'
import { filterRecords, parseFilter } from '../journal/filter.ts'
import type { JournalRecord } from '../journal/record.ts'
import { type JournalSource, type RenderedEntry, Renderer } from '../journal/renderer.ts'
import { toExchange } from '../journal/to-har.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import type { Clock } from '../world/clock.ts'
import { nearestProfile, toFaultStep, toPolicyStep } from './changes.ts'
import { RecordedClock } from './clock-track.ts'
import type { Exchange } from './exchange.ts'
import { selectSpan } from './journal-span.ts'
import { extractFilter, type RecordOptions } from './record-options.ts'
import { Recorder } from './recorder.ts'
import { type Recording, toScenario } from './recording.ts'
import { toStaleReadSteps } from './stale-reads.ts'

/** Whose requests are recorded. */
export interface RecordableSandbox extends JournalSource {
  readonly clock: Clock
  readonly edits: EditLog
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
