import { isObject, jsonLevels, type ParsedJson, tryParseAnyJson } from './json.ts'

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

/** Whether a JSON value has more levels of lists and objects. Also true for an object that contains itself. */
export function isDeeperThan(depth: number, value: unknown): boolean {
  const levels = jsonLevels(value)
  for (let count = 0; count < depth; count++) if (levels.next().done) return false
  return levels.next().done !== true
}

/** The message of an error. Empty without one: a foreign service can send an object that has no text. */
export function detailOf(body: unknown): string {
  return isObject(body) && typeof body.detail === 'string' ? body.detail : ''
}
