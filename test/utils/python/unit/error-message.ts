import { JsonParseError } from '../../../../src/utils/python/parse-json.ts'

/** What is said when a text or bytes are refused; anything else but a JsonError fails the test. */
export function errorMessage(read: () => unknown): string {
  try {
    return `accepted: ${JSON.stringify(read())}`
  } catch (error) {
    if (error instanceof JsonParseError) return error.message
    throw error
  }
}
