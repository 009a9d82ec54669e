import { show } from '../usage-error.ts'

/**
 * Where a value differs from what was expected of it, a line for each place. Objects may have more fields than
 * expected, lists may not have more items.
 *
 * @example differences({ content: 'Launch' }, { content: 'Lunch', scope: 'project' }, 'body')
 * // ['body.content: expected "Launch", got "Lunch"']
 */
export function differences(expected: unknown, got: unknown, path: string): string[] {
  if (Array.isArray(expected) && Array.isArray(got)) return inLists(expected, got, path)
  if (isObject(expected) && isObject(got)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      Object.hasOwn(got, name)
        ? differences(value, got[name], `${path}.${name}`)
        : [`${path}.${name}: expected ${show(value)}, got nothing`],
    )
  }
  if (Object.is(expected, got)) return []
  return [`${path}: expected ${show(expected)}, got ${show(got)}`]
}

function inLists(expected: readonly unknown[], got: readonly unknown[], path: string): string[] {
  if (expected.length !== got.length) {
    return [`${path}: expected ${expected.length} items, got ${got.length}`]
  }
  return expected.flatMap((value, index) => differences(value, got[index], `${path}[${index}]`))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
