import { type Evidence, observedSources } from '../../policies/policy.ts'
import type { Finding, FindingLevel, RuleDescription } from '../../utils/reports/report.ts'
import type { ClientRequest, RequestTrace } from './client-request.ts'

/** A mistake that clients make, and that a journal shows. */
export interface ClientRule extends RuleDescription {
  /** `error`: data was lost or duplicated. `warning`: it will fail one day. `note`: it may be on purpose */
  readonly level: FindingLevel
  readonly cure: string
  /** Why the API is believed to work as the rule says */
  readonly evidence: Evidence
  readonly source: string
}

type Origin = Pick<ClientRule, 'evidence' | 'source'>

export const readInSource: Origin = {
  evidence: 'observed',
  source: observedSources.source,
}
export const seenInFramework: Origin = {
  evidence: 'observed',
  source: observedSources.framework,
}

/** @param text a sentence of the documentation */
export function documented(text: string): Origin {
  return { evidence: 'documented', source: `the documentation says: ${text}` }
}

/** A mistake that a client made. Equal mistakes are one. */
export interface ClientMistake extends Finding {
  /** The ids of the journal entries that show it: the first 20 */
  readonly entries: readonly number[]
  /** How many entries show it */
  readonly count: number
  /** The tests that the entries belong to. Only if they are known */
  readonly tests?: readonly string[]
}

/**
 * Reports a mistake.
 *
 * @param subject what distinguishes it from other mistakes of the rule. The first message of a subject is used
 */
export type ReportMistake = (
  rule: ClientRule,
  subject: string,
  message: string,
  requests: readonly RequestTrace[],
) => void

/** Finds the mistakes of some rules in a stream of requests. */
export interface RequestWatcher {
  add(request: ClientRequest, report: ReportMistake): void
  /** Reports what is a mistake unless a later request corrects it. */
  reportOpen?(report: ReportMistake): void
}

/** A map that forgets the values that were set longest ago, so that its memory is bounded. */
export class RecentMap<V> extends Map<string, V> {
  readonly #limit: number

  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  override set(key: string, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#limit) this.delete(this.keys().next().value as string)
    return this
  }
}

/** How many requests in a row are too many, and how many seconds may be between two of them. */
interface StreakLimit {
  readonly times: number
  readonly seconds: number
  /** Whether those at the time of the first one count as one: on a frozen clock, all of them */
  readonly mustTimePass?: boolean
}

/** Collects requests that follow one another soon, by the clock of the sandbox, until there are too many of them. */
export class Streak {
  #requests: RequestTrace[] = []
  #first = 0
  #latest = 0

  /** @returns the requests to report: none below the limit, all of them at the limit, then the latest one */
  add({ trace, at }: ClientRequest, limit: StreakLimit): readonly RequestTrace[] {
    const { times, seconds, mustTimePass = false } = limit
    const isLate = Math.abs(at - this.#latest) > seconds * 1_000
    if (isLate || (mustTimePass && at === this.#first)) this.#requests = []
    if (this.#requests.length === 0) this.#first = at
    this.#latest = at
    if (this.#requests.length === times) return [trace]
    this.#requests.push(trace)
    return this.#requests.length === times ? this.#requests : []
  }
}
