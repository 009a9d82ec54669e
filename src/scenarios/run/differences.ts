import { matchesStatus } from '../../simulator/journal/filter.ts'
import { type Difference, type DiffOptions, formatLengths } from '../../utils/diff.ts'
import { formatPath, inspectValue } from '../../utils/errors.ts'
import { withoutByteOrderMark } from '../../utils/json.ts'
import { formatCount } from '../../utils/text.ts'
import { describeExpected, diffWithMatchers, matchesAlias } from '../format/matching.ts'
import type { ExpectedResponse } from '../format/scenario.ts'
import type { StepDifference, StepResult } from './result.ts'
import type { ReceivedResponse } from './sender.ts'

/** How many characters of a long text are shown before the first difference. */
const contextLength = 20

/** Formats the expected and the actual value. Of two texts, only the part from the first difference is shown. */
export function formatDifference(difference: StepDifference): Record<'expected' | 'got', string> {
  const { expected, got, inLength, inWords } = difference
  if (inWords) return { expected: String(expected), got: String(got) }
  if (inLength) {
    const isExact = difference.path[1] === 'exact_body'
    const isSame = (a: unknown, b: unknown): boolean => diffWithMatchers(a, b, isExact).length === 0
    return formatLengths(difference, describeExpected, isSame)
  }
  if (typeof expected === 'string' && typeof got === 'string') {
    const from = Math.max(0, commonPrefixLength(expected, got) - contextLength)
    return { expected: cut(expected, from), got: cut(got, from) }
  }
  return { expected: describeExpected(expected), got: inspectValue(got) }
}

/** Does not cut off a short beginning. */
function cut(text: string, from: number): string {
  return from < contextLength ? inspectValue(text) : `…${inspectValue(text.slice(from))}`
}

function commonPrefixLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

/** Says which fields only one side has, and in how many steps: each in a sentence. A response with another status has others. */
export function countFieldsOfOneSide(steps: readonly Pick<StepResult, 'differences'>[]): string[] {
  const counts = new Map<string, number>()
  for (const { differences } of steps) {
    if (differences.some(({ where }) => where === 'status')) continue
    const named = differences.filter(isOfOneSide).map((difference) => {
      const side = difference.got === undefined ? 'recorded service' : 'simulator'
      return `Only the ${side} shows the field ${fieldOf(difference)}`
    })
    for (const name of new Set(named)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${name}: ${formatCount(count, 'step')}.`)
}

/** The field of a row that only one side has. Null for another difference */
export function fieldOfOneSide(difference: StepDifference): string | null {
  const { path, expected, got, inWords } = difference
  const [, part, ...rest] = path
  if (inWords || rest.length === 0 || (part !== 'body' && part !== 'exact_body')) return null
  const field = fieldOf(difference)
  return (expected === undefined || got === undefined) && !contentFields.test(field) ? field : null
}

/** Whether only one side has a field of a row. */
export function isOfOneSide(difference: StepDifference): boolean {
  return fieldOfOneSide(difference) !== null
}

/** Names that plugins choose themselves are content. A service that lacks one has another plugin, not other fields. */
export const contentFields = /^(?:config_schema|capabilities|metrics|public_jobs)\./

/** The path of a value within its row, or within the response. */
export function fieldOf({ path, where }: StepDifference): string {
  const names = path.slice(2).filter((part) => typeof part === 'string')
  if (names.length === 0) return where
  return (names[0] === 'results' && names.length > 1 ? names.slice(1) : names).join('.')
}

/** What differs between a response and the expected one. @param body the parsed body */
export function compareResponse(
  expected: ExpectedResponse,
  response: ReceivedResponse,
  body: unknown,
  options: DiffOptions = {},
): StepDifference[] {
  const { status, headers = {}, broken = Number(status) === 0 } = expected
  if (broken !== response.broken) {
    const complete = response.status === 0 ? 'a response' : `a response (${response.status})`
    const outcomes = [complete, 'a broken connection']
    const [outcome, actual] = [outcomes[Number(broken)], outcomes[Number(response.broken)]]
    return [{ ...toStepDifference('broken', outcome, actual), inWords: true }]
  }
  const { most = Number.POSITIVE_INFINITY } = options
  const differences: StepDifference[] = []
  if (status !== undefined && !matchesStatus(response.status, status)) {
    differences.push(toStepDifference('status', status, response.status))
  }
  for (const [name, value] of Object.entries(headers)) {
    if (differences.length >= most) break
    const actual = response.headers.get(name) ?? undefined
    for (const difference of diffWithMatchers(value ?? { $match: 'absent' }, actual, false)) {
      differences.push(placeDifference('headers', { ...difference, path: [name] }))
    }
  }
  for (const part of ['body', 'exact_body', 'text'] as const) {
    if (!(part in expected) || differences.length >= most) continue
    const value: unknown = expected[part]
    if (part === 'text') {
      // A received text is decoded without the mark, as a client does it.
      const text = typeof value === 'string' ? withoutByteOrderMark(value) : value
      const isSame = text === response.text || matchesAlias(text, response.text) === true
      if (!isSame) differences.push(toStepDifference(part, text, response.text))
    } else {
      for (const difference of diffWithMatchers(value, body, part === 'exact_body', options)) {
        differences.push(placeDifference(part, difference))
      }
    }
  }
  return differences
}

function toStepDifference(part: string, expected: unknown, got: unknown): StepDifference {
  return placeDifference(part, { path: [], expected, got })
}

function placeDifference(part: string, difference: Difference): StepDifference {
  const { path } = difference
  const name = part === 'exact_body' ? 'body' : part
  return { ...difference, path: ['expect', part, ...path], where: formatPath([name, ...path]) }
}
