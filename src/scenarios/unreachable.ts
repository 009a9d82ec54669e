import { type ConnectionFailure, describeConnectionError } from '../no-answer.ts'
import { UsageError } from '../usage-error.ts'

/** Where a scenario should be replayed nothing answers, or nothing that can be trusted. */
export class UnreachableError extends UsageError {}

/**
 * The error for a request that found no server, or none that answers in time; null where one was there, and broke
 * the connection.
 *
 * @param error what fetch threw
 */
export function toUnreachableError(url: string, error: unknown): UnreachableError | null {
  const { cause, name } = error as { cause?: ConnectionFailure; name?: string }
  if (name === 'TimeoutError') return createUnreachableError(url, 'none in a minute')
  // A simulator in this process says no more.
  if (!cause) return null
  const reason = describeConnectionError(cause)
  return reason && createUnreachableError(url, reason.got, reason.cure)
}

function createUnreachableError(
  url: string,
  got: string,
  cure = 'Check the address.',
): UnreachableError {
  return new UnreachableError(
    `Failed to reach ${new URL(url).origin}: expected a server that answers, got ${got}. ${cure}`,
  )
}
