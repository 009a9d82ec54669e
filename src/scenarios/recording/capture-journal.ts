import * as z from 'zod'
import { bytesToExchangedBody, type Exchange, type ExchangedBody } from '../../http/exchange.ts'
import {
  bodyLength,
  bodyText,
  isOmitted,
  type MessageBody,
  sentHeaders,
} from '../../http/messages.ts'
import { diffSettings, toProfile } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { isBodyCut } from '../../simulator/faults/fault.ts'
import type { FaultRequest } from '../../simulator/faults/schema.ts'
import { type ClockMove, isWriteOfRequest, sizeOfRows } from '../../simulator/journal/changes.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import type { Sandboxes } from '../../simulator/sandboxes/sandboxes.ts'
import type { State } from '../../simulator/state.ts'
import { UsageError } from '../../utils/errors.ts'
import { isSameJson } from '../../utils/json.ts'
import { listOf } from '../../utils/options.ts'
import { isAlias } from '../../utils/redaction/names.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { type ClockReading, type ClockSetting, formatIsoTime } from '../../world/clock/clock.ts'
import { exportWorld } from '../../world/load/export-world.ts'
import { fixtureNames, isBuiltInWorld } from '../../world/load/load-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, Scenario } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'
import {
  createHider,
  formatStepWarnings,
  type Recorded,
  type RecorderOptions,
  type Recording,
  type RecordingHead,
  recordSteps,
  toScenario,
} from './recorder.ts'
import { measureThrottling } from './throttling.ts'

/** Which part of a journal is recorded. */
export interface RecordOptions extends Pick<RecordingHead, 'title'> {
  /** Records only the entries with these ids */
  readonly entries?: readonly number[] | undefined
}

const recordOptions = z.strictObject({
  title: z.string().optional(),
  entries: listOf(z.int()).optional(),
})

/** The fixtures that can be replayed in a simulator. @internal */
type Fixtures = Pick<Sandboxes<unknown>, 'hasSource' | 'loadSource'>

/**
 * Makes a scenario of a journal: the requests in the order in which they were carried out, and between them the changes without
 * a request. Rows that somebody wrote, replaced or restored become the world as the next request met it. Changes of settings,
 * the clock and faults become steps.
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
  const { journal } = state
  const keys = journalKeys(state)
  // A fault can delay a response after the request was carried out.
  const all = journal.records.sort((a, b) => a.changeIndex - b.changeIndex)
  const isRecorded = ({ id }: JournalRecord) => entries?.includes(id) ?? true
  const from = all.findIndex(isRecorded)
  const first = all[from]
  const start = first && worldBefore(first, state)
  const recordings = changesBefore(from < 0 ? [] : all.slice(from), isRecorded, state)
  const exchanges = recordings.map(({ record }) => keys.exchange(record))
  const { lasts, waits } = measureThrottling(
    recordings.map(({ record: { operation }, from: at }, id) => ({ id, operation, at })),
    exchanges,
  )
  const items = recordings.flatMap(({ record, changes }, index): Recorded[] => {
    const before = [...changes, waits.get(index) ?? []].flat()
    const exchange = exchanges[index] as Exchange
    return [...before.map((change) => ({ change })), { exchange, fault: toFaultStep(record) }]
  })
  const named = start ? nameStart(start, fixtures) : null
  const recorded = recordSteps(items, keys.options, { world: (!named && start) || undefined })
  const clock = first && startClock(state, first, lasts.size > 0)
  const head: RecordingHead = {
    ...(title !== undefined && { title }),
    ...named,
    ...(recorded.world && { world: recorded.world }),
    ...(first && describeSettings(first.settings)),
    ...(clock && clock !== 'real' && { clock }),
  }
  const cure = 'To keep more, set createSimulator({ journal: { entries, bytes } }).'
  return {
    scenario: toScenario(recorded.steps, head),
    warnings: [
      ...(entries === undefined && journal.cut ? [`${journal.cut} ${cure}`] : []),
      ...(start ? [] : [noWorld]),
      ...formatStepWarnings(recorded.warnings),
    ],
  }
}

/**
 * What changed without a request before each request that is recorded, from the first one on, and when it was sent: in
 * milliseconds, by the clock of the world, without the time that a step for the clock sets.
 */
function changesBefore(
  records: readonly JournalRecord[],
  isRecorded: (record: JournalRecord) => boolean,
  state: State,
) {
  const { changes: log, memory } = state
  const bytes = sizeOfRows(state.loaded)
  let worlds = 0
  let [previous] = records
  let index = Math.max(previous?.changeIndex ?? 0, log.oldest)
  let resetWorld = previous && worldBefore(previous, state)
  let isEdited = false
  let moved: ClockMove | undefined
  /** When the last request was sent, and by how much the steps for the clock have set it forward */
  let [from, ahead] = [0, 0]
  return records.flatMap((record) => {
    const between = log.since(index).slice(0, Math.max(0, record.changeIndex - index))
    index = Math.max(index, record.changeIndex)
    isEdited ||= between.some((change) => !('to' in change || isWriteOfRequest(change)))
    moved = between.findLast((change) => 'to' in change) ?? moved
    if (!isRecorded(record)) {
      isEdited ||= record.changes.length > 0
      return []
    }
    const world = isEdited ? worldBefore(record, state) : null
    if (world) worlds += bytes
    if (worlds > memory.most) throw new UsageError(tooLarge)
    const settings = previous ? diffSettings(previous.settings, record.settings) : {}
    const changes: ChangeStep[] = [
      ...(world ? [isSameJson(world, resetWorld) ? { reset: true as const } : { world }] : []),
      ...(moved ? [{ clock: toClockSetting(moved.to) }] : []),
      ...(Object.keys(settings).length > 0 ? [{ settings }] : []),
    ]
    if (moved) ahead = Date.parse(moved.to.now) - from
    from = record.at - ahead
    resetWorld = world ?? resetWorld
    isEdited = false
    moved = undefined
    previous = record
    return [{ record, changes, from }]
  })
}

function worldBefore({ changeIndex }: JournalRecord, { changes, loaded }: State): WorldJson | null {
  const world = changes.worldAt(changeIndex, loaded)
  return world && exportWorld(world)
}

function describeSettings(values: SettingValues): Pick<RecordingHead, 'profile' | 'settings'> {
  const { profile, settings } = toProfile(values)
  return { profile, ...(Object.keys(settings).length > 0 && { settings }) }
}

/** Writes requests of a journal without secrets and personal data. @returns for each its exchange, and the comment */
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

/** The keys that the world of a journal has or had, and the token of its server. */
function journalKeys({ labels: { known: labels }, journal, keyOwners }: State): {
  readonly options: RecorderOptions
  exchange(record: JournalRecord): Exchange
} {
  // Labels that an earlier recording gave are no aliases for others.
  const texts = [...labels].flatMap(([value, label]) => (isAlias(label) ? [value, label] : value))
  return {
    options: {
      redact: journal.limits.redact,
      keys: Object.fromEntries([...texts, ...keyOwners.secrets].map((text) => [text, text])),
    },
    // A key without a label has its value as label. Both are replaced like those of its row. The world has all keys: a key
    // that is not among them is refused again.
    exchange: (record) => ({
      ...recordToExchange(record),
      key: labels.get(record.sentKey ?? '') ?? null,
    }),
  }
}

const tooLarge =
  'Failed to record: rows were written without a request so often that the recording would take more memory than the server has for rows. Name fewer entries.'

const noWorld =
  'The recording names no world: the rows before the first request are no longer known. Record earlier, or write the name of a fixture as "world" in the file.'

/**
 * The start of a recording if the world is a fixture: its name, and the seed if that differs. Null for another world.
 * The values of keys do not count.
 */
function nameStart(world: WorldJson, fixtures: Fixtures): Pick<Scenario, 'world' | 'seed'> | null {
  const text = comparableText(world)
  for (const name of fixtureNames) {
    if (!isBuiltInWorld(name) && !fixtures.hasSource(name)) continue
    const fixture = exportWorld(fixtures.loadSource(name))
    if (comparableText(fixture) !== text) continue
    const { seed } = world
    return { world: name, ...(seed !== undefined && seed !== fixture.seed && { seed }) }
  }
  return null
}

function comparableText({ seed: _, keys = [], ...world }: WorldJson) {
  // A revoked key that is there again comes last.
  return JSON.stringify([world, keys.map(({ value: __, ...key }) => JSON.stringify(key)).sort()])
}

/** The clock of the first request. @param isLasting whether a refusal names a wait: a test can set the clock in its place */
function startClock(
  { clock, changes }: State,
  { changeIndex, at }: JournalRecord,
  isLasting: boolean,
): ClockSetting {
  const move = changes.since(changeIndex).find((change) => 'to' in change)
  const { mode } = move?.from ?? clock
  const shown = isLasting && mode === 'real' ? 'ticking' : mode
  return toClockSetting({ mode: shown, now: formatIsoTime(at) })
}

/** A journal record as an exchange, with secrets as they were sent. */
function recordToExchange(record: JournalRecord): Exchange {
  const { at, ms, method, url, requestHeaders, requestBody, response } = record
  return {
    at: formatIsoTime(at),
    ms,
    method,
    url: url.replace(/#.*/s, ''),
    request: {
      headers: [...requestHeaders.entries()],
      body:
        requestBody === null
          ? null
          : toExchangedBody(requestBody, requestHeaders.get('content-type')),
    },
    // The journal contains the whole body.
    response: isBodyCut(record, bodyLength(response.body) ?? 0)
      ? { status: 0, headers: [], body: null }
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

function toClockSetting({ mode, now }: ClockReading): ClockSetting {
  if (mode === 'real') return 'real'
  const time = formatIsoTime(new Date(now).getTime())
  return mode === 'frozen' ? time : { mode, now: time }
}

/**
 * The step for the fault of a request. Null without one, for one that edited rows, whose edits are steps, and for a request
 * that went on after a hold, which takes no time in a replay.
 */
function toFaultStep({ fault, operation, response }: JournalRecord): ChangeStep | null {
  if (!fault) return null
  const { phase } = fault
  const { hold, timeout_ms, edit, ...others } = fault.effect
  const { delay_ms } = others
  // The fault broke the connection, or the client or a reset ended it while the request waited.
  const isBroken = response.status === 0
  const effect = isBroken ? { drop: true as const, ...(delay_ms && { delay_ms }) } : others
  if (Object.keys(effect).length === 0) return null
  // With its operation, a test of the recording meets it whatever else the client sends before.
  const rule = { ...(operation && { operation }), when: { times: 1 }, phase, effect }
  return { fault: escapeLiterals(rule) as FaultRequest }
}
