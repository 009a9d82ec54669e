import type { ClientMistake } from '../../mistakes/rule.ts'
import { describeUnapplied } from '../../simulator/faults/faults.ts'
import type { JournalEntry } from '../../simulator/journal/entry.ts'
import { reasonWithoutStatus } from '../../simulator/journal/reason.ts'
import type { Simulator } from '../../simulator.ts'
import { listWords } from '../../utils/errors.ts'
import { escapeControls } from '../../utils/escape.ts'
import { formatFinding } from '../../utils/reports/report.ts'

/** How many requests are described. */
export const maxRequests = 10

/** How many faults are named that never applied. */
const maxUnapplied = 5

/**
 * Describes the latest requests to the simulator of a failed test, a line for each, then the mistakes that they show, the
 * faults that never applied, and the handlers of the user that threw.
 *
 * @param missing where requests may have gone that did not reach the simulator
 * @example
 * // Requests to the simulator, the latest last:
 * //   401 GET /api/projects/, no key – the request has no Authorization header
 */
export function describeLatestRequests(
  { journal, keys, faults, own }: Simulator,
  missing: readonly string[] = [],
): string {
  const entries = journal.find({ limit: maxRequests })
  const lines = entries.map(describeRequest)
  const refused = entries.filter(({ response }) => response.status === 401)
  const failures = [...own.failures].map(([handler, error]) =>
    escapeControls(`Your handler ${handler} threw ${String(error).split('\n')[0]}.`),
  )
  return [
    ...withTitle(lines, journal.waiting()),
    ...(refused.length > 0 ? describeLabels(labelsOf(keys.list())) : []),
    ...(refused.some(({ key }) => key?.label === null) ? [unknownKey] : []),
    ...describeMistakes(journal.mistakes()),
    ...describeUnapplied(faults.totals()).slice(0, maxUnapplied),
    ...missing,
    ...failures,
  ].join('\n')
}

const unknownKey =
  'To accept the key that the client sends, issue it: simulator.keys.issue({ value: … }).'

function describeLabels(labels: readonly string[]): string[] {
  if (labels.length === 0) return []
  const [first] = labels
  return [
    `A key of the world is as(${JSON.stringify(first)}).key. The labels are ${listWords(labels)}.`,
  ]
}

/** The labels of keys. A key without its own label is labelled with its value, which messages must not show. */
export function labelsOf(keys: ReturnType<Simulator['keys']['list']>): string[] {
  return keys.flatMap(({ label, value }) => (label === value ? [] : (label ?? [])))
}

export function describeMistakes(mistakes: readonly ClientMistake[]): string[] {
  if (mistakes.length === 0) return []
  return [
    'Mistakes of the client:',
    ...mistakes.flatMap((mistake) => formatFinding(mistake)).map(indent),
  ]
}

/**
 * @param lines descriptions of at most {@link maxRequests} requests
 * @param waiting which requests have no response yet, in sentences
 */
export function withTitle(lines: readonly string[], waiting: readonly string[]): string[] {
  const none = waiting.length === 0 ? ['The simulator received no requests.'] : []
  const title =
    lines.length < maxRequests
      ? 'Requests to the simulator, the latest last:'
      : `The last ${maxRequests} requests to the simulator:`
  return [...(lines.length === 0 ? none : [title, ...lines.map(indent)]), ...waiting]
}

function indent(line: string): string {
  return `  ${escapeControls(line)}`
}

/** The fields of an entry that describe its request. */
type DescribedFields = Pick<
  JournalEntry,
  'method' | 'path' | 'query' | 'key' | 'reason' | 'ignored'
> & { readonly response: Pick<JournalEntry['response'], 'status'> }

export function describeRequest(entry: DescribedFields): string {
  const { method, path, query, key, response } = entry
  const search = String(new URLSearchParams(query))
  const name = key && `, key ${JSON.stringify(key.label ?? key.value)}`
  const request = `${response.status || '---'} ${method} ${path}${search && `?${search}`}${name ?? ', no key'}`
  const reasons = describeReasons(entry).join('; ')
  return reasons === '' ? request : `${request} – ${reasons}`
}

function describeReasons(entry: DescribedFields): string[] {
  const { reason, ignored, response } = entry
  return [
    ...(reason === null ? [] : [reasonWithoutStatus(reason, response.status)]),
    ...ignored.map((part) => `ignored: ${part}`),
  ]
}
