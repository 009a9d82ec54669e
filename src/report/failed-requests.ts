import { adviseWaiting } from '../simulator/journal/written-entry.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { listWords } from '../utils/errors.ts'
import type { RequestFinding } from '../utils/reports/report.ts'
import { escapeControls } from '../utils/text.ts'
import { describeMistakes } from './mistake-lines.ts'

export const maxRequests = 10

type FailedSimulator = Pick<Simulator, 'journal' | 'keys' | 'userHandlers'>

/**
 * Describes the latest requests to the simulator of a failed test, a line for each, then the mistakes that they show, and
 * the handlers of the user that threw.
 *
 * @param mistakes those to show. By default all that the journal shows
 * @example
 * // Requests to the simulator, the latest last:
 * //   401 GET /api/projects/, no key – the request has no Authorization header
 */
export function describeLatestRequests(
  { journal, keys, userHandlers }: FailedSimulator,
  mistakes: readonly RequestFinding[] = journal.mistakes(),
): string {
  const entries = journal.latest(maxRequests)
  const refused = entries.filter(({ status }) => status === 401)
  const failures = [...userHandlers.failures].map(([handler, error]) =>
    escapeControls(`Your handler ${handler} threw ${String(error).split('\n')[0]}.`),
  )
  return [
    ...withTitle(
      entries.map(({ line }) => line),
      journal.waiting(),
    ),
    ...(refused.length > 0 ? describeLabels(labelsOf(keys.list())) : []),
    ...(refused.some(({ key }) => key?.label === null) ? [unknownKey] : []),
    ...describeMistakes(mistakes),
    ...failures,
  ].join('\n')
}

const unknownKey =
  'To accept the key that the client sends, issue it: simulator.keys.issue({ value: … }).'

function describeLabels(labels: readonly string[]) {
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

export const noRequests = 'The journal has no requests.'

/** What to do if the client sent some. */
const missingCure =
  'If the client sent some to paths of the API, your own handler, a mock of fetch, a proxy or nock answered them, they are not below baseUrl, or MSW does not intercept the client. See "What is not intercepted" in src/integrations/README.md of understudy-api.'

/**
 * @param lines descriptions of at most {@link maxRequests} requests
 * @param waiting which requests have no response yet, in sentences
 */
export function withTitle(lines: readonly string[], waiting: readonly string[]): string[] {
  const none = waiting.length === 0 ? [noRequests, missingCure] : []
  const title =
    lines.length < maxRequests
      ? 'Requests to the simulator, the latest last:'
      : `The last ${maxRequests} requests to the simulator:`
  return [...(lines.length === 0 ? none : [title, ...lines.map(indent)]), ...adviseWaiting(waiting)]
}

/** @returns a line below a title, without control characters */
export function indent(line: string): string {
  return `  ${escapeControls(line)}`
}
