import { type Difference, formatLengths } from '../../utils/diff.ts'
import { inspectValue } from '../../utils/errors.ts'
import { formatCount } from '../../utils/text.ts'
import { describeExpected, diffWithMatchers } from '../format/matching.ts'

/** A difference. Its path leads to a part of the step: `['expect', 'body', 'content']`. */
export interface StepDifference extends Difference {
  /** The part that differs: `status`, `body.content`, `save.id` */
  readonly where: string
  /** Whether `expected` and `got` are descriptions, not values */
  readonly inWords?: true
}

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

/** A difference, and where it is: in a row, or in several rows of a response. */
interface GroupedDifference {
  readonly difference: StepDifference
  readonly where: string
}

/** Groups the differences of rows in the same field: a field that only one side has, or the same two values. */
export function groupDifferences(differences: readonly StepDifference[]): GroupedDifference[] {
  const groups = new Map<string, StepDifference[]>()
  for (const difference of differences) {
    const { expected, got } = formatDifference(difference)
    const sides = isOfOneSide(difference) ? [difference.got === undefined] : [expected, got]
    const key = JSON.stringify([fieldOf(difference), ...sides])
    const group = groups.get(key)
    if (group) group.push(difference)
    else groups.set(key, [difference])
  }
  return [...groups.values()].map((group) => {
    const [difference] = group as [StepDifference]
    const { where } = difference
    if (group.length === 1) return { difference, where }
    return { difference, where: `${where.replace(/\[\d+\]/g, '[]')}, ${group.length} times` }
  })
}

/** The differences of a step. */
interface Differing {
  readonly differences: readonly StepDifference[]
}

/** Says which fields only one side has, and in how many steps: each in a sentence. A response with another status has others. */
export function countFieldsOfOneSide(steps: readonly Differing[]): string[] {
  const counts = new Map<string, number>()
  for (const { differences } of steps) {
    if (differences.some(({ where }) => where === 'status')) continue
    const named = differences.filter(isOfOneSide).map((difference) => {
      const side = difference.got === undefined ? 'recorded service' : 'simulator'
      return `Only the ${side} has the field ${fieldOf(difference)}`
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
function fieldOf({ path, where }: StepDifference): string {
  const names = path.slice(2).filter((part) => typeof part === 'string')
  if (names.length === 0) return where
  return (names[0] === 'results' && names.length > 1 ? names.slice(1) : names).join('.')
}
