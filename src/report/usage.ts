import { endpointOf } from '../api/endpoints.ts'
import { bodyLength, isOmitted } from '../http/messages.ts'
import { MistakeFollower, mistakesOf } from '../mistakes/follow-mistakes.ts'
import { byEvidence } from '../settings/evidence.ts'
import { profiles, valueIn } from '../settings/profiles.ts'
import { describeValue, type SettingId, settingIds, settingsById } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Reason, ReportedSetting, RunReport } from '../simulator/response-reasons.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import { mergeFindings } from '../utils/reports/merge-findings.ts'
import type { RequestFinding } from '../utils/reports/report.ts'

/** What a run used, as JSON: counts and names, so that its size does not depend on the number of requests. */
export interface RunUsage {
  requests: number
  /** Requests that are no longer in the journal, so that the rest says nothing about them */
  not_covered: number
  /** Requests that no operation matches */
  unmatched: number
  /** Responses that a fault affected */
  faults: number
  /** How often each value of a setting was consulted, by the id of the setting */
  readonly consulted: Record<string, Record<string, number>>
  readonly mistakes: RequestFinding[]
}

export function emptyUsage(): RunUsage {
  const counts = { requests: 0, not_covered: 0, unmatched: 0, faults: 0 }
  return { ...counts, consulted: {}, mistakes: [] }
}

/** Adds what one part of a run used to what the others did, such as the tests of several workers. */
export function mergeUsage(target: RunUsage, part: RunUsage): void {
  target.requests += part.requests
  target.not_covered += part.not_covered
  target.unmatched += part.unmatched
  target.faults += part.faults
  for (const [id, counts] of Object.entries(part.consulted)) {
    target.consulted[id] ??= {}
    addAll(target.consulted[id], counts)
  }
  mergeFindings(target.mistakes, part.mistakes)
}

function addAll(target: Record<string, number>, part: Readonly<Record<string, number>>) {
  for (const [name, count] of Object.entries(part)) target[name] = (target[name] ?? 0) + count
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
  return () => ({ ...usage, mistakes: mistakes.finish() })
}

const headerSettings: Readonly<Record<string, SettingId>> = {
  allow: 'headers.allow',
  location: 'headers.location',
  'www-authenticate': 'keys.www_authenticate',
  'retry-after': 'limits.retry_after',
}

function addRecord(usage: RunUsage, record: JournalRecord) {
  usage.requests += 1
  if (record.fault) usage.faults += 1
  if (!endpointOf(record.operation)) usage.unmatched += 1
  for (const id of record.settingReads.ids) {
    if (id === 'limits.body' && !isLarge(record)) continue
    // A client reads a header that it gets. It cannot depend on one that a response lacks.
    const header = Object.keys(headerSettings).find((name) => headerSettings[name] === id)
    if (header !== undefined && !(header in record.response.headers)) continue
    usage.consulted[id] ??= {}
    addAll(usage.consulted[id], { [record.settings[id]]: 1 })
  }
}

/** The size of a body does not matter if every profile accepts it. */
function isLarge({ requestBody, response }: JournalRecord) {
  const limits = profiles.map((profile) => Number(valueIn(profile, settingsById['limits.body'])))
  const isAccepted =
    !isOmitted(requestBody) && (bodyLength(requestBody) ?? 0) <= Math.min(...limits)
  return response.status === 413 || !isAccepted
}

export function createRunReport({ consulted, ...counts }: RunUsage): RunReport {
  const settings = settingIds.flatMap((id): ReportedSetting[] => {
    const counts = consulted[id]
    if (counts === undefined) return []
    const values = Object.keys(counts)
    const described = values.map((value) => describeValue(id, value as never)).sort(byEvidence)
    const { evidence, source } = described[0] as Pick<Reason, 'evidence' | 'source'>
    const requests = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return [{ id, question: settingsById[id].question, values, evidence, source, requests }]
  })
  return { ...counts, settings: settings.sort(byEvidence) }
}

/** Reports on the requests in a journal. @throws UsageError if the journal is disabled */
export function reportJournal(simulator: Simulator): RunReport {
  requireJournal(simulator)
  return createRunReport(usageOf(simulator))
}

/** @throws UsageError if the journal is disabled */
function requireJournal({ state }: Simulator) {
  if (!state.journal.isOff) return
  throw new UsageError('A report needs the journal. Start with journal.entries above 0.')
}

/**
 * What the requests in a journal used and did wrong.
 *
 * @param sandboxId what they belong to if no test is known, such as a sandbox
 */
function usageOf({ state, journal }: Simulator, sandboxId: string | null = null): RunUsage {
  const { evictedCount, records } = state.journal
  const usage = { ...emptyUsage(), not_covered: evictedCount }
  for (const record of records) addRecord(usage, record)
  return { ...usage, mistakes: journal.findMistakes(sandboxId) }
}

/** What the clients of a server used and did wrong, in its own world and in its sandboxes, also in those that ended. */
export class ServedRun {
  readonly #simulator: Simulator
  #ended: RunUsage = emptyUsage()

  constructor(simulator: Simulator) {
    this.#simulator = simulator
    simulator.sandboxes.followEnd((id, sandbox) => {
      mergeUsage(this.#ended, usageOf(sandbox, id))
    })
  }

  mistakes(): readonly RequestFinding[] {
    const mistakes = mistakesOf(this.#simulator)
    mergeFindings(mistakes, this.#ended.mistakes)
    return mistakes
  }

  report(): RunReport {
    requireJournal(this.#simulator)
    const usage = emptyUsage()
    for (const [world, id] of this.#simulator.worlds) mergeUsage(usage, usageOf(world, id))
    mergeUsage(usage, this.#ended)
    return createRunReport(usage)
  }

  /** Forgets the sandboxes that ended. */
  clear(): void {
    this.#ended = emptyUsage()
  }
}
