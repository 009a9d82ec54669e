import { isUsageError } from '../../utils/errors.ts'

/**
 * Runs a function. A UsageError that it throws is printed as its message only: test runners also print the stack and the
 * fields of an error, which do not help with a wrong option or version.
 */
export function withPlainErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!isUsageError(error)) throw error
    const hidden = Object.keys(error).map((name) => [name, { enumerable: false }])
    throw Object.defineProperties(error, {
      ...Object.fromEntries(hidden),
      stack: { value: `${error.name}: ${error.message}` },
    })
  }
}
