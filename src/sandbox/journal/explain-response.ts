import { bodyText } from '../../http/messages.ts'
import { escapeControls } from '../../utils/escape.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import {
  describeEffect,
  type EffectName,
  effectTraits,
  type FaultEffect,
  type FaultPhase,
  isReplacing,
  mutationOf,
} from '../faults/rule.ts'
import { type JournalBreakpoint, reasonStart } from './entry.ts'
import type { JournalRecord, RecordedFault } from './journal.ts'
import { type DecisionSource, PastRequest } from './past-request.ts'
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
    ...(fault ? [describeAppliedFault(record, fault, source)] : []),
    ...(breakpoint && breakpoint.id !== fault?.id ? [describeHold(breakpoint)] : []),
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

/** Describes what a fault did, or what was done by hand at a breakpoint. */
export function describeAppliedFault(
  record: JournalRecord,
  { id, effect, phase }: RecordedFault,
  source: DecisionSource,
): string {
  const did = findEffects(record, source)
  if (did.length === 0) return `the fault ${quote(id)} matched, and changed nothing`
  const description = describeEffect(effect as FaultEffect, phase as FaultPhase, did)
  const { breakpoint } = record
  if (breakpoint?.id === id) return `${describeHold(breakpoint)}: ${description}`
  return `the fault ${quote(id)} was applied: ${description}`
}

function effectsOf({ fault }: JournalRecord): readonly EffectName[] {
  return (fault?.effects ?? []) as EffectName[]
}

/** The effects of a fault that changed the response, or when it arrives. */
function findEffects(record: JournalRecord, source: DecisionSource): readonly EffectName[] {
  const effects = effectsOf(record)
  if (!effects.includes('stale')) return effects
  const fresh = PastRequest.open(record, source)?.answer()
  const isSame = fresh !== undefined && bodyText(fresh.body) === bodyText(record.response.body)
  return isSame ? effects.filter((name) => name !== 'stale') : effects
}

/** Whether the response is not that of the service, but of a fault, or the connection broke before it. */
export function isReplacedByFault(record: JournalRecord): boolean {
  return record.response.status === 0 || effectsOf(record).some(isReplacing)
}

/** Whether a fault changed what the client received, rather than only when. */
export function isChangedByFault(record: JournalRecord, source: DecisionSource): boolean {
  if (isReplacedByFault(record)) return true
  const did = findEffects(record, source)
  const { kind } = mutationOf((record.fault?.effect ?? {}) as FaultEffect) ?? {}
  return did.some((name) => effectTraits[name].kind === 'changes') && kind !== 'slow'
}

/** The error in the body of a response that no check refused, such as that of a recording. */
function describeBody({ response }: JournalRecord): string {
  const body = tryParseJson(bodyText(response.body))?.value
  const error: unknown = Array.isArray(body) ? body[0] : body
  const { attr, detail } = isObject(error) ? error : {}
  return typeof detail === 'string' ? describeError({ attr, detail }) : 'the request was refused'
}

const endings: Readonly<Record<JournalBreakpoint['outcome'], string>> = {
  continued: ', then continued',
  edited: ', then edited and continued',
  fulfilled: ', then answered by hand',
  dropped: ', then dropped',
  timeout: ', then continued because its time was over',
  disconnected: ' until the client disconnected',
  reset: ', then dropped because its sandbox was reset or ended',
  limit: '',
}

/**
 * Describes how a breakpoint held a request.
 *
 * @example describeHold({ id: 'breakpoint-1', outcome: 'dropped', held_ms: 1_200 }) // 'held for 1.2 s by breakpoint-1, then dropped'
 */
function describeHold({ id, outcome, held_ms }: Omit<JournalBreakpoint, 'sent'>): string {
  if (outcome === 'limit') return `not held by ${id} because too many requests were held`
  return `held for ${(held_ms / 1_000).toFixed(1)} s by ${id}${endings[outcome]}`
}
