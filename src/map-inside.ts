type Change = (inner: unknown, name: string) => unknown

/**
 * A list or an object with others in place of what is in it; the same one where nothing is another.
 *
 * @param change gives what stands in place of a value, by its position or its name
 * @example mapInside({ id: 1, content: 'Launch' }, (value, name) => (name === 'id' ? 2 : value))
 * // { id: 2, content: 'Launch' }
 */
export function mapValues<T extends object>(values: T, change: Change): T {
  const given = values as Record<string, unknown>
  let made: Record<string, unknown> | null = null
  for (const name of Object.keys(values)) {
    const inner = given[name]
    const changed = change(inner, name)
    if (changed === inner) continue
    made ??= (Array.isArray(given) ? [...given] : { ...given }) as Record<string, unknown>
    made[name] = changed
  }
  return (made ?? values) as T
}

/** The same as a copy, also where nothing is another. */
export function mapValuesToCopy<T extends object>(values: T, change: Change): T {
  const made = mapValues(values, change)
  if (made !== values) return made
  return (Array.isArray(values) ? [...values] : { ...values }) as T
}
