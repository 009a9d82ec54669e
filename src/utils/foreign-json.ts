import { isObject, type ParsedJson, tryParseAnyJson } from './json.ts'

/** How deep a value can be nested to be read by recursion. Rows have less. */
const maxLevels = 1000

/**
 * Parses JSON without throwing. The value is wrapped. `undefined` means invalid JSON, or JSON that is nested so deep
 * that reading it would overflow the stack.
 */
export function tryParseJson(text: string): ParsedJson | undefined {
  const json = tryParseAnyJson(text)
  return json && text.length > maxLevels && isDeeperThan(maxLevels, json.value) ? undefined : json
}

/**
 * Whether a JSON value has more levels of lists and objects. Also true for an object that contains itself. It recurses as
 * far as the depth, and creates nothing, since pages can have millions of values.
 */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (depth === 0) return true
  if (Array.isArray(value)) return value.some((child) => isDeeperThan(depth - 1, child))
  if (!isObject(value)) return false
  for (const name in value) if (isDeeperThan(depth - 1, value[name])) return true
  return false
}

/** The message of an error. Empty without one: a foreign service can send an object that has no text. */
export function detailOf(body: unknown): string {
  return isObject(body) && typeof body.detail === 'string' ? body.detail : ''
}
