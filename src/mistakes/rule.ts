import { type Evidence, inFramework, inSource } from '../settings/evidence.ts'
import { LatestMap } from '../utils/latest-map.ts'
import type { FindingLevel, RequestFinding, RuleDescription } from '../utils/reports/report.ts'
import type { ClientRequest } from './client-request.ts'
import { Address } from './seen-request.ts'

/** A mistake that clients make, and that a journal shows. */
export interface ClientRule extends RuleDescription {
  /** What the client did, as a short clause: the title of a test that forbids it */
  readonly title: string
  /** `error`: data was lost or duplicated. `warning`: it will fail one day. `note`: it can be on purpose */
  readonly level: FindingLevel
  readonly cure: string
  /** Why the API is believed to work as the rule says */
  readonly evidence: Evidence
  readonly source: string
}

type Origin = Pick<ClientRule, 'evidence' | 'source'>

export const readInSource: Origin = { evidence: 'source', source: inSource }
export const seenInFramework: Origin = { evidence: 'source', source: inFramework }

/** @param text a sentence of the documentation */
export function inDocument(text: string): Origin {
  return { evidence: 'documented', source: `the documentation says: ${text}` }
}

/** A mistake that a client made. Equal mistakes are one. */
export type ClientMistake = RequestFinding

/** A row that a mistake is about. */
export type RowName = NonNullable<RequestFinding['rows']>[number]

/** Requests that break a rule. */
export interface Breach {
  readonly rule: ClientRule
  readonly message: string
  readonly requests: readonly ClientRequest[]
  /** The rows that it is about. By default those that the requests name or wrote */
  readonly rows?: readonly RowName[]
  /** What to do about this one. By default the cure of the rule */
  readonly cure?: string
  /** By default the level of the rule */
  readonly level?: FindingLevel
  /** How often it happened. By default once */
  readonly times?: number
  /** Breaches of a rule with the same subject are one mistake, with the message of the first. By default the message */
  readonly subject?: string
}

/** What the rules know of the requests of one history as a whole. */
export class History {
  /** Whether all requests belong to one test */
  readonly isTest: boolean
  /** The latest request of the same client before this one that was not refused */
  before: ClientRequest | undefined
  readonly #latest = new LatestMap<string, ClientRequest>()
  readonly #succeeded = new LatestMap<string, true>()
  /** Where pages led their clients, read when one is looked for, which is rare */
  readonly #addresses = new Set<string>()
  readonly #links = new Set<string>()

  constructor(isTest: boolean) {
    this.isTest = isTest
  }

  see(request: ClientRequest): void {
    const { client, status, page } = request
    if (page?.next) this.#links.add(page.next)
    if (page?.previous) this.#links.add(page.previous)
    this.before = this.#latest.get(client)
    if (status >= 400) return
    this.#latest.set(client, request)
    if (status > 0) this.#succeeded.set(client, true)
  }

  /** Whether a request of a client was not refused. One that is only ever refused may be a test of the refusals. */
  hasSucceeded(client: string): boolean {
    return this.#succeeded.has(client)
  }

  /** Whether a request goes where a page led a client. */
  isFollowed({ address }: ClientRequest): boolean {
    for (const link of this.#links) this.#addresses.add(new Address(link).whole)
    this.#links.clear()
    return this.#addresses.has(address)
  }
}

/** Rules that are looked for together. */
export interface WatchedRules {
  readonly Watch: new (history: History) => Watch
  /** In the order of the documentation */
  readonly rules: readonly ClientRule[]
}

/** Looks for breaches of rules in the requests of one history, which ends before it takes much memory. */
export abstract class Watch {
  protected readonly history: History
  readonly #found: Breach[] = []

  constructor(history: History) {
    this.history = history
  }

  /** Takes the next request, in the order of arrival. */
  abstract see(request: ClientRequest): void

  /** The breaches so far that no later request has corrected. By default all that were reported. */
  breaches(): readonly Breach[] {
    return this.#found
  }

  protected report(breach: Breach): void {
    this.#found.push(breach)
  }
}
