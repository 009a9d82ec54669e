import type { Keeper, Take } from '../simulator/memory.ts'
import {
  listEntries,
  listRows,
  mergeFindings,
  showRequests,
} from '../utils/reports/merge-findings.ts'
import { ClientRequest, type ObservedEntry } from './client-request.ts'
import { isCreate } from './creates.ts'
import { DuplicateRows, duplicateRow, repeatedCreate } from './duplicate-rows.ts'
import { Input, ignoredInput, localTime } from './input.ts'
import { ReadLists, repeatedRow, skippedRow, unreadPages } from './read-lists.ts'
import { Refusals, refusedPut, swallowedDelete, unhandledRefusal } from './refusals.ts'
import { EarlyRetries, earlyRetry, endlessRetry, repeatedRefusal, Streaks } from './retries.ts'
import {
  type Breach,
  type ClientMistake,
  type ClientRule,
  History,
  type RowName,
  type Watch,
} from './rule.ts'
import { StaleRows, staleRow } from './stale-rows.ts'
import { UnfilledValues, unfilledValue } from './unfilled-values.ts'
import { movedRow, overlappingUpdates, Updates, undoneChange } from './updates.ts'

/** Rules that are looked for together. */
interface WatchedRules {
  readonly Watch: new (history: History) => Watch
  readonly rules: readonly ClientRule[]
  /** What they cannot do without: the rows of responses, the bodies of creates */
  readonly needs?: readonly ('rows' | 'creates')[]
}

/** All rules, in the order of the documentation. */
const watchedRules: readonly WatchedRules[] = [
  { Watch: DuplicateRows, rules: [repeatedCreate, duplicateRow], needs: ['rows', 'creates'] },
  { Watch: Refusals, rules: [swallowedDelete, refusedPut, unhandledRefusal] },
  { Watch: StaleRows, rules: [staleRow] },
  { Watch: Updates, rules: [undoneChange, overlappingUpdates, movedRow], needs: ['rows'] },
  { Watch: Input, rules: [ignoredInput, localTime] },
  { Watch: ReadLists, rules: [repeatedRow, skippedRow, unreadPages], needs: ['rows'] },
  { Watch: EarlyRetries, rules: [earlyRetry] },
  { Watch: UnfilledValues, rules: [unfilledValue] },
  { Watch: Streaks, rules: [endlessRetry, repeatedRefusal] },
]

/** The rules about clients, in the order of the documentation. */
export const clientRules: readonly ClientRule[] = [...watchedRules.flatMap(({ rules }) => rules)]

export interface FoundMistakes {
  /** In the order of their first requests, then of the rules */
  readonly mistakes: ClientMistake[]
  /** By the id of a rule: how many requests it did not judge, because the journal did not keep what it needs of them */
  readonly not_checked: Record<string, number>
}

interface FinderOptions {
  /** What the requests belong to if no test is known, such as a sandbox */
  readonly sandboxId?: string | null
  /** Whether all requests belong to one test, whose name is not known */
  readonly isTest?: boolean
  /** Counts its memory with that of others */
  readonly open?: (keeper: Keeper) => Take
}

interface FollowedHistory {
  readonly history: History
  readonly watches: readonly Watch[]
  /** The id of its latest entry */
  latest: number
  /** The memory of all its requests. The rules keep some of them */
  bytes: number
}

/** More histories are not followed at once: the one that had no request for longest ends. */
const maxHistories = 100

/** Nor those of more requests than these, in bytes. */
const maxBytes = 16 * 1024 * 1024

/**
 * Finds the mistakes in the requests to one world. Its memory does not depend on their number. A history ends when all
 * rows are replaced, such as by a reset, and each test has its own.
 */
export class MistakeFinder implements Keeper {
  readonly #sandboxId: string | null
  readonly #isTest: boolean
  /** By what separates them: the number of resets, and the test */
  readonly #histories = new Map<string, FollowedHistory>()
  readonly #ended: ClientMistake[] = []
  readonly #notChecked: Record<string, number> = {}
  #bytes = 0
  readonly #take: Take

  constructor({ sandboxId = null, isTest = false, open }: FinderOptions = {}) {
    this.#take = open?.(this) ?? (() => {})
    this.#sandboxId = sandboxId
    this.#isTest = isTest
  }

  /** @param entry the next one, in the order in which the requests arrived */
  add(entry: ObservedEntry): void {
    const request = new ClientRequest(entry, this.#sandboxId)
    const followed = this.#historyOf(request)
    followed.history.see(request)
    for (const watch of followed.watches) watch.see(request)
    const { bytes } = request
    followed.bytes += bytes
    this.#bytes += bytes
    this.#take(bytes)
    while (this.#bytes > maxBytes) this.#endOldest()
    this.#count(request)
  }

  /** What is found so far. */
  get found(): FoundMistakes {
    const mistakes = [...this.#ended]
    for (const { watches } of this.#histories.values()) mergeFindings(mistakes, toMistakes(watches))
    return { mistakes: mistakes.sort(byFirstEntry), not_checked: this.#notChecked }
  }

  #historyOf({ test, record: { replaceCount, id } }: ClientRequest): FollowedHistory {
    const name = `${replaceCount} ${test ?? ''}`
    const known = this.#histories.get(name)
    if (known) {
      known.latest = id
      return known
    }
    if (this.#histories.size >= maxHistories) this.#endOldest()
    const history = new History(this.#isTest || test !== null)
    const watches = watchedRules.map(({ Watch }) => new Watch(history))
    const followed = { history, watches, latest: id, bytes: 0 }
    this.#histories.set(name, followed)
    return followed
  }

  giveUp(): boolean {
    if (this.#histories.size === 0) return false
    this.#endOldest()
    return true
  }

  #endOldest(): void {
    const [name, { watches, bytes }] = [...this.#histories].reduce((oldest, history) =>
      history[1].latest < oldest[1].latest ? history : oldest,
    )
    mergeFindings(this.#ended, toMistakes(watches))
    this.#histories.delete(name)
    this.#bytes -= bytes
    this.#take(-bytes)
  }

  #count(request: ClientRequest): void {
    const isCreateUnread = isCreate(request) && !request.isSentKept
    if (!request.isUnread && !isCreateUnread) return
    const missing = request.isUnread ? 'rows' : 'creates'
    const watched = watchedRules.filter(({ needs }) => needs?.includes(missing))
    for (const { id } of watched.flatMap(({ rules }) => rules)) {
      this.#notChecked[id] = (this.#notChecked[id] ?? 0) + 1
    }
  }
}

function byFirstEntry(a: ClientMistake, b: ClientMistake): number {
  const order = ({ rule }: ClientMistake) => clientRules.findIndex(({ id }) => id === rule)
  return (a.entries[0] ?? 0) - (b.entries[0] ?? 0) || order(a) - order(b)
}

function toMistakes(watches: readonly Watch[]): ClientMistake[] {
  const breaches = watches
    .flatMap((watch) => watch.breaches())
    .filter(({ requests }) => !requests.every(({ isAskedFor }) => isAskedFor))
  const explained = new Set(
    breaches.flatMap(({ rule, requests }) => (rule === unhandledRefusal ? [] : requests)),
  )
  const groups = new Map<string, Breach[]>()
  for (const breach of breaches) {
    const [first] = breach.requests
    // Another mistake says why it was refused.
    if (breach.rule === unhandledRefusal && first && explained.has(first)) continue
    const { rule, subject, message, level = '' } = breach
    const name = `${rule.id} ${level} ${subject ?? message}`
    const group = groups.get(name)
    if (group) group.push(breach)
    else groups.set(name, [breach])
  }
  return [...groups.values()].map(toMistake)
}

function toMistake(breaches: readonly Breach[]): ClientMistake {
  const [{ rule, message, level = rule.level, cure = rule.cure }] = breaches as [Breach]
  const { id, evidence, source } = rule
  const requests = [...new Set(breaches.flatMap((breach) => breach.requests))]
  const tests = [...new Set(requests.flatMap(({ test }) => test ?? []))]
  return {
    rule: id,
    level,
    message,
    cure,
    evidence,
    source,
    times: breaches.reduce((sum, { times = 1 }) => sum + times, 0),
    ...showRequests(requests, requests.length, ({ line }) => line),
    entries: listEntries(requests.map(({ record }) => record.id)),
    ...listRows(breaches.flatMap(({ rows, requests }) => rows ?? requests.flatMap(rowsOf))),
    ...(tests.length > 0 && { tests }),
  }
}

/** The row that the path of a request names, or those of its list that it wrote. */
function rowsOf({ row, list: own, changes }: ClientRequest): readonly RowName[] {
  return row ? [row] : changes.filter(({ list }) => list === own)
}
