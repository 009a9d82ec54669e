import { checks, type Failure, failureFormats, toApiError } from '../../http/failures.ts'
import { type ApiResponse, bodyText, isOmitted } from '../../http/messages.ts'
import { isReplacedByFault } from '../../sandbox/journal/explain-response.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { type DecisionSource, PastRequest } from '../../sandbox/journal/past-request.ts'
import { parseRequestBody } from '../../sandbox/journal/render-parts.ts'
import { listUsedSettings } from '../../sandbox/journal/used-settings.ts'
import {
  otherValues,
  type SettingId,
  type SettingValues,
  settingsById,
} from '../../settings/setting.ts'
import { tryParseJson } from '../../utils/foreign-json.ts'
import { isObject } from '../../utils/json.ts'
import { isSameJson } from '../../world/edit/row-json.ts'
import type { Field } from '../../world/entities/field.ts'
import { plugin } from '../../world/entities/plugin.ts'

/** These say only which status a refusal has. They are named if no setting decides that the request is refused. */
const statusSettings: readonly SettingId[] = ['keys.missing.status', 'keys.insufficient.status']

/** The response to a request under another value of a setting. */
type Trial = ReturnType<PastRequest['answer']> & {
  readonly id: SettingId
  readonly value: string | number
}

/**
 * Finds the settings that decided a refusal: with another value of any one of them, the status would have been another. If some values would have accepted the request, only their settings are returned. A value with which an
 * earlier check would have refused the request does not count. The request is answered again under each other value of
 * each setting that was read, in copies of the rows as they were then.
 *
 * @returns an empty list if no setting decided, if a fault did, or if these rows are no longer known
 */
export function findDecisions(record: JournalRecord, source: DecisionSource): readonly SettingId[] {
  const { response, requestBody, failure } = record
  if (response.status < 400 || isReplacedByFault(record)) return []
  if (response.status === 413 && isOmitted(requestBody)) return ['limits.body']
  const trials = trySettings(record, source)
  const differing = trials.filter(({ status }) => status !== response.status)
  const accepting = differing.filter(({ status }) => status < 400).sort(bySpeciality)
  const reasons = differing.filter(({ id }) => !statusSettings.includes(id))
  const others = trials.filter((trial) => failure && trial.failure?.name !== failure.name)
  const groups = [accepting, reasons, differing, others]
  return idsOf(groups.find(({ length }) => length > 0) ?? [])
}

/** How settings influenced a response. */
interface SettingInfluence {
  /**
   * The settings that decided a success. With another value of any one of the first ones it would have been refused, the
   * earliest check first. The others gave it another content than the documented value does
   */
  readonly permissions: readonly SettingId[]
  /** The settings with another value of which a success would have had other rows */
  readonly rows: readonly SettingId[]
  /** The settings with another value of which the status, the rows or the fields would be others */
  readonly shaping: readonly SettingId[]
}

const noInfluence: SettingInfluence = { permissions: [], rows: [], shaping: [] }

/** Finds how settings influenced a response. */
export function findInfluence(record: JournalRecord, source: DecisionSource): SettingInfluence {
  const { settings, response } = record
  const own = isReplacedByFault(record) ? undefined : PastRequest.open(record, source)?.answer()
  if (!own) return noInfluence
  const trials = trySettings(record, source, oneMore(settings))
  const isOther = (trial: Trial): boolean => !hasSameContent(own, trial, record)
  const shaping = trials.filter((trial) => trial.status !== own.status || isOther(trial))
  if (response.status >= 400) return { ...noInfluence, shaping: idsOf(shaping) }
  const isWhole = isWholePlugin(record)
  const refusing = trials
    .filter(isRefused)
    .filter(({ failure }) => !isWhole || !missesField(failure))
    .sort((one, other) => orderOfCheck(one) - orderOfCheck(other))
  // OPTIONS describes what the settings allow.
  const others = record.method === 'OPTIONS' ? [] : trials.filter((trial) => !isRefused(trial))
  const documented = others.filter(
    (trial) => trial.value === settingsById[trial.id].documented && isOther(trial),
  )
  return {
    permissions: idsOf([...refusing, ...documented]),
    rows: idsOf(others.filter((trial) => !hasSameRows(own, trial))),
    shaping: idsOf(shaping),
  }
}

/** The next number of each setting of whole numbers: with it, a list that was cut has one more row. */
function oneMore(settings: SettingValues): Parameters<typeof otherValues>[2] {
  const numbers = Object.entries(settings).filter(([, value]) => typeof value === 'number')
  return Object.fromEntries(numbers.map(([id, value]) => [id, [Number(value) + 1]]))
}

function idsOf(trials: readonly Trial[]): readonly SettingId[] {
  return [...new Set(trials.map(({ id }) => id))]
}

/** Answers a request under each other value of each setting that it read. */
function trySettings(
  record: JournalRecord,
  source: DecisionSource,
  numbers?: Parameters<typeof otherValues>[2],
): readonly Trial[] {
  const { settings, response, failure } = record
  const past = PastRequest.open(record, source)
  const own = past?.answer()
  if (!past || own?.status !== response.status) return []
  return otherValues(listUsedSettings(record), settings, numbers).flatMap(({ id, value }) => {
    const trial: Trial = { ...past.answer({ [id]: value }), id, value }
    const isEarlier =
      failure && isRefused(trial) && isFoundEarlier(trial, { failure, route: own.route })
    return isEarlier ? [] : [trial]
  })
}

function isRefused(trial: Trial): trial is Trial & { failure: Failure } {
  return trial.failure !== undefined
}

/** A setting that is not read under another value of a second one is more special than that: it comes first. */
function bySpeciality(one: Trial, other: Trial): number {
  return Number(other.reads.includes(one.id)) - Number(one.reads.includes(other.id))
}

/** Whether a body has every field that the documentation lists for a plugin, so that none can be missing. */
function isWholePlugin(record: JournalRecord): boolean {
  const body = parseRequestBody(record)
  const writable = Object.values(plugin.fields as Readonly<Record<string, Field>>).filter(
    (field) => field.writable,
  )
  return isObject(body) && writable.every(({ name }) => Object.hasOwn(body, name))
}

function missesField(failure: Failure): boolean {
  const isUrlMissing = failure.name === 'server_error' && failure.details.instead !== undefined
  return isUrlMissing || toApiError(failure).code === 'required'
}

type RoutedFailure = Pick<Trial, 'route'> & { readonly failure: Failure }

/** The place of the check that finds a failure, in the order of the checks. */
function orderOfCheck({ failure, route }: RoutedFailure): number {
  const { check = failureFormats[failure.name].check } = failure.details
  return checks.indexOf(route ? check : 'path')
}

/** Whether an earlier check found one failure than another. */
function isFoundEarlier(one: RoutedFailure, other: RoutedFailure): boolean {
  const [earlier, later] = [orderOfCheck(one), orderOfCheck(other)]
  // Where a setting allows a key in the body, a missing key is found after the syntax of the body.
  if (earlier === checks.indexOf('body') && later === checks.indexOf('key')) return true
  return earlier < later
}

/** Whether two responses have the same rows and count, the same fields, and the same values in the fields that were sent. */
function hasSameContent(one: ApiResponse, other: ApiResponse, record: JournalRecord): boolean {
  const sent = Object.keys(Object(parseRequestBody(record)))
  const contentOf = (response: ApiResponse): unknown => {
    const { value, rows } = readBody(response)
    return [
      Array.isArray(value),
      Object.keys(Object(value)),
      Object.entries(Object(rows[0])).map(([name, inner]) => [name, Object.keys(Object(inner))]),
      sent.map((name) => Object(value)[name]),
    ]
  }
  return hasSameRows(one, other) && isSameJson(contentOf(one), contentOf(other))
}

/** Whether two responses have the same rows, on all pages as many. */
function hasSameRows(one: ApiResponse, other: ApiResponse): boolean {
  const rowsOf = (response: ApiResponse): unknown => {
    const { value, rows } = readBody(response)
    return [Object(value).count ?? null, rows.map((row) => Object(row).id ?? row)]
  }
  return isSameJson(rowsOf(one), rowsOf(other))
}

/** The value of a body, and its rows: itself, or those of a list. */
function readBody({ body }: ApiResponse): { value: unknown; rows: readonly unknown[] } {
  const value: unknown = tryParseJson(bodyText(body))?.value
  const list = Array.isArray(value) ? value : Object(value).results
  return { value, rows: Array.isArray(list) ? list : [value] }
}
