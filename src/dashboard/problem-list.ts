import type { ClientMistake } from '../mistakes/rule.ts'
import type { FaultInfo, WaitingRequest } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import { reasonStart } from '../simulator/journal/request-line.ts'

export const maxEntries = 1_000

/** A request that waits, a mistake of clients, or the requests that failed for one reason. */
export interface Problem {
  /** The journal does not have the request yet. */
  readonly waiting?: readonly [FaultInfo, WaitingRequest]
  readonly mistake?: ClientMistake
  /** The requests that failed, the newest first. A mistake has those that failed as its own did, too */
  readonly failures: readonly JournalEntry[]
}

/** What went wrong. A mistake has the failures that it explains: a refused DELETE is one problem. */
export function listProblems(
  faults: readonly FaultInfo[],
  mistakes: readonly ClientMistake[],
  entries: readonly JournalEntry[],
): Problem[] {
  const failures = entries.filter(({ response }) => isFailed(response))
  const groups = new Map<ClientMistake | string, JournalEntry[]>()
  /** By the id of an entry, and by what alike requests are */
  const mistakeOf = new Map<number | string, ClientMistake>()
  for (const mistake of mistakes) {
    groups.set(mistake, [])
    // What a request ignored is not why it failed.
    if (mistake.rule === 'ignored-input') continue
    for (const id of mistake.entries) mistakeOf.set(id, mistake)
  }
  const nameOf = (entry: JournalEntry) => `${entry.method} ${entry.path} ${reasonOf(entry)}`
  for (const entry of failures) {
    const mistake = mistakeOf.get(entry.id)
    if (mistake) mistakeOf.set(nameOf(entry), mistake)
  }
  for (const entry of failures) {
    const group = mistakeOf.get(entry.id) ?? mistakeOf.get(nameOf(entry)) ?? reasonOf(entry)
    groups.set(group, groups.get(group) ?? [])
    groups.get(group)?.push(entry)
  }
  const problems = Array.from(groups, ([group, failures]) =>
    typeof group === 'string' ? { failures } : { mistake: group, failures },
  )
  const waiting = faults.flatMap((fault) =>
    fault.waiting.map((request) => ({ waiting: [fault, request] as const, failures: [] })),
  )
  return [...waiting, ...problems]
}

export function isFailed({ status }: { readonly status: number }): boolean {
  return status === 0 || status >= 400
}

function reasonOf({ reason, response }: JournalEntry) {
  return reason ?? reasonStart(response.status)
}
