/** Whether two values are the same JSON, whatever the order of fields. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(fieldOf(a, name), fieldOf(b, name)))
  )
}

/** The fields in which two rows differ. */
export function differingFields(a: object, b: object): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].filter((name) => !isSame(fieldOf(a, name), fieldOf(b, name)))
}

function fieldOf(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name]
}
