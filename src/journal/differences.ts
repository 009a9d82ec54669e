import { type Difference, differencesIn } from '../differences.ts'
import { show } from '../usage-error.ts'
import type { Redactor } from './redact.ts'

/**
 * Where a value differs from what was expected of it, a line for each place. Objects may have more fields than
 * expected, lists may not have more items. Values are compared as they are, and told without keys.
 *
 * @example differences({ content: 'Launch' }, { content: 'Lunch', scope: 'project' }, 'body', redactor)
 * // ['body.content: expected "Launch", got "Lunch"']
 */
export function differences(
  expected: unknown,
  got: unknown,
  path: string,
  redactor: Redactor,
): string[] {
  return differencesIn(expected, got).map((difference) => `${path}${lineOf(difference, redactor)}`)
}

function lineOf({ path, expected, got, inLength }: Difference, redactor: Redactor): string {
  const place = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${redactor.text(step)}`,
  )
  if (!inLength) {
    const [wanted, found] = [redactor.part(expected, path), redactor.part(got, path)]
    return `${place.join('')}: expected ${show(wanted)}, got ${show(found)}`
  }
  const [wanted, found] = [expected, got] as [readonly unknown[], readonly unknown[]]
  return `${place.join('')}: expected ${wanted.length} items, got ${found.length}`
}
