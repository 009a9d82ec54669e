import type { UsageError } from '../../src/utils/errors.ts'

/** Collects the errors that an `onError` option receives. */
export function collectErrors(): { errors: unknown[]; onError(error: unknown): void } {
  const errors: unknown[] = []
  return { errors, onError: (error) => void errors.push(error) }
}

/** The error that a function throws. */
export function errorOf(run: () => unknown): UsageError {
  try {
    run()
  } catch (error) {
    return error as UsageError
  }
  throw new Error('expected an error')
}
