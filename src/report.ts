type Report = (error: unknown) => void

/** Tells somebody of an exception; one of their own must not keep a request from its answer. */
export function toReport(onError: Report): Report {
  return (error) => {
    try {
      onError(error)
    } catch (another) {
      console.error(another)
    }
  }
}
