import type { ApiError } from '../../http/failures.ts'
import { bodyText } from '../../http/messages.ts'
import { escapeControls } from '../../utils/escape.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import { describeEffect, type FaultEffect, type FaultPhase } from '../faults/rule.ts'
import { describeHold } from './describe-hold.ts'
import type { JournalRecord, RecordedFault } from './journal.ts'
import type { DecisionSource } from './past-request.ts'
import { describeError, describeRefusal, quote } from './reasons.ts'
import { describeRepetition } from './repetition.ts'

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
  const { failure, fault, breakpoint, response } = record
  const { status } = response
  const isSuccess = status > 0 && status < 400
  const repetition = isSuccess ? describeRepetition(record, source) : null
  const refusal = () =>
    failure ? describeRefusal(record, failure, source, nameOf) : describeBody(record)
  const parts = [
    ...(repetition === null ? [] : [repetition]),
    ...(status < 400 || isReplacedByFault(record) ? [] : [refusal()]),
    ...(fault ? [describeAppliedFault(record, fault)] : []),
    ...(breakpoint && breakpoint.id !== fault?.id ? [describeHold(breakpoint)] : []),
  ]
  if (parts.length === 0) return status === 0 ? 'no response: the connection broke' : null
  return `${status === 0 ? 'no response' : status}: ${toLine(parts.join('; '), redactor)}`
}

/** Masks the keys in a text, escapes control characters, and shortens it. */
export function toLine(text: string, redactor: KeyRedactor): string {
  const line = [...escapeControls(redactor.text(text))]
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).join('')}…` : line.join('')
}

/** Describes what a fault did, or what was done by hand at a breakpoint. */
export function describeAppliedFault(
  record: Pick<JournalRecord, 'breakpoint'>,
  { id, effect, phase }: RecordedFault,
): string {
  const description = describeEffect(effect as FaultEffect, phase as FaultPhase)
  const { breakpoint } = record
  if (breakpoint?.id === id) return `${describeHold(breakpoint)}: ${description}`
  return `the fault ${quote(id)} was applied: ${description}`
}

/** Whether a fault replaced the response of the service. Other faults delay, cut or slow it down. */
export function isReplacedByFault({ fault }: Pick<JournalRecord, 'fault'>): boolean {
  const effect = fault?.effect
  return isObject(effect) && ['error', 'status', 'drop'].some((name) => name in effect)
}

/** The error in the body of a response that no check refused, such as that of a recording. */
function describeBody({ response }: JournalRecord): string {
  const body = tryParseJson(bodyText(response.body))?.value
  const error: unknown = Array.isArray(body) ? body[0] : body
  const isError = isObject(error) && typeof error.detail === 'string'
  return isError ? describeError(error as unknown as ApiError) : 'the request was refused'
}
