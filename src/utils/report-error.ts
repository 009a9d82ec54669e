type ErrorReporter = (error: unknown) => void

/** Wraps a user's `onError`, so that an exception inside it does not prevent the response. */
export function createErrorReporter(onError: ErrorReporter): ErrorReporter {
  return (error) => {
    try {
      onError(error)
    } catch (secondError) {
      console.error(secondError)
    }
  }
}
