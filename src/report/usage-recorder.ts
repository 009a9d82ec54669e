import { endpoints } from '../api/endpoints.ts'
import { headerSettings } from '../explain/evidence.ts'
import type { Operation } from '../http/endpoint.ts'
import { bodyLength, isOmitted } from '../http/messages.ts'
import { profiles, valueIn } from '../settings/profiles.ts'
import { settingsById } from '../settings/setting.ts'
import { type JournalRecord, usedSettings } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { State } from '../simulator/state.ts'
import { keyUseOf, mergeKeyUse } from './key-use.ts'
import { addCounts, emptyUsage, type RunMistakes, type RunUsage } from './run-usage.ts'

/** Counts what the requests of simulators use. */
export class UsageRecorder {
  readonly usage: RunUsage = emptyUsage()
  readonly #endpoints: ReadonlyMap<string, Operation> = new Map(
    endpoints.map((endpoint) => [endpoint.operation, endpoint]),
  )

  /** Counts the requests to a simulator and its sandboxes from now on, while they happen. */
  follow(simulator: Simulator): void {
    const followWorld = (world: Simulator): void => {
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
  const limits = profiles.map((profile) => Number(valueIn(profile, settingsById['limits.body'])))
  const isAccepted =
    !isOmitted(requestBody) && (bodyLength(requestBody) ?? 0) <= Math.min(...limits)
  return response.status === 413 || !isAccepted
}
