import { bytesToExchangedBody } from '../../http/exchange.ts'
import { type ConnectionFailure, describeConnectionError } from '../../utils/network.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { ReceivedResponse } from './target.ts'

/**
 * Waits for a response and reads its body.
 *
 * @throws UnreachableError if no server responds
 */
export async function readResponse(
  url: string,
  pending: Promise<Response>,
): Promise<ReceivedResponse> {
  let response: Response
  try {
    response = await pending
  } catch (error) {
    const unreachable = toUnreachableError(url, error)
    if (unreachable) throw unreachable
    return { status: 0, headers: new Headers(), text: '', broken: true }
  }
  const { status, headers } = response
  try {
    return { status, headers, ...decodeBody(await response.arrayBuffer()), broken: false }
  } catch {
    return { status, headers, text: '', broken: true }
  }
}

/** Decodes a body as text. A binary body is also encoded in base64. */
function decodeBody(buffer: ArrayBuffer): Pick<ReceivedResponse, 'text' | 'base64'> {
  const bytes = new Uint8Array(buffer)
  const text = new TextDecoder().decode(bytes)
  if (!text.includes('\uFFFD')) return { text }
  const body = bytesToExchangedBody(bytes)
  return 'base64' in body ? { text, base64: body.base64 } : { text }
}

/** The target of a replay does not respond, or its certificate is not trusted. */
export class UnreachableError extends UsageError {}

/**
 * Creates the error for a server that does not respond. Returns null if a server broke the connection.
 *
 * @param error an exception of `fetch`
 */
export function toUnreachableError(url: string, error: unknown): UnreachableError | null {
  const { cause, name } = error as { cause?: ConnectionFailure; name?: string }
  if (name === 'TimeoutError') return createUnreachableError(url, 'no response within a minute')
  // A simulator in this process throws an error without a cause for a broken connection.
  if (!cause) return null
  const failure = describeConnectionError(cause)
  return failure && createUnreachableError(url, failure.reason, failure.advice)
}

function createUnreachableError(
  url: string,
  got: string,
  advice = 'Check the address.',
): UnreachableError {
  return new UnreachableError(
    `Failed to reach ${new URL(url).origin}: expected a running server, got ${got}. ${advice}`,
  )
}
