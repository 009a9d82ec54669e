import type { FaultEffect } from '../faults/rule.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import type { JournalSpan } from './journal-span.ts'

/**
 * The faults behind reads that came from before some writes, by the request that each stands before: the rows of then
 * are only kept from where such a fault begins.
 */
export function toStaleReadSteps({
  records,
  steps,
}: JournalSpan): ReadonlyMap<number, readonly ChangeStep[]> {
  const early = new Map<number, ChangeStep[]>()
  for (const [index, { record }] of records.entries()) {
    const effect = (record.fault?.effect ?? {}) as FaultEffect
    if (effect.stale === undefined) continue
    const begins = findStart(index, effect.stale.writes, { records, steps })
    const between = records.slice(begins, index)
    const skip = between.filter(({ record: { method } }) => /^(GET|HEAD)$/.test(method)).length
    const when = { times: 1, ...(skip > 0 && { skip }) }
    early.set(begins, [...(early.get(begins) ?? []), { fault: { when, effect } }])
  }
  return early
}

/** The request before which so many writes had yet to come; the first one where there were fewer. */
function findStart(
  index: number,
  writes: number,
  { records, steps }: Pick<JournalSpan, 'records' | 'steps'>,
): number {
  let left = writes
  let at = index
  while (at > 0) {
    const [from, until] = [records[at - 1]?.position ?? 0, records[at]?.position ?? 0]
    left -= steps.filter(({ position }) => position > from && position <= until).length
    if (left <= 0) return at
    at -= 1
    if ((records[at]?.record.changes.length ?? 0) > 0) left -= 1
    if (left <= 0) return at
  }
  return at
}
