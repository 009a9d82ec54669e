import { checks, failureFormats } from '../http/failures.ts'
import { bodyText, isOmitted, requestTarget } from '../http/messages.ts'
import { apiPath } from '../http/route.ts'
import { documentLines } from '../settings/document.ts'
import { byEvidence } from '../settings/evidence.ts'
import {
  describeValue,
  type SettingId,
  type SettingValues,
  settingsById,
} from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import { isByFault, isReplacedByFault, WrittenEntry } from '../simulator/journal/written-entry.ts'
import type {
  ExplainedResponse,
  Reason,
  ResponseReasons,
  SuggestedRequest,
} from '../simulator/response-reasons.ts'
import type { State } from '../simulator/state.ts'
import { inspectValue, UsageError } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import { isResponse } from '../utils/kinds.ts'
import { type KeyRedactor, maskKey } from '../utils/redaction/redactor.ts'
import { type OtherAnswer, otherAnswers, PastRequest } from './past-request.ts'
import { findAcceptedRequest, type PlainRequest } from './suggest-request.ts'

/** @param found why there is nothing to explain, if the journal is on */
function noResponse({ journal }: State, found: string) {
  const reason = journal.isOff
    ? 'the journal is off. Set the option journal: { entries: 1_000 }.'
    : found
  return new UsageError(`Failed to explain a response: ${reason}`)
}

/** @throws UsageError if the journal has no such response, or no entry with this id */
export async function explain(input: ExplainedResponse, state: State): Promise<ResponseReasons> {
  if (isResponse(input)) return explainRecord(await findByResponse(input, state), state)
  const id = Number((isObject(input) ? input.id : input) ?? Number.NaN)
  if (Number.isNaN(id)) {
    const got = input === undefined ? 'undefined' : inspectValue(input)
    throw new UsageError(
      `Failed to explain a response: expected a response, a journal entry or its id, got ${got}.`,
    )
  }
  const reasons = explainEntry(id, state)
  if (reasons) return reasons
  const missing = `the journal has no entry ${id}. It never existed, or is no longer stored.`
  throw noResponse(state, missing)
}

/** Explains the response of an entry. @returns undefined for an unknown or evicted entry */
export function explainEntry(id: number, state: State): ResponseReasons | undefined {
  const record = state.journal.records.find((record) => record.id === id)
  return record && explainRecord(record, state)
}

/** The latest record with the URL and the status of a response, and with its body, if that was not read. */
async function findByResponse(response: Response, state: State) {
  const { url, status } = response
  const target = apiPath(requestTarget(url))
  const text = await unreadText(response)
  const record = state.journal.records.findLast(
    (record) =>
      record.response.status === status &&
      apiPath(record.target) === target &&
      (text === null || mayHaveSent(record, text)),
  )
  if (record) return record
  throw noResponse(
    state,
    'the journal has no response like it. Pass a response of this simulator to a path of the API, or the id of an entry.',
  )
}

/** The text of a body. Null if it was read, and if it may never end, because a fault sends it slowly or in part. */
async function unreadText(response: Response): Promise<string | null> {
  const isWhole = !response.bodyUsed && response.headers.has('content-length')
  return isWhole
    ? response
        .clone()
        .text()
        .catch(() => null)
    : null
}

function mayHaveSent({ method, response: { body } }: JournalRecord, text: string) {
  return isOmitted(body) || text === (method === 'HEAD' ? '' : bodyText(body))
}

function explainRecord(record: JournalRecord, state: State): ResponseReasons {
  const { id, settings, response } = record
  const written = new WrittenEntry(record, state)
  const entry = written.toJSON()
  const isSuccess = response.status < 400
  const isOfFault = isByFault(record)
  const decisions = findDecisions(record, state)
  const read = entry.settings.map((setting) => setting.id as SettingId)
  const ids = [...new Set([...decisions, ...read])]
  const reasons = ids.map((id) => settingReason(id, settings))
  // After too many requests, and with a fault that changed the response, the same request may fail again.
  const isRefused = !isSuccess && response.status !== 429 && !isOfFault
  const accepted = isRefused ? findAcceptedRequest(record, state) : null
  return {
    entry: id,
    status: response.status,
    sentence: entry.reason ?? `${response.status}: ${entry.operation ?? entry.method} succeeded.`,
    ignored: entry.ignored,
    decided_by: (!isOfFault && decisions.length > 0 && reasons[0]) || null,
    settings: isSuccess ? reasons.sort(byEvidence) : reasons,
    would_succeed: accepted && toSuggestion(accepted, state, written.redactor),
  }
}

/** Shows a request as its entry is shown. */
function toSuggestion(
  { method, prefix, path, query, key, body, isForm }: PlainRequest,
  { tables }: State,
  redactor: KeyRedactor,
): SuggestedRequest {
  const label = key === null ? undefined : tables.keys.get(key)?.label
  return {
    method,
    path: redactor.url(`${prefix}${path}${query === '' ? '' : `?${query}`}`),
    key:
      key === null ? null : { label: label === key ? null : (label ?? null), value: maskKey(key) },
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: redactor.json(body ?? null, [], isForm),
  }
}

/** These say only which status a refusal has. They are named if no setting decides that the request is refused. */
const statusSettings: readonly SettingId[] = ['keys.missing.status', 'keys.insufficient.status']

/** The response to a request under another value of a setting. */
type Trial = OtherAnswer['answer'] & { readonly id: SettingId }

/**
 * Finds the settings that decided a refusal: with another value of any one of them, the status would have been another. If
 * some values would have accepted the request, only their settings are returned. A value with which an earlier check would
 * have refused the request does not count. The request is answered again under each other value of each setting that was
 * read, in copies of the rows as they were then.
 *
 * @returns an empty list if no setting decided, if a fault did, or if these rows are no longer known
 */
function findDecisions(record: JournalRecord, state: State): readonly SettingId[] {
  const { response, requestBody, failure } = record
  if (response.status < 400 || isReplacedByFault(record)) return []
  if (response.status === 413 && isOmitted(requestBody)) return ['limits.body']
  const trials = trySettings(record, state)
  const differing = trials.filter(({ status }) => status !== response.status)
  const accepting = differing.filter(({ status }) => status < 400).sort(bySpeciality)
  const reasons = differing.filter(({ id }) => !statusSettings.includes(id))
  const others = trials.filter((trial) => failure && trial.failure?.name !== failure.name)
  const groups = [accepting, reasons, differing, others]
  return [...new Set(groups.find(({ length }) => length > 0)?.map(({ id }) => id))]
}

function trySettings(record: JournalRecord, state: State): readonly Trial[] {
  const { response, failure } = record
  const own = PastRequest.open(record, state)?.answer()
  if (own?.status !== response.status) return []
  const trials = [...otherAnswers(record, state)].map(({ id, answer }) => ({ ...answer, id }))
  return trials.filter((trial) => !isFoundEarlier(trial, { failure, route: own.route }))
}

/** A setting that is not read under another value of a second one is more special than that: it comes first. */
function bySpeciality(a: Trial, b: Trial) {
  return Number(b.reads.includes(a.id)) - Number(a.reads.includes(b.id))
}

type RoutedFailure = Pick<Trial, 'route' | 'failure'>

/** The place of the check that finds a failure, in the order of the checks. Null without one */
function orderOfCheck({ failure, route }: RoutedFailure): number | null {
  if (!failure) return null
  const { check = failureFormats[failure.name].check } = failure.details
  return checks.indexOf(route ? check : 'path')
}

/** Whether an earlier check found one failure than another. */
function isFoundEarlier(...both: readonly [RoutedFailure, RoutedFailure]) {
  const [earlier, later] = both.map(orderOfCheck)
  if (earlier == null || later == null) return false
  // Where a setting allows a key in the body, a missing key is found after the syntax of the body.
  if (earlier === checks.indexOf('body') && later === checks.indexOf('key')) return true
  return earlier < later
}

function settingReason(id: SettingId, settings: SettingValues): Reason {
  const value = settings[id]
  const { meaning, evidence, source } = describeValue(id, value)
  const { question, cites } = settingsById[id]
  const sentence = `${question} ${meaning}`
  const documentation = cites.map((line) => documentLines[line])
  return { id, value, sentence, evidence, source, documentation }
}
