import type { Keeper, Take } from '../simulator/journal/changes.ts'
import { groupBy, LatestMap } from '../utils/latest-map.ts'
import {
  listEntries,
  listRows,
  mergeFindings,
  showRequests,
} from '../utils/reports/merge-findings.ts'
import { ClientRequest, type ObservedEntry } from './client-request.ts'
import { duplicateRowRules } from './duplicate-rows.ts'
import { inputRules } from './input.ts'
import { readListRules } from './read-lists.ts'
import { refusalRules, unhandledRefusal } from './refusals.ts'
import { earlyRetryRules, streakRules } from './retries.ts'
import {
  type Breach,
  type ClientMistake,
  type ClientRule,
  History,
  type RowName,
  type Watch,
  type WatchedRules,
} from './rule.ts'
import { Address } from './seen-request.ts'
import { updateRules } from './updates.ts'

/** In the order of the documentation. */
const watchedRules: readonly WatchedRules[] = [
  duplicateRowRules,
  refusalRules,
  updateRules,
  inputRules,
  readListRules,
  earlyRetryRules,
  streakRules,
]

/** The rules about clients, in the order of the documentation. */
export const clientRules: readonly ClientRule[] = watchedRules.flatMap(({ rules }) => rules)

export interface FinderOptions {
  /** Of the latest targets: clients send the same again and again */
  readonly addresses?: LatestMap<string, Address>
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
  latest: number
  /** The memory of all its requests. The rules keep some of them */
  bytes: number
}

/** More histories are not followed at once: the one that had no request for longest ends. */
const maxHistories = 100

/** Nor those of more requests than these, in bytes. All that rules keep is of these requests, and ends with them. */
const maxBytes = 16 * 1024 * 1024

/**
 * Finds the mistakes in the requests to one world. A history ends when all rows are replaced, such as by a reset, and each
 * test has its own.
 */
export class MistakeFinder implements Keeper {
  readonly #place: { readonly owner: string | null }
  readonly #isTest: boolean
  /** By what separates them: the number of resets, and the test */
  readonly #histories = new Map<string | number, FollowedHistory>()
  readonly #ended: ClientMistake[] = []
  readonly #addresses: LatestMap<string, Address>
  #bytes = 0
  readonly #take: Take

  constructor({ addresses, sandboxId = null, isTest = false, open }: FinderOptions = {}) {
    this.#addresses = addresses ?? new LatestMap(100, 10_000)
    this.#take = open?.(this) ?? (() => {})
    this.#place = { owner: sandboxId }
    this.#isTest = isTest
  }

  /** @param entry the next one, in the order in which the requests arrived */
  add(entry: ObservedEntry): void {
    const { target } = entry.record
    const match = this.#addresses.get(target)
    const address = match ?? new Address(target)
    if (!match) this.#addresses.set(target, address)
    const request = new ClientRequest(entry, this.#place, address)
    const followed = this.#historyOf(request)
    followed.history.see(request)
    for (const watch of followed.watches) watch.see(request)
    const { bytes } = request
    followed.bytes += bytes
    this.#bytes += bytes
    this.#take(bytes)
    while (this.#bytes > maxBytes) this.#endOldest()
  }

  /** What is found so far, in the order of the first requests, then of the rules. */
  get found(): ClientMistake[] {
    const mistakes = [...this.#ended]
    for (const { watches } of this.#histories.values()) mergeFindings(mistakes, toMistakes(watches))
    return mistakes.sort(byFirstEntry)
  }

  #historyOf({ test, record: { replaceCount, id } }: ClientRequest) {
    const name = test === null ? replaceCount : `${replaceCount} ${test}`
    const entry = this.#histories.get(name)
    if (entry) {
      entry.latest = id
      return entry
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

  #endOldest() {
    const [name, { watches, bytes }] = [...this.#histories].reduce((oldest, history) =>
      history[1].latest < oldest[1].latest ? history : oldest,
    )
    mergeFindings(this.#ended, toMistakes(watches))
    this.#histories.delete(name)
    this.#bytes -= bytes
    this.#take(-bytes)
  }
}

function byFirstEntry(a: ClientMistake, b: ClientMistake) {
  const order = ({ rule }: ClientMistake) => clientRules.findIndex(({ id }) => id === rule)
  return (a.entries[0] ?? 0) - (b.entries[0] ?? 0) || order(a) - order(b)
}

function toMistakes(watches: readonly Watch[]): ClientMistake[] {
  const breaches = watches
    .flatMap((watch) => watch.breaches())
    .filter(({ requests }) => !requests.every(({ isAskedFor }) => isAskedFor))
  const explained = new Set(
    breaches.flatMap(({ rule, requests }) =>
      rule === unhandledRefusal || earlyRetryRules.rules.includes(rule) ? [] : requests,
    ),
  )
  const told = breaches.filter(
    // Another mistake says why it was refused.
    ({ rule, requests: [first] }) => rule !== unhandledRefusal || !first || !explained.has(first),
  )
  const groups = groupBy(
    told,
    // A message can be written when it is read.
    (breach) => `${breach.rule.id} ${breach.level ?? ''} ${breach.subject ?? breach.message}`,
  )
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
