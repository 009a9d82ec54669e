import { Failure } from '../../src/http/failures.ts'
import { describeIgnored, type IgnoredInput } from '../../src/http/ignored-input.ts'
import { urlEncodedType } from '../../src/http/input.ts'
import type { MessageBody, ShownPage } from '../../src/http/messages.ts'
import type { ObservedEntry } from '../../src/mistakes/client-request.ts'
import { readFields } from '../../src/mistakes/stored-fields.ts'
import { type SettingId, SettingReads, type SettingValues } from '../../src/settings/setting.ts'
import type { EffectName, FaultEffect, FaultPhase } from '../../src/simulator/faults/fault.ts'
import type { RowChange } from '../../src/simulator/journal/changes.ts'
import type {
  JournalChange,
  JournalEntry,
  JournalMessage,
} from '../../src/simulator/journal/entry.ts'
import { JournalRecord } from '../../src/simulator/journal/journal.ts'
import { reasonWithoutStatus } from '../../src/simulator/journal/request-line.ts'
import { JsonText, tryParseJson } from '../../src/utils/json.ts'
import { writeQuery } from '../../src/utils/query.ts'
import { Redactor } from '../../src/utils/redaction/redactor.ts'

/** An entry as a test writes it, with what the record of a request knows besides. */
export interface Entry extends JournalEntry {
  readonly timed?: boolean
  /** How many times all rows had been replaced before */
  readonly resets?: number
  readonly missing_row?: boolean
  /** The id of the row before the first one of a page */
  readonly preceding_row?: number
  /** The ids of the requests that got their response after this one arrived and before its own */
  readonly overlaps?: readonly number[]
}

/** An entry as if it had just been recorded. Its keys are masked already. */
export function readEntry(entry: Entry): ObservedEntry {
  const { key, test, reason, request, response } = entry
  return {
    record: toRecord(entry),
    client: key ? JSON.stringify(key) : '',
    key,
    test,
    asked_for: undefined,
    reason,
    bytes: { sent: request.bytes, received: response.bytes },
    redactor: new Redactor({
      finds: 'names',
      replace: (value) => value,
      number: (written) => written,
    }),
  }
}

function toRecord(entry: Entry): JournalRecord {
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
    settingReads: new SettingReads().addAll(settings.map((setting) => setting.id as SettingId)),
    replaceCount: entry.resets ?? 0,
    changeIndex: 0,
    changes: entry.changes.map((change) => fromJournalChange(change, request.body)),
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
function toPage({ preceding_row: before, response }: Entry): ShownPage | undefined {
  if (before === undefined || response.omitted) return undefined
  const { results: rows, next, previous } = Object(response.body)
  return { rows, next, previous, before }
}

/** The write behind the change of an entry. A new row has what was sent. */
function fromJournalChange({ list, id, kind, fields }: JournalChange, sent: unknown): RowChange {
  const rowAt = (index: 0 | 1): object => {
    const values = Object.entries(fields).map(([name, pair]) => [name, pair[index]])
    const stored = kind === 'created' && readFields(list, sent, {} as SettingValues)
    return { [list === 'keys' ? 'value' : 'id']: id, ...stored, ...Object.fromEntries(values) }
  }
  const [before, after] = [
    kind === 'created' ? undefined : rowAt(0),
    kind === 'removed' ? undefined : rowAt(1),
  ]
  return { list, before, after, isByRequest: true, bytes: 0, growth: 0 }
}

/** Reads what `describeIgnored` wrote. */
function parseIgnored(text: string): IgnoredInput {
  const [, name = '', value, profile = ''] =
    /^(?:body\.|\?)([\w-]+)(?: above (\d+)|, which (?:only responses have|the profile (\w+) reads))$/.exec(
      text,
    ) ?? []
  const known: readonly IgnoredInput[] = [
    { in: 'body', name, why: 'response_only' },
    { in: 'body', name: '', why: 'json_as_form' },
    { in: 'body', name, why: 'other_profile', value: profile },
    { in: 'query', name, why: 'other_profile', value: profile },
    { in: 'query', name, why: 'lowered', ...(value !== undefined && { value }) },
  ]
  const listed = known.find((input) => describeIgnored(input) === text)
  if (listed) return listed
  const [, place, other = '', meant] =
    /^(body\.|\?)([\w-]+)(?:, did you mean ([\w-]+)\?)?$/.exec(text) ?? []
  const unknown = { in: place === '?' ? 'query' : 'body', name: other, why: 'unknown' } as const
  return meant === undefined ? unknown : { ...unknown, meant }
}
