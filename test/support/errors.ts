/** Collects the errors that an `onError` option receives. */
export function collectErrors(): { errors: unknown[]; onError(error: unknown): void } {
  const errors: unknown[] = []
  return { errors, onError: (error) => void errors.push(error) }
}
