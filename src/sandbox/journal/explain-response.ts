import { bodyText } from '../../http/messages.ts'
import { escapeControls } from '../../utils/escape.ts'
import { tryParseJson } from '../../utils/foreign-json.ts'
import { isObject } from '../../utils/json.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import type { AnnotationRow } from '../../world/rows.ts'
import {
  describeEffect,
  type EffectName,
  effectTraits,
  type FaultEffect,
  type FaultPhase,
  isReplacing,
} from '../faults/rule.ts'
import { reasonStart } from './entry.ts'
import { type JournalRecord, type RecordedFault, responseHead } from './journal.ts'
import { type DecisionSource, latestWrites, positionOf } from './past-request.ts'
import { describeError, describeRefusal, quote } from './reasons.ts'

const maxLength = 300

/**
 * Explains in a sentence why the response of a request is as it is.
 *
 * @param nameOf returns `the key`, and its label if it has one
 * @returns null for an unremarkable success
 * @example '401: no key matches phx_a…'
 */
export function explainResponse(
  record: JournalRecord,
  source: DecisionSource,
  redactor: KeyRedactor,
  nameOf: (key: string) => string,
): string | null {
  const { failure, fault, response } = record
  const { status } = response
  const isSuccess = status > 0 && status < 400
  const repetition = isSuccess ? describeRepetition(record, source) : null
  const refusal = () =>
    failure ? describeRefusal(record, failure, source, nameOf) : describeBody(record)
  const parts = [
    ...(repetition === null ? [] : [repetition]),
    ...(status < 400 || isReplacedByFault(record) ? [] : [refusal()]),
    ...(fault ? [describeAppliedFault(fault)] : []),
  ]
  if (parts.length === 0 && status > 0) return null
  const sentence = parts.length === 0 ? 'the connection broke' : parts.join('; ')
  return reasonStart(status) + toLine(sentence, redactor)
}

/** Masks the keys in a text, escapes control characters, and shortens it. */
export function toLine(text: string, redactor: KeyRedactor): string {
  const line = [...escapeControls(redactor.text(text))]
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).join('')}…` : line.join('')
}

/** Describes what a fault did. */
export function describeAppliedFault({ id, effect, phase, effects }: RecordedFault): string {
  if (effects.length === 0) return `the fault ${quote(id)} matched, and changed nothing`
  const did = effects as EffectName[]
  const description = describeEffect(effect as FaultEffect, phase as FaultPhase, did)
  return `the fault ${quote(id)} was applied: ${description}`
}

function effectsOf({ fault }: JournalRecord): readonly EffectName[] {
  return (fault?.effects ?? []) as EffectName[]
}

/** Whether the response is not that of the service, but of a fault, or the connection broke before it. */
export function isReplacedByFault(record: JournalRecord): boolean {
  return record.response.status === 0 || effectsOf(record).some(isReplacing)
}

/** Whether a fault changed what the client received, rather than only when. */
export function isChangedByFault(record: JournalRecord): boolean {
  if (isReplacedByFault(record)) return true
  return effectsOf(record).some((name) => effectTraits[name].kind === 'changes')
}

/** The error in the body of a response that no check refused, such as that of a recording. */
function describeBody({ response }: JournalRecord): string {
  const body = tryParseJson(bodyText(response.body))?.value
  const error: unknown = Array.isArray(body) ? body[0] : body
  const { attr, detail } = isObject(error) ? error : {}
  return typeof detail === 'string' ? describeError({ attr, detail }) : 'the request was refused'
}

/** How many earlier requests and writes are compared. */
const maxCompared = 1_000

/** A client that asks for the same page later than this polls for changes. In milliseconds. */
const pollInterval = 1_000

/**
 * Describes a success that repeats an earlier one, which is often a mistake: a client that follows only the path of
 * `next` gets the first page again, and one that compares times as text writes the same annotation again.
 *
 * @returns null for any other success
 */
function describeRepetition(record: JournalRecord, source: DecisionSource): string | null {
  const { operation, target, policyReads } = record
  // Recordings and neighbours answer without reading policies.
  if (!policyReads) return null
  if (operation === 'createAnnotation') return describeTwin(record, source)
  const isFirstPage = operation?.startsWith('list') && !target.includes('?')
  return isFirstPage ? describeRepeatedPage(record, source) : null
}

function describeRepeatedPage(record: JournalRecord, source: DecisionSource): string | null {
  const [, next] = /"next":"[^"?]*(\?[^"]*)"/.exec(responseHead(record)) ?? []
  if (next === undefined) return null
  const earlier = source.journal.records.filter(({ id }) => id < record.id).slice(-maxCompared)
  const key = ({ requestHeaders }: JournalRecord) => requestHeaders.get('authorization')
  const previous = earlier.findLast((each) => key(each) === key(record))
  const isRepeated =
    previous?.target === record.target &&
    previous.method === record.method &&
    previous.response.status === record.response.status &&
    responseHead(previous).includes('"next":"') &&
    record.at - previous.at < pollInterval &&
    !isChangedBetween(previous, record, source)
  return isRepeated
    ? `the first page again, as in entry ${previous.id}; the next one has ${next}`
    : null
}

function isChangedBetween(one: JournalRecord, two: JournalRecord, source: DecisionSource): boolean {
  const [from, to] = [positionOf(one, source), positionOf(two, source)]
  for (const change of source.history.all.latest()) {
    const isWrite = !('to' in change)
    if (isWrite && change.position <= to) return change.position > from
  }
  return false
}

function describeTwin(record: JournalRecord, source: DecisionSource): string | null {
  const created = record.changes.find(({ list }) => list === 'annotations')?.after
  const { content, date_marker, project } = (created ?? {}) as Partial<AnnotationRow>
  if (!content) return null
  const position = positionOf(record, source)
  const seen = new Set<number>()
  let compared = 0
  for (const { list, before, after } of latestWrites(source.history, position)) {
    compared += 1
    if (compared > maxCompared) return null
    if (list !== 'annotations') continue
    const row = (after ?? before) as AnnotationRow
    const isLatest = after !== undefined && !seen.has(row.id) && !row.deleted
    seen.add(row.id)
    const isTwin =
      row.content === content && row.date_marker === date_marker && row.project === project
    if (isLatest && isTwin) return `the same content and date_marker as annotation ${row.id}`
  }
  return null
}
