import { endpointOf } from '../api/endpoints.ts'
import { headerSettings } from '../explain/evidence.ts'
import { bodyLength, isOmitted } from '../http/messages.ts'
import { MistakeFollower } from '../mistakes/follow-mistakes.ts'
import { profiles, valueIn } from '../settings/profiles.ts'
import { settingsById } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { addCounts, emptyUsage, type RunUsage } from './run-usage.ts'

/**
 * What the requests in a journal used and did wrong.
 *
 * @param sandboxId what they belong to if no test is known, such as a sandbox
 */
export function usageOf({ state, journal }: Simulator, sandboxId: string | null = null): RunUsage {
  const { evictedCount, records } = state.journal
  const usage = { ...emptyUsage(), not_covered: evictedCount }
  for (const record of records) addRecord(usage, record)
  return { ...usage, ...journal.findMistakes(sandboxId) }
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
  const usage = emptyUsage()
  simulator.followWorlds(({ journal }) => {
    journal.followWritten(({ record }) => addRecord(usage, record))
  })
  return () => ({ ...usage, ...mistakes.finish() })
}

function addRecord(usage: RunUsage, record: JournalRecord): void {
  usage.requests += 1
  if (record.fault) usage.faults += 1
  if (!endpointOf(record.operation)) usage.unmatched += 1
  for (const id of record.settingReads.ids) {
    if (id === 'limits.body' && !isLarge(record)) continue
    // A client reads a header that it gets. It cannot depend on one that a response lacks.
    const header = Object.keys(headerSettings).find((name) => headerSettings[name] === id)
    if (header !== undefined && !(header in record.response.headers)) continue
    addCounts(usage.consulted, id, { [record.settings[id]]: 1 })
  }
}

/** The size of a body does not matter if every profile accepts it. */
function isLarge({ requestBody, response }: JournalRecord): boolean {
  const limits = profiles.map((profile) => Number(valueIn(profile, settingsById['limits.body'])))
  const isAccepted =
    !isOmitted(requestBody) && (bodyLength(requestBody) ?? 0) <= Math.min(...limits)
  return response.status === 413 || !isAccepted
}
