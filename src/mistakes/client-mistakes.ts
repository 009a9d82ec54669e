import type { JournalEntry } from '../simulator/journal/entry.ts'
import { createRules } from './creates.ts'
import { inputRules } from './input.ts'
import { listRules } from './lists.ts'
import { retryRules } from './retries.ts'
import {
  type Breach,
  type CheckedRule,
  type ClientMistake,
  type ClientRequest,
  type ClientRule,
  toClientRequest,
} from './rule.ts'
import { writeRules } from './writes.ts'

const checkedRules: readonly CheckedRule[] = [
  ...createRules,
  ...writeRules,
  ...inputRules,
  ...listRules,
  ...retryRules,
]

/** The rules of the client's report, in the order of the documentation. */
export const clientRules: readonly ClientRule[] = checkedRules.map(({ rule }) => rule)

/**
 * Finds the mistakes that clients made, in the entries of a journal. A mistake that a later entry corrects is not
 * reported. A history ends when all rows are replaced, such as by a reset, and each test has its own.
 *
 * @param place what the requests belong to if no test is known, such as a sandbox
 * @returns the mistakes in the order of their first requests
 * @example findClientMistakes(simulator.journal.find()).map(({ rule, message }) => `${rule}: ${message}`)
 */
export function findClientMistakes(
  entries: readonly JournalEntry[],
  place: string | null = null,
): ClientMistake[] {
  const histories = groupBy(entries, ({ test = '', resets = 0 }) => `${resets} ${test}`)
  const mistakes: ClientMistake[] = []
  for (const history of histories.values()) {
    const requests = history.map((entry) => toClientRequest(entry, place))
    for (const checked of checkedRules) mergeMistakes(mistakes, findMistakes(checked, requests))
  }
  const order = (rule: string): number => clientRules.findIndex(({ id }) => id === rule)
  return mistakes.sort(
    (one, other) =>
      (one.entries[0] ?? 0) - (other.entries[0] ?? 0) || order(one.rule) - order(other.rule),
  )
}

/** Mistakes of a rule beyond these are not listed. */
const maxMistakes = 100
const maxEntries = 20
const maxDetails = 3
const maxTests = 20

function findMistakes(
  { rule, find }: CheckedRule,
  history: readonly ClientRequest[],
): ClientMistake[] {
  const bySubject = groupBy(find(history), ({ subject, message }) => subject ?? message)
  return [...bySubject.values()].slice(0, maxMistakes).map((breaches) => toMistake(rule, breaches))
}

function toMistake(rule: ClientRule, breaches: readonly Breach[]): ClientMistake {
  const { id, level, evidence, source } = rule
  const [{ message, cure = rule.cure }] = breaches as [Breach]
  const requests = [...new Set(breaches.flatMap((breach) => breach.requests))]
  const tests = [...new Set(requests.flatMap(({ test }) => test ?? []))]
  const lines = requests.map(({ line }) => line)
  return {
    rule: id,
    level,
    message,
    cure,
    evidence,
    source,
    details: shorten(lines, requests.length),
    entries: requests.slice(0, maxEntries).map(({ entry }) => entry.id),
    count: requests.length,
    ...(tests.length > 0 && { tests }),
  }
}

function groupBy<T>(items: readonly T[], toName: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(toName(item)) ?? []
    groups.set(toName(item), group)
    group.push(item)
  }
  return groups
}

function shorten(lines: readonly string[], count: number): string[] {
  const shown = lines.slice(0, maxDetails)
  const rest = count - shown.length
  return rest === 0 ? shown : [...shown, `and ${rest} more`]
}

/** Adds mistakes to a list. The same mistake in several tests, sandboxes or histories is one. */
export function mergeMistakes(list: ClientMistake[], added: readonly ClientMistake[]): void {
  for (const mistake of added) {
    const at = list.findIndex(
      ({ rule, message }) => rule === mistake.rule && message === mistake.message,
    )
    const known = list[at]
    if (known) list[at] = joinMistakes(known, mistake)
    else if (list.filter(({ rule }) => rule === mistake.rule).length < maxMistakes)
      list.push(mistake)
  }
}

function joinMistakes(one: ClientMistake, other: ClientMistake): ClientMistake {
  const count = one.count + other.count
  const lines = [one, other].flatMap((each) =>
    (each.details ?? []).slice(0, Math.min(maxDetails, each.count)),
  )
  const entries = [...new Set([...one.entries, ...other.entries])]
  const tests = [...new Set([...(one.tests ?? []), ...(other.tests ?? [])])].slice(0, maxTests)
  return {
    ...one,
    ...(lines.length > 0 && { details: shorten(lines, count) }),
    entries: entries.slice(0, maxEntries).sort((a, b) => a - b),
    count,
    ...(tests.length > 0 && { tests }),
  }
}
