import type { RequestStep } from '../scenarios/scenario.ts'
import type { TrackedRequest } from './recorded.ts'

/** How many requests of a recording came, changed and went. */
export interface RecordingChanges {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/**
 * Has requests of the next version of a recording count as asked that were asked in the former one: those that ask
 * for the same, in order. A read that is answered otherwise can be asked again.
 */
export function carryProgressOver(
  former: readonly TrackedRequest[],
  next: readonly TrackedRequest[],
): RecordingChanges {
  const left = [...former]
  let [added, changed] = [0, 0]
  for (const one of next) {
    const at = left.findIndex(({ step }) => serializeRequest(step) === serializeRequest(one.step))
    const [found] = at < 0 ? [] : left.splice(at, 1)
    const isSame = found && JSON.stringify(found.step) === JSON.stringify(one.step)
    if (!found) added += 1
    else if (!isSame) changed += 1
    if (found && (isSame || one.isWrite)) one.asked = found.asked
  }
  return { added, changed, removed: left.length }
}

/** Of what was saved, that by the requests that were asked: the next version goes on with it. */
export function retainSaved(
  recorded: readonly TrackedRequest[],
  saved: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const names = recorded.flatMap(({ asked, step }) =>
    asked > 0 ? Object.keys(step.save ?? {}) : [],
  )
  return new Map([...saved].filter(([name]) => names.includes(name)))
}

function serializeRequest({ title: _, expect: __, save: ___, ...request }: RequestStep): string {
  return JSON.stringify(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1)))
}
