import { sandboxPrefix } from '../http/base.ts'
import { checkFilter, filtered } from '../journal/filter.ts'
import type { JournalRecord } from '../journal/record.ts'
import { type Rendered, Renderer, type Surroundings } from '../journal/renderer.ts'
import { exchangeOf } from '../journal/to-har.ts'
import type { Clock } from '../world/clock.ts'
import { changesBefore, profileOf } from './changes.ts'
import type { Exchange } from './exchange.ts'
import { filterOf, type RecordOptions } from './record-options.ts'
import { Recorder } from './recorder.ts'
import { type Recording, scenarioOf } from './recording.ts'

/** Whose requests are recorded. */
export interface Recorded extends Surroundings {
  readonly clock: Clock
}

/**
 * What a journal holds as a scenario: the requests in the order in which they came, and between them what they do not
 * tell by themselves: policies that were set, a clock that was moved, faults that struck. Rows that were put there in
 * another way are not in it.
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
  const { after = 0, entries, keep = false, title, description, world } = options
  const renderer = new Renderer(sandbox)
  const { journal, clock } = sandbox
  const all = filtered(journal.records, filter, renderer)
  const records = all.filter(({ id }) => id > after && (entries?.includes(id) ?? true))
  const recorder = new Recorder({ keep })
  const warnings = goneWarnings(journal.records, after, journal.forgotten)
  for (const [index, record] of records.entries()) {
    const rendered = renderer.render(record)
    const before = records[index - 1]
    const { steps, warning } = changesBefore(record, before, clock.mode === 'frozen', rendered)
    for (const step of steps) recorder.change(step)
    if (warning !== null) warnings.push(warning)
    warnings.push(...recorder.add(told(rendered, record, origin)).warnings)
  }
  const [first] = records
  const head = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(world !== undefined && { world }),
    ...(first && profileOf(first.settings)),
    ...(first && clock.mode === 'frozen' && { clock: new Date(first.at).toISOString() }),
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

/** Nothing is left out without a word. */
function goneWarnings(
  records: readonly JournalRecord[],
  after: number,
  forgotten: number,
): string[] {
  const first = Math.min(...records.map(({ id }) => id))
  if (forgotten === 0 || first <= after + 1) return []
  return [
    `The journal no longer keeps the requests before entry ${first}: they are not in it. A larger journal keeps more: ` +
      'createSimulator({ journal: { entries, bytes } }).',
  ]
}
