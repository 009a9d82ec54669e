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

/** JSON as a value; undefined for what is none. @example parsedJson('[1]') // { value: [1] } */
export function tryParseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/**
 * The values of a JSON value, level by level from the outermost in: itself, then what it holds, then what
 * those hold. Nothing is called within itself, so that no depth of nesting overflows the stack.
 *
 * @example
 * [...levelsOf([1, [2]])] // [[[1, [2]]], [1, [2]], [2]]
 */
export function* jsonLevels(value: unknown): Generator<readonly unknown[], undefined> {
  for (let level: unknown[] = [value]; level.length > 0; ) {
    yield level
    const inner: unknown[] = []
    for (const outer of level) {
      if (typeof outer !== 'object' || outer === null) continue
      for (const held of Array.isArray(outer) ? outer : Object.values(outer)) inner.push(held)
    }
    level = inner
  }
}
