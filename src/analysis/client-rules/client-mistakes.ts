import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import { inputRules } from './input.ts'
import { listRules } from './lists.ts'
import { retryRules } from './retries.ts'
import {
  type ClientMistake,
  type ClientRequest,
  type ClientRule,
  type ReportMistake,
  type RequestTrace,
  type RequestWatcher,
  type RuleGroup,
  toClientRequest,
} from './rule.ts'
import { writeRules } from './writes.ts'

const groups: readonly RuleGroup[] = [writeRules, inputRules, listRules, retryRules]

/** The rules of the client's report, in the order of the documentation. */
export const clientRules: readonly ClientRule[] = groups.flatMap(({ rules }) => rules)

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
  readonly #watchers: readonly RequestWatcher[] = groups.flatMap((group) => group.watch())

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

/** Mistakes of a rule beyond these are not listed. */
const maxMistakes = 100
const maxEntries = 20
const maxDetails = 3
const maxTests = 20

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
    return [...this.#found.values()].flatMap((mistakes) => [...mistakes.values()].map(toMistake))
  }
}

function toMistake({ rule, message, requests, count }: FoundMistake): ClientMistake {
  const { id, level, cure, evidence, source } = rule
  const lines = requests.map(({ line }) => line)
  const tests = [...new Set(requests.flatMap(({ test }) => test ?? []))]
  return {
    rule: id,
    level,
    message,
    cure,
    evidence,
    source,
    details: shorten(lines, count),
    entries: requests.map((request) => request.id),
    count,
    ...(tests.length > 0 && { tests }),
  }
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
