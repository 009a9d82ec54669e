import * as z from 'zod'
import { bytesToExchangedBody, type Exchange, type ExchangedBody } from '../../http/exchange.ts'
import {
  bodyLength,
  bodyText,
  isOmitted,
  type MessageBody,
  sentHeaders,
} from '../../http/messages.ts'
import { toProfile } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { isBodyCut } from '../../simulator/faults/fault.ts'
import {
  type ChangeLog,
  type ClockMove,
  isWriteOfRequest,
} from '../../simulator/journal/changes.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import type { Sandboxes } from '../../simulator/sandboxes/sandboxes.ts'
import type { State } from '../../simulator/state.ts'
import { parseOptions } from '../../utils/errors.ts'
import { isAlias } from '../../utils/redaction/aliases.ts'
import { type Clock, formatIsoTime } from '../../world/clock/clock.ts'
import { fixtureNames, isBuiltInWorld } from '../../world/load/built-in-worlds.ts'
import { exportWorld } from '../../world/load/export-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import {
  type EditSteps,
  nameWorld,
  type PlacedChange,
  toEditSteps,
  toFaultStep,
  toSettingStep,
} from './changes.ts'
import {
  createHider,
  type Recorded,
  type RecorderOptions,
  type Recording,
  type RecordingHead,
  recordSteps,
  toScenario,
} from './recorder.ts'
import { formatStepWarnings } from './step-warnings.ts'

/** Which part of a journal is recorded. */
export interface RecordOptions extends Pick<RecordingHead, 'title'> {
  /** Records only the entries with these ids */
  readonly entries?: readonly number[] | undefined
}

const recordOptions = z.strictObject({
  title: z.string().optional(),
  entries: z.array(z.int()).optional(),
})

/** The part of a journal that is recorded: requests, and the changes from its start to the last request. */
interface JournalSpan extends EditSteps {
  readonly records: readonly { readonly record: JournalRecord; readonly position: number }[]
  readonly firstMove: ClockMove | undefined
  /** The world before the first request. Undefined if it is not known */
  readonly startingWorld: WorldJson | undefined
}

/** The fixtures that can be replayed in a simulator. @internal */
type Fixtures = Pick<Sandboxes<unknown>, 'hasSource' | 'loadSource'>

/**
 * Makes a scenario of a journal. It contains the requests in the order in which they were answered. Between them it contains the
 * changes without a request: rows that were written, replaced or restored, also by the edits of faults, and changes of
 * settings, the clock and faults. Warnings list what no step can contain.
 *
 * @param fixtures the worlds that a recording can name
 * @throws UsageError for an invalid option, and if there are no requests
 *
 * @internal
 */
export function recordFromJournal(
  state: State,
  options: RecordOptions,
  fixtures: Fixtures,
): Recording {
  parseOptions(recordOptions, options, 'record')
  const { title, entries } = options
  const keys = journalKeys(state)
  const span = selectSpan(state, entries)
  const { startingWorld } = span
  const [first] = span.records
  const items: Recorded[] = []
  const start = startTime(state.clock, span)
  const edits = [...span.steps]
  let previous: JournalRecord | undefined
  for (const { record, position } of span.records) {
    const settings = previous && toSettingStep(previous.settings, record.settings)
    if (settings) items.push({ change: settings })
    while (edits[0] && edits[0].position <= position) {
      const { step } = edits.shift() as (typeof edits)[number]
      items.push({ change: step })
    }
    items.push({ exchange: keys.exchange(record), fault: toFaultStep(record) })
    previous = record
  }
  const named = startingWorld ? nameStart(startingWorld, fixtures) : null
  const recorded = recordSteps(items, keys.options, named === null ? startingWorld : undefined)
  const head: RecordingHead = {
    ...(title !== undefined && { title }),
    ...named,
    ...(recorded.world && { world: recorded.world }),
    ...(first && describeSettings(first.record.settings)),
    ...(start !== null && { clock: start }),
  }
  const missing = first && !startingWorld ? [noWorld] : []
  return {
    scenario: toScenario(recorded.steps, head),
    warnings: [...span.warnings, ...missing, ...formatStepWarnings(recorded.warnings)],
  }
}

/** Settings by the nearest profile, and what differs from it. */
function describeSettings(values: SettingValues): Pick<RecordingHead, 'profile' | 'settings'> {
  const { profile, settings } = toProfile(values)
  return { profile, ...(Object.keys(settings).length > 0 && { settings }) }
}

/**
 * Writes requests of a journal for a file that can be passed on: secrets and personal data are replaced.
 *
 * @returns for each record its exchange, and the comment with the same replacements
 */
export function hideRecords(
  commented: readonly { readonly record: JournalRecord; readonly comment: string }[],
  state: State,
): { readonly exchange: Exchange; readonly comment: string }[] {
  const keys = journalKeys(state)
  const hider = createHider(keys.options)
  const exchanges = commented.map(({ record }) => keys.exchange(record))
  for (const exchange of exchanges) hider.collect(exchange)
  return exchanges.map((exchange, at) => ({
    exchange: hider.exchange(exchange).exchange,
    comment: hider.text((commented[at] as (typeof commented)[number]).comment),
  }))
}

/** The keys that the world of a journal has or had. */
function journalKeys({ labels: { known: labels }, journal }: State): {
  readonly options: RecorderOptions
  /** A record with the label of its key */
  exchange(record: JournalRecord): Exchange
} {
  // Labels that an earlier recording gave are no aliases for others.
  const texts = [...labels].flatMap(([value, label]) => (isAlias(label) ? [value, label] : value))
  return {
    options: {
      redact: journal.limits.redact,
      keys: Object.fromEntries(texts.map((text) => [text, text])),
    },
    // A key without a label has its value as label. Both are replaced like those of its row. The world has all keys: a key
    // that is not among them is refused again.
    exchange: (record) => ({
      ...recordToExchange(record),
      key: labels.get(record.sentKey ?? '') ?? null,
    }),
  }
}

const noWorld =
  'The recording names no world: the rows before the first request are no longer known. Record earlier, or write the name of a fixture as "world" in the file.'

/** Returns null unless the rows are those of a fixture. */
function nameStart(world: WorldJson, fixtures: Fixtures): ReturnType<typeof nameWorld> {
  for (const name of fixtureNames) {
    if (!isBuiltInWorld(name) && !fixtures.hasSource(name)) continue
    const named = nameWorld(world, name, exportWorld(fixtures.loadSource(name)))
    if (named) return named
  }
  return null
}

function selectSpan(
  { journal, changes, loaded }: State,
  entries: readonly number[] | undefined,
): JournalSpan {
  // A fault can delay a response after the request was carried out.
  const all = journal.records.sort((a, b) => a.changeIndex - b.changeIndex)
  const placed = all.flatMap((record, position) =>
    (entries?.includes(record.id) ?? true) ? [{ record, position }] : [],
  )
  const [first] = placed
  const from = first ? firstEditAfter(all[first.position - 1], first.record, changes) : 0
  const rows = first && changes.worldAt(Math.min(from, first.record.changeIndex), loaded)
  const startingWorld = rows ? exportWorld(rows) : undefined
  const last = placed.at(-1)?.position ?? -1
  const edits: PlacedChange[] = []
  let position = 0
  for (const [index, change] of changes.since(from).entries()) {
    while (position <= last && (all[position] as JournalRecord).changeIndex <= from + index)
      position += 1
    if (position <= last && !isWriteOfRequest(change)) edits.push({ position, change })
  }
  // A replay restores the rows at the start of the journal only if it starts with them.
  const { steps, warnings } = toEditSteps(edits, from === 0 ? changes.start : null)
  const firstId = all.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY)
  const cut = `The recording starts at entry ${firstId}: the journal has dropped earlier requests. To keep more, set createSimulator({ journal: { entries, bytes } }).`
  const gaps = [
    ...(entries === undefined && journal.evictedCount > 0 ? [cut] : []),
    ...(first && first.record.changeIndex < changes.oldest ? [forgotten] : []),
  ]
  return {
    records: placed,
    steps,
    firstMove: edits.map(({ change }) => change).find((change) => 'to' in change),
    startingWorld,
    warnings: [...gaps, ...warnings],
  }
}

const forgotten =
  'The recording leaves out changes of the world without a request: only the latest ones are stored. Record earlier, or change fewer rows.'

/** The index of the oldest edit between two requests that is known. */
function firstEditAfter(
  previous: JournalRecord | undefined,
  { changeIndex }: JournalRecord,
  changes: ChangeLog,
): number {
  const from = Math.max(previous?.changeIndex ?? 0, changes.oldest)
  // The requests that wrote between them may be evicted, or not stored yet.
  const between = changes.since(from).slice(0, Math.max(0, changeIndex - from))
  return from + between.findLastIndex(isWriteOfRequest) + 1
}

/** When the clock was frozen at the start of a recording, in ISO 8601. Null if it ran. */
function startTime(clock: Clock, { firstMove, records: [first] }: JournalSpan): string | null {
  const { mode } = firstMove?.from ?? clock
  const now = firstMove?.from.now ?? first?.record.at
  return mode === 'frozen' && now !== undefined ? formatIsoTime(new Date(now).getTime()) : null
}

const brokenResponse: Exchange['response'] = { status: 0, headers: [], body: null }

/** A journal record as an exchange, with secrets as they were sent. */
function recordToExchange(record: JournalRecord): Exchange {
  const { at, ms, method, url, requestHeaders, requestBody, response } = record
  return {
    at: formatIsoTime(at),
    ms,
    method,
    url,
    request: {
      headers: [...requestHeaders.entries()],
      body:
        requestBody === null
          ? null
          : toExchangedBody(requestBody, requestHeaders.get('content-type')),
    },
    // The journal contains the whole body.
    response: isBodyCut(record, bodyLength(response.body) ?? 0)
      ? brokenResponse
      : {
          status: response.status,
          headers: Object.entries(sentHeaders(response)),
          body:
            method === 'HEAD'
              ? null
              : toExchangedBody(response.body, response.headers['content-type']),
        },
  }
}

function toExchangedBody(body: MessageBody, type?: string | null): ExchangedBody {
  if (isOmitted(body)) return body
  return ArrayBuffer.isView(body)
    ? bytesToExchangedBody(body, type ?? '')
    : { text: bodyText(body) }
}
