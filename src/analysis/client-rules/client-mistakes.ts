import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import { type ClientRequest, toClientRequest } from './client-request.ts'
import { CreateWatcher, duplicateRow, repeatedCreate } from './creates.ts'
import { InputWatcher, ignoredInput, keyInQuery, responseOnlyField, swappedId } from './input.ts'
import { MistakeList, mergeMistakes } from './mistake-list.ts'
import { PageWatcher, pageArithmetic, repeatedPage, unreadPages } from './pages.ts'
import { earlyRetry, endlessRetry, RetryWatcher, repeatedRefusal } from './retries.ts'
import type { ClientMistake, ClientRule, RequestWatcher } from './rule.ts'
import { swallowedDelete, UpdateWatcher, undoneChange } from './updates.ts'
import { localTime, misspelledValue, textForBoolean, ValueWatcher, zeroTime } from './values.ts'
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
  keyInQuery,
  zeroTime,
  localTime,
  textForBoolean,
  misspelledValue,
  pageArithmetic,
  repeatedPage,
  unreadPages,
  repeatedRow,
  skippedRow,
  earlyRetry,
  endlessRetry,
  repeatedRefusal,
]

/** How many tests send requests alternately at most. The mistakes of an earlier one are complete. */
const maxHistories = 100

/**
 * Finds the mistakes of clients while requests arrive. A history ends when all rows are replaced, such as by a reset, and
 * each test has its own. Its memory is bounded, whatever the number of requests.
 *
 * @example
 * const mistakes = new ClientMistakes()
 * simulator.journal.follow((entry) => mistakes.add(entry))
 * mistakes.list()
 */
export class ClientMistakes {
  readonly #place: string | null
  readonly #ended: ClientMistake[] = []
  /** By test. Requests without one have the empty name */
  readonly #histories = new Map<string, ClientHistory>()
  #resets = 0

  /** @param place what the requests belong to if no test is known, such as a sandbox */
  constructor(place: string | null = null) {
    this.#place = place
  }

  /** Adds a request, in the order of `journal.find()` or `journal.follow()`. */
  add(entry: JournalEntry): void {
    const { test = '', resets = 0 } = entry
    if (resets !== this.#resets) for (const name of [...this.#histories.keys()]) this.#end(name)
    this.#resets = resets
    let history = this.#histories.get(test)
    if (!history) {
      const [oldest] = this.#histories.keys()
      if (oldest !== undefined && this.#histories.size === maxHistories) this.#end(oldest)
      history = new ClientHistory()
      this.#histories.set(test, history)
    }
    history.add(toClientRequest(entry, this.#place))
  }

  /** Lists the mistakes so far, in the order of their first requests. */
  list(): ClientMistake[] {
    const all = [...this.#ended]
    for (const history of this.#histories.values()) mergeMistakes(all, history.list())
    const order = (rule: string): number => clientRules.findIndex(({ id }) => id === rule)
    return all.sort(
      (one, other) =>
        (one.entries[0] ?? 0) - (other.entries[0] ?? 0) || order(one.rule) - order(other.rule),
    )
  }

  #end(test: string): void {
    mergeMistakes(this.#ended, this.#histories.get(test)?.list() ?? [])
    this.#histories.delete(test)
  }
}

/** What the requests of one test show, or those between two resets. */
class ClientHistory {
  readonly #found = new MistakeList()
  readonly #watchers: readonly RequestWatcher[] = [
    new InputWatcher(),
    new ValueWatcher(),
    new PageWatcher(),
    new WalkWatcher(),
    new CreateWatcher(),
    new UpdateWatcher(),
    new RetryWatcher(),
  ]

  add(request: ClientRequest): void {
    for (const watcher of this.#watchers) watcher.add(request, this.#found.report)
  }

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
