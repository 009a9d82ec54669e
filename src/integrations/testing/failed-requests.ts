import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { Simulator } from '../../simulator.ts'
import { escapeControls } from '../../utils/escape.ts'
import { isObject } from '../../utils/json.ts'

const maxRequests = 10

/**
 * Describes the latest requests to the simulator of a failed test, a line for each.
 *
 * @param elsewhere how many requests reached other simulators in the meantime
 * @example
 * // Requests to the simulator, the latest last:
 * //   403 POST /api/projects/1/annotations/, key "annotation:read" – API key missing required scope 'annotation:write'
 */
export function describeRequests({ journal }: Simulator, elsewhere = 0): string {
  const entries = journal.find({ limit: maxRequests })
  const title =
    entries.length === 0
      ? 'The simulator received no requests.'
      : entries.length < maxRequests
        ? 'Requests to the simulator, the latest last:'
        : `The last ${maxRequests} requests to the simulator:`
  const lines = entries.map((entry) => `  ${escapeControls(describeRequest(entry))}`)
  return [title, ...lines, ...describeElsewhere(elsewhere)].join('\n')
}

function describeRequest(entry: JournalEntry): string {
  const { method, path, query, key, response } = entry
  const search = String(new URLSearchParams(query))
  const name = key && `, key ${JSON.stringify(key.label ?? key.value)}`
  const request = `${response.status || '---'} ${method} ${path}${search && `?${search}`}${name ?? ', no key'}`
  const reasons = describeReasons(entry).join('; ')
  return reasons === '' ? request : `${request} – ${reasons}`
}

/** Fields that later versions of the journal have: why the response is as it is, and what the operation ignored. */
interface Explained {
  readonly reason?: string | null
  readonly ignored?: readonly string[]
}

function describeReasons(entry: JournalEntry & Explained): string[] {
  const { decided_by = [], reason, ignored = [] } = entry
  return [
    ...(reason === undefined ? describeResponse(entry) : withoutStatus(reason)),
    ...decided_by.map(({ id, setting }) => `${id}=${setting}`),
    ...ignored.map((part) => `ignored: ${part}`),
  ]
}

/** The line has the status already. */
function withoutStatus(reason: string | null): string[] {
  return reason === null ? [] : [reason.replace(/^(\d+|no response): /, '')]
}

function describeResponse({ response, fault, nearest = [] }: JournalEntry): string[] {
  const { status, body } = response
  const { attr, detail } = (isObject(body) ? body : {}) as { attr?: unknown; detail?: unknown }
  return [
    ...(fault ? [`${fault.id} ${JSON.stringify(fault.effect)}`] : []),
    ...(status === 0 && !fault ? ['connection broken'] : []),
    ...(status >= 400 && typeof detail === 'string' ? [`${attr ? `${attr}: ` : ''}${detail}`] : []),
    ...nearest.slice(0, 1).map(({ route, difference }) => `nearest: ${route}, ${difference}`),
  ]
}

/** A client that collects requests of several tests sends them from one of these tests, whose simulator gets them all. */
export function describeElsewhere(count: number): string[] {
  if (count === 0) return []
  const requests = count === 1 ? '1 request' : `${count} requests`
  return [
    `Meanwhile ${requests} reached the simulators of other tests. A client that batches requests of concurrent tests sends them all from one of the tests.`,
  ]
}
