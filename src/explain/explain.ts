import { bodyText, isOmitted, requestTarget } from '../http/messages.ts'
import { apiPath } from '../http/route.ts'
import type { SettingId } from '../settings/setting.ts'
import { isByFault } from '../simulator/journal/explain-response.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import { WrittenEntry } from '../simulator/journal/written-entry.ts'
import type {
  ExplainedResponse,
  ResponseReasons,
  SuggestedRequest,
} from '../simulator/response-reasons.ts'
import type { State } from '../simulator/state.ts'
import { inspectValue, UsageError } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import { isResponse } from '../utils/kinds.ts'
import { type KeyRedactor, maskKey } from '../utils/redaction/redactor.ts'
import { findDecisions } from './deciding-settings.ts'
import { byEvidence, settingReason } from './evidence.ts'
import { findAcceptedRequest, type PlainRequest } from './suggest-request.ts'

const journalOff =
  'Failed to explain a response: the journal is off. Set the option journal: { entries: 1_000 }.'

/** Explains a response. @throws UsageError if the journal has no such response */
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
  if (state.journal.isOff) throw new UsageError(journalOff)
  throw new UsageError(
    `Failed to explain a response: the journal has no entry ${id}. It never existed, or is no longer stored.`,
  )
}

/** Explains the response of an entry. @returns undefined for an unknown or evicted entry */
export function explainEntry(id: number, state: State): ResponseReasons | undefined {
  const record = state.journal.records.find((record) => record.id === id)
  return record && explainRecord(record, state)
}

/** The latest record with the URL and the status of a response, and with its body, if that was not read. */
async function findByResponse(response: Response, state: State): Promise<JournalRecord> {
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
  if (state.journal.isOff) throw new UsageError(journalOff)
  throw new UsageError(
    'Failed to explain a response: the journal has no response like it. Pass a response of this simulator to a path of the API, or the id of an entry.',
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

function mayHaveSent({ method, response: { body } }: JournalRecord, text: string): boolean {
  return isOmitted(body) || text === (method === 'HEAD' ? '' : bodyText(body))
}

function explainRecord(record: JournalRecord, state: State): ResponseReasons {
  const { id, settings, response } = record
  const written = new WrittenEntry(record, state)
  const entry = written.toJSON()
  const toReason = (id: SettingId) => settingReason(id, settings)
  const isSuccess = response.status < 400
  const isOfFault = isByFault(record)
  const decisions = findDecisions(record, state)
  const ids = [
    ...new Set([...decisions, ...entry.settings.map((setting) => setting.id as SettingId)]),
  ]
  const reasons = ids.map(toReason)
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
    body: redactor.json(body ?? null, isForm),
  }
}
