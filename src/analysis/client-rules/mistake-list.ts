import type { RequestTrace } from './client-request.ts'
import type { ClientMistake, ClientRule, ReportMistake } from './rule.ts'

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
export class MistakeList {
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
