/**
 * A body that could not be read. `message` is what Python says of it, without the service's
 * `JSON parse error - ` in front (observed §1, malformed JSON).
 *
 * @example
 * new JsonError('Expecting value: line 1 column 1 (char 0)')
 */
export class JsonParseError extends Error {
  override readonly name = 'JsonError'
}
