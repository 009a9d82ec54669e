import { endpoints } from '../api/endpoints.ts'
import { headerSettings } from '../explain/evidence.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { bodyLength, isOmitted } from '../http/messages.ts'
import { mergeMistakes } from '../mistakes/client-mistakes.ts'
import type { ClientMistake } from '../mistakes/rule.ts'
import { type SettingValues, settingIds, settingsById } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { State } from '../simulator/state.ts'
import { type KeyUse, keyUseOf, mergeKeyUse } from './key-use.ts'

/** What a run used, as JSON: counts and names, so that its size does not depend on the number of requests. */
export interface RunUsage {
  requests: number
  /** Requests that are no longer in the journal, so that the rest says nothing about them */
  not_covered: number
  /** Requests that no operation matches */
  unmatched: number
  /** Responses that a fault affected */
  faults: number
  /** The settings that differ from the profile `documented` */
  readonly settings: Record<string, string | number>
  /** By operation id */
  readonly operations: Record<string, OperationUsage>
  /** How often each value of a setting was consulted, by the id of the setting */
  readonly consulted: Record<string, Record<string, number>>
  readonly keys: KeyUse[]
  readonly mistakes: ClientMistake[]
}

/** How an operation was used. */
interface OperationUsage {
  requests: number
  /** Responses by status. A broken connection has none */
  readonly statuses: Record<string, number>
}

export function emptyUsage(): RunUsage {
  const counts = { requests: 0, not_covered: 0, unmatched: 0, faults: 0 }
  return { ...counts, settings: {}, operations: {}, consulted: {}, keys: [], mistakes: [] }
}

/** Stores the settings of a simulator, which decide what exists of the API. */
export function addSettings(usage: RunUsage, settings: SettingValues): void {
  for (const id of settingIds) {
    if (settings[id] !== settingsById[id].documented) usage.settings[id] = settings[id]
  }
}

/** Adds what the requests of simulators used. */
export class UsageRecorder {
  readonly usage: RunUsage = emptyUsage()
  readonly #endpoints: ReadonlyMap<string, Endpoint> = new Map(
    endpoints.map((endpoint) => [endpoint.id, endpoint]),
  )

  add(record: JournalRecord, state: Pick<State, 'tables'>): void {
    const { usage } = this
    const { status } = record.response
    usage.requests += 1
    if (record.fault) usage.faults += 1
    this.#addSettings(record)
    const endpoint = this.#endpoints.get(record.operation ?? '')
    if (!endpoint) {
      usage.unmatched += 1
      return
    }
    const { id } = endpoint
    usage.operations[id] ??= emptyOperation()
    const operation = usage.operations[id]
    operation.requests += 1
    if (status > 0) operation.statuses[status] = (operation.statuses[status] ?? 0) + 1
    const use = keyUseOf(record, endpoint, state.tables)
    if (use) mergeKeyUse(usage.keys, use)
  }

  #addSettings(record: JournalRecord): void {
    for (const id of record.usedSettings) {
      const value = record.settings[id]
      if (id === 'limits.body' && !isLarge(record)) continue
      // A client reads a header that it gets. It cannot rest on one that a response lacks.
      const header = Object.keys(headerSettings).find((name) => headerSettings[name] === id)
      if (header !== undefined && !(header in record.response.headers)) continue
      this.usage.consulted[id] ??= {}
      const counts = this.usage.consulted[id]
      counts[value] = (counts[value] ?? 0) + 1
    }
  }
}

/** The size of a body does not matter if every profile accepts it. */
function isLarge({ requestBody, response }: JournalRecord): boolean {
  const { documented, live } = settingsById['limits.body']
  const isAccepted =
    !isOmitted(requestBody) &&
    (bodyLength(requestBody) ?? 0) <= Math.min(Number(documented), Number(live))
  return response.status === 413 || !isAccepted
}

function emptyOperation(): OperationUsage {
  return { requests: 0, statuses: {} }
}

/** Adds what one part of a run used to what the others did, such as the tests of several workers. */
export function mergeUsage(target: RunUsage, part: RunUsage): void {
  target.requests += part.requests
  target.not_covered += part.not_covered
  target.unmatched += part.unmatched
  target.faults += part.faults
  Object.assign(target.settings, part.settings)
  for (const [id, added] of Object.entries(part.operations)) {
    target.operations[id] ??= emptyOperation()
    const operation = target.operations[id]
    operation.requests += added.requests
    addCounts(operation.statuses, added.statuses)
  }
  for (const [id, counts] of Object.entries(part.consulted)) {
    target.consulted[id] ??= {}
    addCounts(target.consulted[id], counts)
  }
  for (const use of part.keys) mergeKeyUse(target.keys, use)
  mergeMistakes(target.mistakes, part.mistakes)
}

function addCounts(target: Record<string, number>, part: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(part)) target[name] = (target[name] ?? 0) + count
}
