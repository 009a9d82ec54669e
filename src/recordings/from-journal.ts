import type { Edits } from '../history/edits.ts'
import { sandboxPrefix } from '../http/base.ts'
import { checkFilter, filtered } from '../journal/filter.ts'
import type { JournalRecord } from '../journal/record.ts'
import { type Rendered, Renderer, type Surroundings } from '../journal/renderer.ts'
import { exchangeOf } from '../journal/to-har.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import type { Clock } from '../world/clock.ts'
import { faultStep, policyStep, profileOf } from './changes.ts'
import { ClockTrack } from './clock-track.ts'
import type { Exchange } from './exchange.ts'
import { spanOf } from './journal-span.ts'
import { filterOf, type RecordOptions } from './record-options.ts'
import { Recorder } from './recorder.ts'
import { type Recording, scenarioOf } from './recording.ts'
import { staleReads } from './stale-reads.ts'

/** Whose requests are recorded. */
export interface Recorded extends Surroundings {
  readonly clock: Clock
  readonly edits: Edits
}

/**
 * What a journal holds as a scenario: the requests in the order in which they were answered, and between them what
 * was done without one: rows that were written, put back or replaced, also by second actors, policies that were set, a
 * clock that was moved, faults that struck. What no step can say is told in a warning.
 *
 * @param origin of addresses whose requests do not tell their host
 * @throws UsageError for a bad option, and where nothing was asked
 */
export function recordJournal(
  sandbox: Recorded,
  origin: string,
  options: RecordOptions = {},
): Recording {
  const filter = checkFilter(filterOf(options))
  const { keep = false, title, description, world } = options
  const renderer = new Renderer(sandbox)
  const span = spanOf(sandbox, options, (all) => filtered(all, filter, renderer))
  const recorder = new Recorder({ keep })
  const warnings = [...span.warnings]
  const change = (step: ChangeStep): void =>
    recorder.change(renderer.redactor.json(step) as ChangeStep)
  const clock = new ClockTrack(sandbox.clock, span)
  const edits = [...span.steps]
  let before: JournalRecord | undefined
  const stale = staleReads(span)
  for (const [index, { record, position }] of span.records.entries()) {
    for (const step of stale.get(index) ?? []) change(step)
    const policies = before && policyStep(before.settings, record.settings)
    if (policies) change(policies)
    while (edits[0] && edits[0].position <= position) {
      const { step } = edits.shift() as (typeof edits)[number]
      change(step)
      clock.changed(step)
    }
    const rendered = renderer.render(record)
    const late = clock.at(record.at)
    if (late) change(late)
    const fault = faultStep(rendered)
    if (fault && 'warning' in fault) warnings.push(fault.warning)
    else if (fault) change(fault)
    warnings.push(...recorder.add(told(rendered, record, origin)).warnings)
    before = record
  }
  const [first] = span.records
  const head = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(world !== undefined && { world }),
    ...(first && profileOf(first.record.settings)),
    ...(clock.beginning !== null && { clock: clock.beginning }),
  }
  return { scenario: scenarioOf(recorder, head), warnings }
}

const sandboxInAddress = new RegExp(`^([a-z]+://[^/]*)${sandboxPrefix}/[^/]+`)

function told(rendered: Rendered, record: JournalRecord, origin: string): Exchange {
  const { url, ...exchange } = exchangeOf(rendered, origin)
  const breaksOff = cutsBody(record)
  return {
    ...exchange,
    // A sandbox is wherever a scenario is replayed.
    url: url.replace(sandboxInAddress, '$1'),
    ...(breaksOff && { answer: { status: 0, headers: [], body: null } }),
  }
}

/** Whether a fault broke the connection in the middle of the answer, of which the journal keeps the whole. */
function cutsBody({ fault, answer }: JournalRecord): boolean {
  if (fault?.phase !== 'mid-body') return false
  const { drop, cut_bytes } = (fault.effect ?? {}) as { drop?: true; cut_bytes?: number }
  const length = Number(answer.headers['content-length'] ?? 0)
  return drop === true || (cut_bytes !== undefined && cut_bytes < length)
}
