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
