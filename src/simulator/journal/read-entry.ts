import { Failure } from '../../http/failures.ts'
import { parseIgnored } from '../../http/ignored-input.ts'
import { urlEncodedType } from '../../http/input.ts'
import type { MessageBody, ShownPage } from '../../http/messages.ts'
import { type SettingId, SettingReads, type SettingValues } from '../../settings/setting.ts'
import { JsonText, tryParseJson } from '../../utils/json.ts'
import { writeQuery } from '../../utils/query.ts'
import { Redactor } from '../../utils/redaction/redactor.ts'
import type { EffectName, FaultEffect, FaultPhase } from '../faults/fault.ts'
import type { JournalEntry, JournalMessage } from './entry.ts'
import { JournalRecord } from './journal.ts'
import { reasonWithoutStatus } from './request-line.ts'
import { fromJournalChange } from './row-changes.ts'

/** What the rules about clients read: a request that was just recorded, or one of a file. */
export interface ObservedEntry {
  /** To compare, and never to be shown */
  readonly record: JournalRecord
  /** What tells its client from others. Never shown */
  readonly client: string
  readonly test: string | undefined
  /** Whether it was refused, and verified by its status */
  readonly asked_for?: boolean | undefined
  /** Why the response is as it is, with masked keys */
  readonly reason: string | null
  readonly bytes: { readonly sent: number; readonly received: number }
  /** Masks what is shown */
  readonly redactor: Redactor
}

/** An entry of a file, as if it had just been recorded. Its keys are masked already. */
export function readEntry(entry: JournalEntry): ObservedEntry {
  const { key, test, asked_for, reason, request, response } = entry
  return {
    record: toRecord(entry),
    client: key ? JSON.stringify(key) : '',
    test,
    asked_for,
    reason,
    bytes: { sent: request.bytes, received: response.bytes },
    redactor: new Redactor({
      hidesPersonalData: false,
      namesOnly: true,
      replace: (value) => value,
      number: (written) => written,
    }),
  }
}

function toRecord(entry: JournalEntry): JournalRecord {
  const { id, at, timed = false, ms, operation, method, path, query } = entry
  const { request, response, reason, settings, fault, missing_row, overlaps = [] } = entry
  const target = `${path}?${writeQuery(Object.entries(query))}`.replace(/\?$/, '')
  const body = toBody(response)
  return JournalRecord.of({
    ...{ id, at: Date.parse(at), isTimed: timed, ms, operation, method, url: target, target },
    // The ids of entries take the place of the positions of their responses.
    ...{ arrival: { position: id, unsent: overlaps }, position: id },
    // A mask is no valid value of `Headers`.
    requestHeaders: {
      get: (name) => request.headers[name] ?? null,
      entries: () => Object.entries(request.headers),
    },
    sentKey: undefined,
    requestBody: toBody(request) as JournalRecord['requestBody'],
    response: { status: response.status, headers: response.headers, body, page: toPage(entry) },
    settings: Object.fromEntries(
      settings.map((setting) => [setting.id, setting.value]),
    ) as unknown as SettingValues,
    settingReads: SettingReads.of(settings.map((setting) => setting.id as SettingId)),
    replaceCount: entry.resets ?? 0,
    changeIndex: 0,
    changes: entry.changes.map(fromJournalChange),
    failure: missing_row ? new Failure('not_found', undefined, { isRowMissing: true }) : undefined,
    refusal: reason === null ? undefined : reasonWithoutStatus(reason, response.status),
    ignored: entry.ignored.map(parseIgnored),
    fault: fault && {
      id: fault.id,
      effect: fault.effect as FaultEffect,
      phase: fault.phase as FaultPhase,
      effects: Object.keys(Object(fault.effect)) as EffectName[],
    },
  })
}

/** A body that is decoded to the value that the entry has. */
function toBody({ headers, body, bytes, omitted }: JournalMessage): MessageBody {
  if (omitted) return { omitted: bytes }
  if (body === null) return null
  const isForm = headers['content-type']?.startsWith(urlEncodedType) === true
  if (isForm) return new JsonText(writeQuery(Object.entries<string>(Object(body))))
  const isText = typeof body === 'string' && tryParseJson(body) === undefined
  return new JsonText(isText ? body : JSON.stringify(body))
}

/** The page of a list that the service sent. Undefined for any other response, and for one that begins with the first row. */
function toPage({ preceding_row: before, response }: JournalEntry): ShownPage | undefined {
  if (before === undefined || response.omitted) return undefined
  const { results: rows, next, previous } = Object(response.body)
  return { rows, next, previous, before }
}
