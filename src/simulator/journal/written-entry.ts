import { endpoints } from '../../api/endpoints.ts'
import type { Call } from '../../http/endpoint.ts'
import { quote } from '../../http/failures.ts'
import { describeIgnored } from '../../http/ignored-input.ts'
import { bytesToText } from '../../http/input.ts'
import { bodyLength, queryString } from '../../http/messages.ts'
import { apiPath } from '../../http/route.ts'
import { suggestEndpoints } from '../../http/unknown-path.ts'
import { describeValue, type SettingId, type SettingValues } from '../../settings/setting.ts'
import { isSameJson } from '../../utils/json.ts'
import { parseQuery } from '../../utils/query.ts'
import { type KeyRedactor, maskKey, type Redactor } from '../../utils/redaction/redactor.ts'
import { decodePart, escapeControls } from '../../utils/text.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import { type ExportedRow, toRowJson } from '../../world/load/export-world.ts'
import type { Json, KeyRow } from '../../world/rows.ts'
import { type ListName, rowIdOf } from '../../world/tables.ts'
import { describeEffect, type EffectName, effectTraits, isReplacing } from '../faults/fault.ts'
import type { State } from '../state.ts'
import type { RowChange } from './changes.ts'
import type { JournalChange, JournalEntry, JournalSetting } from './entry.ts'
import type { DelayedRequest, FaultRecord, JournalRecord } from './journal.ts'
import { maskMessage, maskPath, maskQuery, omitMessage } from './messages.ts'
import { explanationsOf, reasonStart, reasonWithoutStatus, requestLine } from './request-line.ts'

type EntrySource = Pick<State, 'journal' | 'labels' | 'name'>

/** The header in which a client names the test that it runs in. */
const testHeader = 'understudy-test'

/**
 * The journal entry of a recorded request. Each part is written when it is asked for, with the keys and labels of that
 * moment. Keys are masked, but for those of `record`.
 */
export class WrittenEntry {
  readonly record: JournalRecord
  /** The body of the request, if it was parsed */
  readonly parsed?: Call['parsed']
  readonly #source: EntrySource

  constructor(record: JournalRecord, source: EntrySource, parsed?: Call['parsed']) {
    this.record = record
    this.#source = source
    this.parsed = parsed
  }

  get redactor(): KeyRedactor {
    return this.#source.labels.redactor
  }

  /** The key of the request, in full, or an empty text. A client is recognized by it. */
  get client(): string {
    return this.record.sentKey ?? ''
  }

  get bytes(): { readonly sent: number; readonly received: number } {
    const { requestBody, response } = this.record
    return { sent: bodyLength(requestBody) ?? 0, received: bodyLength(response.body) ?? 0 }
  }

  get key(): JournalEntry['key'] {
    return this.#source.labels.keyOf(this.record)
  }

  get reason(): string | null {
    return explainResponse(this.record, this.redactor)
  }

  get ignored(): string[] {
    return this.record.ignored.map((input) => toLine(describeIgnored(input), this.redactor))
  }

  get test(): string | undefined {
    const sent = this.record.requestHeaders.get(testHeader)
    const name = sent === null ? (this.#source.name ?? null) : decodePart(fromUtf8(sent))
    return name === null ? undefined : this.redactor.text(name)
  }

  get asked_for(): boolean | undefined {
    return this.#source.journal.askedFor.has(this.record.id) || undefined
  }

  /** All parts that the entry has, in the order of the schema. @param hasBodies whether it has headers and bodies */
  toJSON(hasBodies = true): JournalEntry {
    const { record, redactor, key, reason, ignored, test } = this
    const { id, at, ms, operation, method, target, response, fault } = record
    const writeMessage = hasBodies ? maskMessage : omitMessage
    const { plain } = this.#source.labels
    const isUnknown = response.status === 405 || 'understudy-nearest' in response.headers
    const parts: { readonly [Name in keyof JournalEntry]-?: JournalEntry[Name] | undefined } = {
      id,
      at: formatIsoTime(at),
      ms,
      operation,
      method,
      path: maskPath(target, redactor),
      query: maskQuery(target, redactor),
      query_text: repeatedQuery(redactor.form(queryString(target))),
      key,
      request: writeMessage(record, 'request', redactor, plain),
      response: { status: response.status, ...writeMessage(record, 'response', redactor, plain) },
      reason,
      ignored,
      settings: record.settingReads.ids.map((id) => settingOf(id, record.settings[id])),
      fault: fault && {
        id: fault.id,
        effect: redactor.json(fault.effect) as Json,
        phase: fault.phase,
      },
      changes: record.changes.map((change) => maskChange(change, redactor)),
      test,
      nearest: operation === null && isUnknown ? nearestTo(record, redactor) : undefined,
    }
    const present = Object.entries(parts).filter(([, part]) => part !== undefined)
    return Object.fromEntries(present) as JournalEntry
  }

  get status(): number {
    return this.record.response.status
  }

  /** The path and the query, with masked keys */
  get target(): string {
    return this.redactor.url(this.record.target)
  }

  /** The label of the key, or its masked value. Null for a request without a key */
  get keyName(): string | null {
    return this.#source.labels.nameOf(this.record)
  }

  /** What a line says of it that has the status already: why the response is as it is, and what was ignored. */
  get remarks(): string[] {
    const { reason, status } = this
    if (reason === null && this.record.ignored.length === 0) return []
    const { ignored } = this
    return explanationsOf({ reason: reason && reasonWithoutStatus(reason, status), ignored })
  }

  /**
   * The request with its key, and its remarks.
   *
   * @example entry.line // '401 GET /api/projects/, no key – the request has no Authorization header'
   */
  get line(): string {
    const { status, target, keyName } = this
    const key = keyName === null ? 'no key' : `key ${JSON.stringify(keyName)}`
    const remarks = this.remarks.join('; ')
    return `${requestLine(status, this.record.method, target)}, ${key}${remarks && ` – ${remarks}`}`
  }

  /** The comment of an entry in an HTTP archive: its id, operation, fault, reason and ignored input. */
  get comment(): string {
    const { id, operation, fault } = this.record
    const faultText = fault ? `, ${fault.id} (${fault.phase})` : ''
    const request = `entry ${id}: ${operation ?? 'no operation'}${faultText}`
    return [request, ...explanationsOf(this)].join('; ')
  }

  /** The entry for the rules about clients, which keep it. */
  get compact(): WrittenEntry {
    const record = this.record.within(maxCompactBody)
    return record === this.record ? this : new WrittenEntry(record, this.#source)
  }
}

/** In bytes. A rule about clients keeps thousands of requests. */
const maxCompactBody = 65_536

/** A query that has a parameter more than once. Undefined for another one */
function repeatedQuery(query: string): string | undefined {
  const names = [...parseQuery(query).keys()]
  return new Set(names).size < names.length ? query : undefined
}

function settingOf(id: SettingId, value: SettingValues[SettingId]): JournalSetting {
  const { evidence, source } = describeValue(id, value)
  return { id, value, evidence, source }
}

/** The text of a header whose bytes, which are read as Latin-1, are UTF-8. Any other text stays as it is. */
function fromUtf8(header: string) {
  if (!/[\x80-\xff]/.test(header)) return header
  const bytes = Uint8Array.from(header, (character) => character.charCodeAt(0))
  return bytesToText(bytes) ?? header
}

export function nearestTo(
  { method, target, settings }: JournalRecord,
  redactor: KeyRedactor,
): ReturnType<typeof suggestEndpoints> {
  return suggestEndpoints(method, apiPath(maskPath(target, redactor)), endpoints, settings)
}

const maxLength = 300

/**
 * Explains in a sentence why the response of a request is as it is.
 *
 * @returns null for an unremarkable success
 * @example '401: no key matches phx_a…'
 */
function explainResponse(record: JournalRecord, redactor: Redactor): string | null {
  const { refusal, fault, response } = record
  const { status } = response
  if (status > 0 && status < 400 && !fault) return null
  const parts = [
    ...(status < 400 || isReplacedByFault(record) ? [] : [refusal ?? 'the request was refused']),
    ...(fault ? [describeAppliedFault(fault, status)] : []),
  ]
  if (parts.length === 0 && status > 0) return null
  const sentence = parts.length === 0 ? (refusal ?? 'the connection broke') : parts.join('; ')
  return reasonStart(status) + toLine(sentence, redactor)
}

/** Masks the keys in a text, escapes control characters, and shortens it. */
export function toLine(text: string, redactor: Redactor): string {
  const line = escapeControls(redactor.text(text).replaceAll('%E2%80%A6', '…'))
  if (line.length <= maxLength) return line
  const characters = [...line]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line
}

/** Describes what a fault did, and whether the client left while it waited. */
function describeAppliedFault(
  { id, effect, phase, effects, failure }: FaultRecord,
  status: number,
) {
  const failed =
    failure && `an edit of the fault ${quote(id)} failed: ${failure.replace(/\.$/, '')}`
  if (effects.length === 0) return failed ?? `the fault ${quote(id)} matched, and changed nothing`
  const description = describeEffect(effect, phase, effects)
  const clause = `the fault ${quote(id)} was applied: ${description}`
  const applied = failed ? `${failed}; ${clause}` : clause
  if (status > 0 || effects.includes('drop')) return applied
  const isCarriedOut = phase === 'after-commit' ? 'carried out' : 'not carried out'
  return `${applied}; the connection ended before that, and the request was ${isCarriedOut}`
}

/** Whether the response is not that of the service, but of a fault, or the connection broke before it. */
export function isReplacedByFault({ response, fault }: JournalRecord): boolean {
  return response.status === 0 || fault?.effects.some(isReplacing) === true
}

/** Whether a fault has replaced or changed a response, or the connection broke. */
export function isByFault(record: JournalRecord): boolean {
  const changes = (name: EffectName) => effectTraits[name].kind === 'changes'
  return isReplacedByFault(record) || record.fault?.effects.some(changes) === true
}

/** Sentences about requests that have no response yet, with the reason why a test may wait in vain. */
export function adviseWaiting(waiting: readonly string[]): readonly string[] {
  if (waiting.length === 0) return waiting
  return [...waiting, 'Delays run in real time, unless fake timers came before the import.']
}

/**
 * Says which requests have no response yet, and what delays them.
 *
 * @example 'POST /api/projects/1/annotations/ has no response yet. The fault fault-1 applies: the response is delayed by 5,000 ms.'
 */
export function describeWaiting(waiting: Iterable<DelayedRequest>, redactor: Redactor): string[] {
  return Array.from(waiting, ({ method, target, fault }) => {
    const { id, effect, phase, effects } = fault
    // The last effect is the one that waits.
    const clause = describeEffect(effect, phase, effects.slice(-1))
    return `${method} ${maskPath(target, redactor)} has no response yet. The fault ${id} applies: ${clause}.`
  })
}

/** A write to a row, field by field, with its keys. */
export function toJournalChange({ list, before, after }: RowChange): JournalChange {
  const [oldRow, newRow] = [toRowJson(list, before), toRowJson(list, after)]
  const fields: Record<string, readonly [unknown, unknown]> = {}
  for (const name of Object.keys({ ...oldRow, ...newRow })) {
    const [old, value] = [oldRow?.[name] ?? null, newRow?.[name] ?? null]
    if (!isSameJson(old, value)) fields[name] = [old, value]
  }
  const id = rowIdOf(list, (after ?? before) as object)
  return { list, id, kind: before ? (after ? 'changed' : 'removed') : 'created', fields }
}

/** A write to a row as an entry has it, with masked keys. */
function maskChange(change: RowChange, redactor: KeyRedactor): JournalChange {
  const written = toJournalChange(change)
  const { list, id, fields } = written
  const [before, after] = [change.before, change.after].map((row, at) => {
    const values = Object.entries(fields).map(([name, pair]) => [name, pair[at]])
    return maskFields(list, row, Object.fromEntries(values), redactor)
  }) as [ExportedRow, ExportedRow]
  const shown = Object.keys(fields).map((name) => [name, [before[name], after[name]]])
  return {
    ...written,
    id: list === 'keys' ? maskKey(String(id)) : id,
    fields: Object.fromEntries(shown),
  }
}

/** Fields of a row with masked keys. Those of a row that does not exist are null. */
function maskFields(
  list: ListName,
  row: object | undefined,
  fields: ExportedRow,
  redactor: KeyRedactor,
) {
  if (!row) return fields
  const shown = redactor.json(fields) as ExportedRow
  if (list !== 'keys') return shown
  const { value, label } = row as KeyRow
  return { ...shown, value: maskKey(value), label: label === value ? maskKey(value) : shown.label }
}
