import { type Difference, diffValues } from '../differences.ts'
import { inspectValue } from '../usage-error.ts'
import type { KeyRedactor } from './redact.ts'

/**
 * Where a value differs from what was expected of it, a line for each place. Objects may have more fields than
 * expected, lists may not have more items. Values are compared as they are, and told without keys.
 *
 * @example differences({ content: 'Launch' }, { content: 'Lunch', scope: 'project' }, 'body', redactor)
 * // ['body.content: expected "Launch", got "Lunch"']
 */
export function differenceLines(
  expected: unknown,
  got: unknown,
  path: string,
  redactor: KeyRedactor,
): string[] {
  return diffValues(expected, got).map(
    (difference) => `${path}${formatDifference(difference, redactor)}`,
  )
}

function formatDifference(
  { path, expected, got, inLength }: Difference,
  redactor: KeyRedactor,
): string {
  const place = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${redactor.text(step)}`,
  )
  if (!inLength) {
    const [wanted, found] = [redactor.part(expected, path), redactor.part(got, path)]
    return `${place.join('')}: expected ${inspectValue(wanted)}, got ${inspectValue(found)}`
  }
  const [wanted, found] = [expected, got] as [readonly unknown[], readonly unknown[]]
  return `${place.join('')}: expected ${wanted.length} items, got ${found.length}`
}
