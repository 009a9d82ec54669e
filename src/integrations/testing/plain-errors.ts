import { UsageError } from '../../utils/usage-error.ts'

/**
 * Runs the constructor of a reporter. Test runners print the stack of its errors and their fields, which say nothing about
 * a wrong option, so that a UsageError is left with its message.
 */
export function withPlainErrors<T>(construct: () => T): T {
  try {
    return construct()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const hidden = Object.keys(error).map((name) => [name, { enumerable: false }])
    throw Object.defineProperties(error, {
      ...Object.fromEntries(hidden),
      stack: { value: `${error.name}: ${error.message}` },
    })
  }
}
