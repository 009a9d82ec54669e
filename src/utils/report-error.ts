type ErrorReporter = (error: unknown) => void

/** Tells somebody of an exception; one of their own must not keep a request from its answer. */
export function createErrorReporter(onError: ErrorReporter): ErrorReporter {
  return (error) => {
    try {
      onError(error)
    } catch (another) {
      console.error(another)
    }
  }
}
