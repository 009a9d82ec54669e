import { endpoints } from '../api/endpoints.ts'
import { headerSettings } from '../explain/evidence.ts'
import type { Operation } from '../http/endpoint.ts'
import { bodyLength, isOmitted } from '../http/messages.ts'
import { profiles, valueIn } from '../settings/resolve.ts'
import { type JournalRecord, usedSettings } from '../simulator/journal/journal.ts'
import type { Service } from '../simulator/service.ts'
import type { State } from '../simulator/state.ts'
import { mergeFindings } from '../utils/reports/merge-findings.ts'
import type { RequestFinding } from '../utils/reports/report.ts'
import { type KeyUse, keyUseOf, mergeKeyUse } from './key-use.ts'

/** What the clients of a run did wrong. */
export interface RunMistakes {
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
  readonly keys: KeyUse[]
}

export function emptyUsage(): RunUsage {
  const counts = { requests: 0, not_covered: 0, unmatched: 0, faults: 0 }
  return { ...counts, consulted: {}, keys: [], mistakes: [], not_checked: {} }
}

/** Counts what the requests of simulators use. */
export class UsageRecorder {
  readonly usage: RunUsage = emptyUsage()
  readonly #endpoints: ReadonlyMap<string, Operation> = new Map(
    endpoints.map((endpoint) => [endpoint.operation, endpoint]),
  )

  /** Counts the requests to a simulator and its sandboxes from now on, while they happen. */
  follow(simulator: Service): void {
    const followWorld = (world: Service): void => {
      world.journal.followRecords((record) => this.add(record, world.state))
    }
    followWorld(simulator)
    simulator.sandboxes.follow((_, sandbox) => followWorld(sandbox))
  }

  finish(mistakes: RunMistakes): RunUsage {
    return { ...this.usage, ...mistakes }
  }

  add(record: JournalRecord, state: Pick<State, 'tables'>): void {
    const { usage } = this
    usage.requests += 1
    if (record.fault) usage.faults += 1
    this.#addSettings(record)
    const endpoint = this.#endpoints.get(record.operation ?? '')
    if (!endpoint) usage.unmatched += 1
    const use = endpoint && keyUseOf(record, endpoint, state.tables)
    if (use) mergeKeyUse(usage.keys, use)
  }

  #addSettings(record: JournalRecord): void {
    for (const id of usedSettings(record)) {
      const value = record.settings[id]
      if (id === 'limits.body' && !isLarge(record)) continue
      // A client reads a header that it gets. It cannot rest on one that a response lacks.
      const header = Object.keys(headerSettings).find((name) => headerSettings[name] === id)
      if (header !== undefined && !(header in record.response.headers)) continue
      addCounts(this.usage.consulted, id, { [value]: 1 })
    }
  }
}

/** The size of a body does not matter if every profile accepts it. */
function isLarge({ requestBody, response }: JournalRecord): boolean {
  const limits = profiles.map((profile) => Number(valueIn(profile, 'limits.body')))
  const isAccepted =
    !isOmitted(requestBody) && (bodyLength(requestBody) ?? 0) <= Math.min(...limits)
  return response.status === 413 || !isAccepted
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
  for (const use of part.keys) mergeKeyUse(target.keys, use)
  mergeFindings(target.mistakes, part.mistakes)
  addAll(target.not_checked, part.not_checked)
}

function addCounts(
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
