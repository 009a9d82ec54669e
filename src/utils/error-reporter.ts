import { isUsageError } from './errors.ts'

/**
 * Wraps a user's `onError`, so that an exception inside it does not prevent the response. By default errors are printed:
 * with a stack, unless the message says what to change.
 */
export function createErrorReporter(
  onError: (error: unknown) => void = printError,
): (error: unknown) => void {
  return (error) => {
    try {
      onError(error)
    } catch (secondError) {
      console.error(secondError)
    }
  }
}

function printError(error: unknown) {
  console.error(isUsageError(error) ? error.message : error)
}
