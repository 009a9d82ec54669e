import { quote } from '../../http/failures.ts'
import type { Redactor } from '../../utils/redaction/redactor.ts'
import { escapeControls } from '../../utils/text.ts'
import { describeEffect, type EffectName, effectTraits, isReplacing } from '../faults/fault.ts'
import type { DelayedRequest, FaultRecord, JournalRecord } from './journal.ts'
import { reasonStart } from './request-line.ts'

const maxLength = 300

/**
 * Explains in a sentence why the response of a request is as it is.
 *
 * @returns null for an unremarkable success
 * @example '401: no key matches phx_a…'
 */
export function explainResponse(record: JournalRecord, redactor: Redactor): string | null {
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
  const line = escapeControls(redactor.line(text))
  if (line.length <= maxLength) return line
  const characters = [...line]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line
}

/** Describes what a fault did, and whether the client left while it waited. */
function describeAppliedFault(
  { id, effect, phase, effects, failure }: FaultRecord,
  status: number,
): string {
  const failed =
    failure && `an edit of the fault ${quote(id)} failed: ${failure.replace(/\.$/, '')}`
  if (effects.length === 0) return failed ?? `the fault ${quote(id)} matched, and changed nothing`
  const description = describeEffect(effect, phase, effects)
  const done = `the fault ${quote(id)} was applied: ${description}`
  const applied = failed ? `${failed}; ${done}` : done
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
  return [...waiting, 'Delays and holds run in real time: fake timers do not advance them.']
}

/**
 * Says which requests have no response yet, and what delays them.
 *
 * @param waiting the requests that faults delay
 * @param pathOf returns the path of a request, with masked keys
 * @example 'POST /api/projects/1/annotations/ has no response yet. The fault fault-1 applies: the response is delayed by 5,000 ms.'
 */
export function describeWaiting(
  waiting: Iterable<DelayedRequest>,
  pathOf: (request: DelayedRequest) => string,
): string[] {
  return Array.from(waiting, (request) => {
    const { id, effect, phase, effects } = request.fault
    // The last effect is the one that waits.
    const done = describeEffect(effect, phase, effects.slice(-1))
    return `${request.method} ${pathOf(request)} has no response yet. The fault ${id} applies: ${done}.`
  })
}
