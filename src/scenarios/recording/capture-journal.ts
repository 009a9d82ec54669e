import * as z from 'zod'
import { sandboxPrefix } from '../../http/url.ts'
import type { Change, ChangeLog, ClockChange } from '../../simulator/journal/changes.ts'
import { EntryWriter } from '../../simulator/journal/entry-writer.ts'
import {
  filterRecords,
  type JournalFilter,
  journalFilterFields,
} from '../../simulator/journal/filter.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import { findSentKey } from '../../simulator/journal/messages.ts'
import type { Sandboxes } from '../../simulator/sandboxes/sandboxes.ts'
import type { State } from '../../simulator/state.ts'
import { parseOptions } from '../../utils/errors.ts'
import { mapValues } from '../../utils/json.ts'
import { toHeaderValue } from '../../utils/redaction/mask.ts'
import type { Clock } from '../../world/clock/clock.ts'
import { fixtureNames, isBuiltInWorld } from '../../world/load/built-in-worlds.ts'
import { exportWorld } from '../../world/load/export-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep } from '../format/scenario.ts'
import {
  type EditSteps,
  keyValues,
  nameWorld,
  nearestProfile,
  type PlacedChange,
  toEditSteps,
  toFaultStep,
  toSettingStep,
  withoutKeyValues,
} from './changes.ts'
import { KeyNames } from './key-names.ts'
import { maskedExchange, recordToExchange } from './record-to-exchange.ts'
import {
  type Recorded,
  RecordedClock,
  type Recording,
  type RecordingHead,
  recordSteps,
  toScenario,
} from './recorder.ts'

/** Which part of a journal is recorded, and how. The fields of a journal filter select requests. */
export interface RecordOptions extends JournalFilter, Pick<RecordingHead, 'title' | 'description'> {
  /**
   * The world before the first request: the name of a fixture, rows, or null for a recording without one. By default
   * it is read from the journal
   */
  readonly world?: RecordingHead['world'] | null
  /** Records only later entries than the one with this id */
  readonly after?: number | undefined
  /** Records only the entries with these ids */
  readonly entries?: readonly number[] | undefined
  /** Whether to keep personal data. By default it is replaced. Keys are always hidden */
  readonly keep?: boolean | undefined
}

const recordOptions = z.strictObject({
  ...journalFilterFields,
  title: z.string().optional(),
  description: z.string().optional(),
  world: z
    .union([z.string(), z.looseObject({})], { error: 'expected the name of a fixture, or a world' })
    .nullish(),
  after: z.int().min(0).optional(),
  entries: z.array(z.int()).optional(),
  keep: z.boolean().optional(),
})

/** The part of a journal that is recorded: requests, and the changes from its start to the last request. */
interface JournalSpan extends EditSteps {
  readonly records: readonly { readonly record: JournalRecord; readonly position: number }[]
  readonly firstMove: ClockChange | undefined
  /** The world before the first request. Undefined if it is not known */
  readonly startingWorld: WorldJson | undefined
}

/** The fixtures that can be replayed in a simulator. */
type Fixtures = Pick<Sandboxes<unknown>, 'hasSource' | 'loadSource'>

/**
 * Makes a scenario of a journal. It contains the requests in the order in which they were answered. Between them it contains the
 * changes without a request: rows that were written, replaced or restored, also by the edits of faults, and changes of
 * settings, the clock and faults. Warnings list what no step can contain.
 *
 * @param fixtures the worlds that a recording can name
 * @throws UsageError for an invalid option, and if there are no requests
 */
export function recordFromJournal(
  state: State,
  options: RecordOptions,
  fixtures: Fixtures,
): Recording {
  parseOptions(recordOptions, options, 'record')
  const { title, description, after, entries, keep = false, world, ...filter } = options
  const writer = new EntryWriter(state)
  const matching = filterRecords(state.journal.records, filter, writer.keys)
  const keyNames = new KeyNames(knownKeys(state))
  const span = selectSpan(state, options, new Set(matching), keyNames)
  const { startingWorld } = span
  const [first] = span.records
  const warnings = [...span.warnings]
  // The recorder hides secrets so that they match any value. It keeps them with personal data: then they are masked.
  const withoutKept = <T>(value: T): T => (keep ? (writer.redactor.json(value) as T) : value)
  const items: Recorded[] = []
  const addChange = (step: ChangeStep): void => void items.push({ change: withoutKept(step) })
  const clock = new RecordedClock(startTime(state.clock, span))
  const start = clock.time
  const edits = [...span.steps]
  let previous: JournalRecord | undefined
  for (const { record, position } of span.records) {
    const settings = previous && toSettingStep(previous.settings, record.settings)
    if (settings) addChange(settings)
    while (edits[0] && edits[0].position <= position) {
      const { step } = edits.shift() as (typeof edits)[number]
      addChange(step)
      clock.apply(step)
    }
    const move = clock.moveTo(record.at)
    if (move) addChange(move)
    const fault = toFaultStep(record)
    const key =
      writer.keys.keyOf(record)?.label ??
      keyNames.chosenLabel(findSentKey(record)?.value ?? '') ??
      null
    const exchange = keep
      ? { ...maskedExchange(record, writer), ...(key !== null && { key }) }
      : // The world has all keys: a key that is not among them is refused again.
        { ...recordToExchange(record), key }
    items.push({
      exchange,
      fault: fault && withSendableHeaders(withoutKept(fault)),
      baseUrl: sandboxUrl.exec(exchange.url)?.[0],
    })
    previous = record
  }
  const named = startingWorld && world === undefined ? nameStart(startingWorld, fixtures) : null
  if (first && world === undefined && !startingWorld) warnings.push(noWorld)
  const isShown = startingWorld && world === undefined && named === null
  const recorded = recordSteps(
    items,
    {
      keep,
      redact: state.journal.limits.redact,
      keys: startingWorld ? keyValues(startingWorld, keyNames) : {},
    },
    isShown ? withoutKept(withoutKeyValues(startingWorld, keyNames)) : undefined,
  )
  const head: RecordingHead = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(world ? { world } : named),
    ...(recorded.world && { world: recorded.world }),
    ...(first && nearestProfile(first.record.settings)),
    ...(start !== null && { clock: start }),
  }
  return {
    scenario: toScenario(recorded.steps, head),
    warnings: [...warnings, ...recorded.warnings],
  }
}

/** The keys that the world has or had. */
function knownKeys({ changes, tables }: State): Pick<KeyRow, 'value' | 'label'>[] {
  return [
    ...[...changes.formerKeys].map(([value, label]) => ({ value, label })),
    ...tables.keys.values(),
  ]
}

/** The masks in the headers of a fault are those of its response. */
function withSendableHeaders(step: ChangeStep): ChangeStep {
  if (!('fault' in step) || !('effect' in step.fault)) return step
  const { effect } = step.fault
  if (!effect.headers) return step
  const headers = mapValues(effect.headers, (value) => toHeaderValue(String(value)))
  return { ...step, fault: { ...step.fault, effect: { ...effect, headers } } } as ChangeStep
}

/** The URL of a sandbox is the base URL of its requests, so that they can be replayed in any. */
const sandboxUrl = new RegExp(`^[a-z]+://[^/]*${sandboxPrefix}/[^/?]+`)

const noWorld =
  'The recording names no world: the rows before the first request are no longer known. Set world to the name of a fixture.'

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
  state: State,
  { after = 0, entries, world }: RecordOptions,
  matching: ReadonlySet<JournalRecord>,
  keyNames: KeyNames,
): JournalSpan {
  const { journal, changes, loaded } = state
  // A fault can delay a response after the request was carried out.
  const all = journal.records.sort((one, other) => one.place - other.place)
  const records = all.filter(
    (record) => matching.has(record) && record.id > after && (entries?.includes(record.id) ?? true),
  )
  const chosen = new Set(records)
  const isFromFirst = entries !== undefined || world === undefined
  const first = isFromFirst ? records[0] : all.find(({ id }) => id > after)
  const previous = first && all[all.indexOf(first) - 1]
  const from = first ? placeAfter(previous, first, changes) : 0
  // Without a world, a replay starts with the rows at the start of the journal.
  const initialTables = from === 0 || world ? changes.start : null
  const rows = first && changes.worldAt(Math.min(from, first.place), loaded)
  const startingWorld = rows ? exportWorld(rows) : undefined
  // Its keys have the names that they have in the recorded world.
  if (startingWorld && world === undefined) withoutKeyValues(startingWorld, keyNames)
  const last = all.lastIndexOf(records.at(-1) as JournalRecord)
  const edits: PlacedChange[] = []
  let position = 0
  for (const [index, change] of changes.since(from).entries()) {
    while (position <= last && (all[position] as JournalRecord).place <= from + index) position += 1
    if (position <= last && !isOfRequest(change)) edits.push({ position, change })
  }
  const { steps, warnings } = toEditSteps(edits, initialTables, keyNames)
  const firstId = all.reduce((least, { id }) => Math.min(least, id), Infinity)
  const isCut = journal.evictedCount > 0 && firstId > after + 1
  const firstMove = edits.map(({ change }) => change).find((change) => 'to' in change)
  const cut = `The recording starts at entry ${firstId}: the journal has dropped earlier requests. To keep more, set createSimulator({ journal: { entries, bytes } }).`
  // The world of the journal has the forgotten changes that came before the first request.
  const needed = (world === undefined ? first : previous)?.place ?? 0
  const isForgotten = first !== undefined && needed < changes.oldest
  const gaps = [...(isCut ? [cut] : []), ...(isForgotten ? [forgotten] : [])]
  const placed = all.flatMap((record, index) =>
    chosen.has(record) ? [{ record, position: index }] : [],
  )
  return { records: placed, steps, firstMove, startingWorld, warnings: [...gaps, ...warnings] }
}

const forgotten =
  'The recording leaves out changes of the world without a request: only the latest ones are stored. Record earlier, or change fewer rows.'

/** The place of the oldest edit between two requests that is known. */
function placeAfter(
  previous: JournalRecord | undefined,
  { place }: JournalRecord,
  changes: ChangeLog,
): number {
  const from = Math.max(previous?.place ?? 0, changes.oldest)
  // The requests that wrote between them may be evicted, or not stored yet.
  const between = changes.since(from).slice(0, Math.max(0, place - from))
  return from + between.findLastIndex(isOfRequest) + 1
}

function isOfRequest(change: Change): boolean {
  return 'list' in change && change.isByRequest
}

/** When the clock was frozen at the start of a recording, in milliseconds since 1970. Null if it ran. */
function startTime(clock: Clock, { firstMove, records: [first] }: JournalSpan): number | null {
  const { mode } = firstMove?.from ?? clock
  const now = firstMove?.from.now ?? first?.record.at
  return mode === 'frozen' && now !== undefined ? new Date(now).getTime() : null
}
