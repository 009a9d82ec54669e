import { JsonParseError } from '../../../../src/utils/python-json.ts'

/** Returns the message of the JsonParseError that a function throws. Any other error fails the test. */
export function errorMessage(run: () => unknown): string {
  try {
    return `accepted: ${JSON.stringify(run())}`
  } catch (error) {
    if (error instanceof JsonParseError) return error.message
    throw error
  }
}
