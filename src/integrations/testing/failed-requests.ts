import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { Simulator } from '../../simulator.ts'
import { escapeControls } from '../../utils/escape.ts'

const maxRequests = 10

/**
 * Describes the latest requests to the simulator of a failed test, a line for each.
 *
 * @param elsewhere how many requests reached other simulators in the meantime
 * @example
 * // Requests to the simulator, the latest last:
 * //   401 GET /api/projects/, no key – the request has no Authorization header; keys.missing.status=401
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

function describeReasons({ reason, decided_by = [], ignored }: JournalEntry): string[] {
  return [
    // The sentence begins with the status, which the line has already.
    ...(reason === null ? [] : [reason.replace(/^(\d+|no response): /, '')]),
    ...decided_by.map(({ id, setting }) => `${id}=${setting}`),
    ...ignored.map((part) => `ignored: ${part}`),
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
