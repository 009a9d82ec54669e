import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import { type RequestTrace, toClientRequest } from './client-request.ts'
import { CreateWatcher, duplicateRow, repeatedCreate } from './creates.ts'
import { InputWatcher, ignoredInput, responseOnlyField, swappedId } from './input.ts'
import { PageWatcher, pageArithmetic, repeatedPage, unreadPages } from './pages.ts'
import { earlyRetry, endlessRetry, RetryWatcher, repeatedRefusal } from './retries.ts'
import type { ClientMistake, ClientRule, ReportMistake, RequestWatcher } from './rule.ts'
import { swallowedDelete, UpdateWatcher, undoneChange } from './updates.ts'
import { repeatedRow, skippedRow, WalkWatcher } from './walks.ts'

/** The rules of the client's report, in the order of the documentation. */
export const clientRules: readonly ClientRule[] = [
  swallowedDelete,
  repeatedCreate,
  duplicateRow,
  undoneChange,
  ignoredInput,
  responseOnlyField,
  swappedId,
  pageArithmetic,
  repeatedPage,
  unreadPages,
  repeatedRow,
  skippedRow,
  earlyRetry,
  endlessRetry,
  repeatedRefusal,
]

/** Mistakes of a rule beyond these are not listed. */
const maxMistakes = 100
const maxEntries = 20
const maxDetails = 3

/**
 * Finds the mistakes of clients while requests arrive. Its memory is bounded, whatever their number.
 *
 * @example
 * const mistakes = new ClientMistakes()
 * simulator.journal.follow((entry) => mistakes.add(entry))
 * mistakes.list()
 */
export class ClientMistakes {
  readonly #found = new MistakeList()
  readonly #watchers: readonly RequestWatcher[] = [
    new InputWatcher(),
    new PageWatcher(),
    new WalkWatcher(),
    new CreateWatcher(),
    new UpdateWatcher(),
    new RetryWatcher(),
  ]

  /** Adds a request, in the order of `journal.find()` or `journal.follow()`. */
  add(entry: JournalEntry): void {
    const request = toClientRequest(entry)
    for (const watcher of this.#watchers) watcher.add(request, this.#found.report)
  }

  /** Lists the mistakes so far, in the order of their first requests. */
  list(): ClientMistake[] {
    const all = this.#found.copy()
    for (const watcher of this.#watchers) watcher.reportOpen?.(all.report)
    return all.list()
  }
}

/**
 * Finds the mistakes that clients made, in the entries of a journal. A mistake that a later entry corrects is not
 * reported. Takes linear time.
 *
 * @example findClientMistakes(simulator.journal.find()).map(({ rule, message }) => `${rule}: ${message}`)
 */
export function findClientMistakes(entries: readonly JournalEntry[]): ClientMistake[] {
  const mistakes = new ClientMistakes()
  for (const entry of entries) mistakes.add(entry)
  return mistakes.list()
}

interface FoundMistake {
  readonly rule: ClientRule
  readonly message: string
  readonly requests: readonly RequestTrace[]
  readonly count: number
  /** The id of the latest request. Earlier ones are counted already */
  readonly latest: number
}

/** Mistakes by rule and subject. */
class MistakeList {
  readonly #found: Map<ClientRule, Map<string, FoundMistake>>

  constructor(found: Iterable<readonly [ClientRule, ReadonlyMap<string, FoundMistake>]> = []) {
    this.#found = new Map([...found].map(([rule, mistakes]) => [rule, new Map(mistakes)]))
  }

  readonly report: ReportMistake = (rule, subject, message, requests) => {
    const mistakes = this.#found.get(rule) ?? new Map<string, FoundMistake>()
    this.#found.set(rule, mistakes)
    const known = mistakes.get(subject)
    if (!known && mistakes.size === maxMistakes) return
    const { requests: listed = [], count = 0, latest = 0 } = known ?? {}
    const added = requests.filter(({ id }) => id > latest)
    mistakes.set(subject, {
      rule,
      message: known?.message ?? message,
      requests: [...listed, ...added.slice(0, maxEntries - listed.length)],
      count: count + added.length,
      latest: Math.max(latest, ...added.map(({ id }) => id)),
    })
  }

  copy(): MistakeList {
    return new MistakeList(this.#found)
  }

  list(): ClientMistake[] {
    return clientRules
      .flatMap((rule) => [...(this.#found.get(rule)?.values() ?? [])])
      .map(toMistake)
      .sort((a, b) => (a.entries[0] ?? 0) - (b.entries[0] ?? 0))
  }
}

function toMistake({ rule, message, requests, count }: FoundMistake): ClientMistake {
  const { id, level, cure, evidence, source } = rule
  const shown = requests.slice(0, maxDetails).map(({ line }) => line)
  const rest = count - shown.length
  return {
    rule: id,
    level,
    message,
    cure,
    evidence,
    source,
    details: rest === 0 ? shown : [...shown, `and ${rest} more`],
    entries: requests.map((request) => request.id),
    count,
  }
}
