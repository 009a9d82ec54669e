import { describeEffect } from '../faults/describe.ts'
import type { EffectName, FaultEffect, FaultPhase } from '../faults/fault.ts'
import type { EntryWriter } from './entry-writer.ts'
import type { JournalRecord } from './journal.ts'

/** Why a test may wait in vain. */
const realTime = 'Delays and holds run in real time: fake timers do not advance them.'

/**
 * Says which requests have no response yet, and what delays them.
 *
 * @param waiting the requests that faults delay
 * @example 'POST /api/projects/1/annotations/ has no response yet. The fault fault-1 applies: the response is delayed by 5,000 ms.'
 */
export function describeWaiting(
  waiting: Iterable<JournalRecord>,
  writer: Pick<EntryWriter, 'path'>,
): string[] {
  const lines = Array.from(waiting, (record) => {
    const request = `${record.method} ${writer.path(record)} has no response yet.`
    const { fault } = record
    // The last effect is the one that waits.
    const did = (fault?.effects.slice(-1) ?? []) as EffectName[]
    if (!fault || did.length === 0) return request
    const effect = describeEffect(fault.effect as FaultEffect, fault.phase as FaultPhase, did)
    return `${request} The fault ${fault.id} applies: ${effect}.`
  })
  return lines.length === 0 ? [] : [...lines, realTime]
}
