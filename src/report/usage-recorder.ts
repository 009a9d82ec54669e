import { endpointOf } from '../api/endpoints.ts'
import { headerSettings } from '../explain/evidence.ts'
import { bodyLength, isOmitted } from '../http/messages.ts'
import { MistakeFollower } from '../mistakes/follow-mistakes.ts'
import { profiles, valueIn } from '../settings/profiles.ts'
import { settingsById } from '../settings/setting.ts'
import { type JournalRecord, usedSettings } from '../simulator/journal/journal.ts'
import { followWorlds } from '../simulator/sandboxes/follow-worlds.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { State } from '../simulator/state.ts'
import { keyUseOf, mergeKeyUse } from './key-use.ts'
import { addCounts, emptyUsage, type RunMistakes, type RunUsage } from './run-usage.ts'

/** Counts what the requests of simulators use. */
export class UsageRecorder {
  readonly usage: RunUsage = emptyUsage()

  finish(mistakes: RunMistakes): RunUsage {
    return { ...this.usage, ...mistakes }
  }

  add(record: JournalRecord, state: Pick<State, 'tables'>): void {
    const { usage } = this
    usage.requests += 1
    if (record.fault) usage.faults += 1
    this.#addSettings(record)
    const endpoint = endpointOf(record.operation)
    if (!endpoint) usage.unmatched += 1
    const use = endpoint && keyUseOf(record, endpoint, state.tables)
    if (use) mergeKeyUse(usage.keys, use)
  }

  #addSettings(record: JournalRecord): void {
    for (const id of usedSettings(record)) {
      const value = record.settings[id]
      if (id === 'limits.body' && !isLarge(record)) continue
      // A client reads a header that it gets. It cannot depend on one that a response lacks.
      const header = Object.keys(headerSettings).find((name) => headerSettings[name] === id)
      if (header !== undefined && !(header in record.response.headers)) continue
      addCounts(this.usage.consulted, id, { [value]: 1 })
    }
  }
}

/**
 * Follows the requests to a simulator and its sandboxes.
 *
 * @param mistakes finds their mistakes. By default as in a test
 * @returns a function that returns what they have used and done wrong so far
 */
export function followRun(
  simulator: Simulator,
  mistakes: Pick<MistakeFollower, 'finish'> = new MistakeFollower(simulator, undefined, true),
): () => RunUsage {
  const recorder = new UsageRecorder()
  followWorlds(simulator, ({ journal, state }) => {
    journal.followRecords((record) => recorder.add(record, state))
  })
  return () => recorder.finish(mistakes.finish())
}

/** The size of a body does not matter if every profile accepts it. */
function isLarge({ requestBody, response }: JournalRecord): boolean {
  const limits = profiles.map((profile) => Number(valueIn(profile, settingsById['limits.body'])))
  const isAccepted =
    !isOmitted(requestBody) && (bodyLength(requestBody) ?? 0) <= Math.min(...limits)
  return response.status === 413 || !isAccepted
}
