import { bytesToExchangedBody } from '../../http/exchange.ts'
import { type ConnectionFailure, describeConnectionError } from '../../utils/network.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { ReceivedResponse } from './target.ts'

/**
 * Waits for an answer and reads its body.
 *
 * @throws UnreachableError where no server was found
 */
export async function readResponse(
  url: string,
  answering: Promise<Response>,
): Promise<ReceivedResponse> {
  let response: Response
  try {
    response = await answering
  } catch (error) {
    const none = toUnreachableError(url, error)
    if (none) throw none
    return { status: 0, headers: new Headers(), text: '', broken: true }
  }
  const { status, headers } = response
  try {
    return { status, headers, ...decodeBody(await response.arrayBuffer()), broken: false }
  } catch {
    return { status, headers, text: '', broken: true }
  }
}

/** A body as a text, and as bytes where it is none: only such a one is looked at twice. */
function decodeBody(buffer: ArrayBuffer): Pick<ReceivedResponse, 'text' | 'base64'> {
  const bytes = new Uint8Array(buffer)
  const text = new TextDecoder().decode(bytes)
  if (!text.includes('\uFFFD')) return { text }
  const body = bytesToExchangedBody(bytes)
  return 'base64' in body ? { text, base64: body.base64 } : { text }
}

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
  const failure = describeConnectionError(cause)
  return failure && createUnreachableError(url, failure.reason, failure.advice)
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
