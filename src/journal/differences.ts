import { type Difference, differencesIn } from '../differences.ts'
import { show } from '../usage-error.ts'

/**
 * Where a value differs from what was expected of it, a line for each place. Objects may have more fields than
 * expected, lists may not have more items.
 *
 * @example differences({ content: 'Launch' }, { content: 'Lunch', scope: 'project' }, 'body')
 * // ['body.content: expected "Launch", got "Lunch"']
 */
export function differences(expected: unknown, got: unknown, path: string): string[] {
  return differencesIn(expected, got).map((difference) => `${path}${lineOf(difference)}`)
}

function lineOf({ path, expected, got, inLength }: Difference): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  if (!inLength) return `${place}: expected ${show(expected)}, got ${show(got)}`
  const [wanted, found] = [expected, got] as [readonly unknown[], readonly unknown[]]
  return `${place}: expected ${wanted.length} items, got ${found.length}`
}
