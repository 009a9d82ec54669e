import { mergeFindings } from '../utils/reports/merge-findings.ts'
import type { RequestFinding } from '../utils/reports/report.ts'

/** What the clients of a run did wrong. */
interface RunMistakes {
  readonly mistakes: RequestFinding[]
  /** By the id of a rule: how many requests it did not judge, because their bodies were not kept */
  readonly not_checked: Record<string, number>
}

/** What a run used, as JSON: counts and names, so that its size does not depend on the number of requests. */
export interface RunUsage extends RunMistakes {
  requests: number
  /** Requests that are no longer in the journal, so that the rest says nothing about them */
  not_covered: number
  /** Requests that no operation matches */
  unmatched: number
  /** Responses that a fault affected */
  faults: number
  /** How often each value of a setting was consulted, by the id of the setting */
  readonly consulted: Record<string, Record<string, number>>
}

export function emptyUsage(): RunUsage {
  const counts = { requests: 0, not_covered: 0, unmatched: 0, faults: 0 }
  return { ...counts, consulted: {}, mistakes: [], not_checked: {} }
}

/** Adds what one part of a run used to what the others did, such as the tests of several workers. */
export function mergeUsage(target: RunUsage, part: RunUsage): void {
  target.requests += part.requests
  target.not_covered += part.not_covered
  target.unmatched += part.unmatched
  target.faults += part.faults
  for (const [id, counts] of Object.entries(part.consulted)) {
    addCounts(target.consulted, id, counts)
  }
  mergeFindings(target.mistakes, part.mistakes)
  addAll(target.not_checked, part.not_checked)
}

/** Adds counts of the values of a setting. */
export function addCounts(
  target: RunUsage['consulted'],
  id: string,
  counts: Readonly<Record<string, number>>,
): void {
  target[id] ??= {}
  addAll(target[id], counts)
}

function addAll(target: Record<string, number>, part: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(part)) target[name] = (target[name] ?? 0) + count
}
