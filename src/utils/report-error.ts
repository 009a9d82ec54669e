/** Wraps a user's `onError`, so that an exception inside it does not prevent the response. */
export function createErrorReporter(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    try {
      onError(error)
    } catch (secondError) {
      console.error(secondError)
    }
  }
}
