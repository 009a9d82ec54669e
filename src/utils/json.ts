/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A row that a client received, and may change. */
export type Mutable<Row> = { -readonly [Field in keyof Row]: Row[Field] }

/** Whether a value is an object with named fields: not a list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type MapValue = (value: unknown, name: string) => unknown

/** Replaces the values of an object or a list, by name or index. Returns the same object if no value changes. */
export function mapValues<T extends object>(values: T, map: MapValue): T {
  const source = values as Record<string, unknown>
  let copy: Record<string, unknown> | null = null
  for (const name of Object.keys(source)) {
    const mapped = map(source[name], name)
    if (mapped === source[name]) continue
    copy ??= shallowCopy(source)
    copy[name] = mapped
  }
  return (copy ?? values) as T
}

/** Replaces the values of an object or a list. Returns a copy even if no value changes. */
export function mapValuesToCopy<T extends object>(values: T, map: MapValue): T {
  const mapped = mapValues(values, map)
  return mapped === values ? shallowCopy(values) : mapped
}

function shallowCopy<T extends object>(values: T): T {
  return (Array.isArray(values) ? [...values] : { ...values }) as T
}

/** Parses JSON without throwing. The value is wrapped, so that `undefined` always means invalid JSON. */
export function tryParseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Whether a JSON value has more levels of lists and objects. Also true for an object that contains itself. */
export function isDeeperThan(depth: number, value: unknown): boolean {
  const levels = jsonLevels(value)
  for (let count = 0; count < depth; count++) if (levels.next().done) return false
  return levels.next().done !== true
}

/**
 * Iterates over the levels of a JSON value: the value itself, then its children, then their children. It does not
 * recurse, so deep nesting cannot overflow the stack.
 */
export function* jsonLevels(value: unknown): Generator<readonly unknown[], undefined> {
  for (let level: unknown[] = [value]; level.length > 0; ) {
    yield level
    const nextLevel: unknown[] = []
    for (const parent of level) {
      if (typeof parent !== 'object' || parent === null) continue
      for (const child of Array.isArray(parent) ? parent : Object.values(parent)) {
        nextLevel.push(child)
      }
    }
    level = nextLevel
  }
}
