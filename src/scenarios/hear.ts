import { bytesToExchangedBody } from '../recordings/bytes.ts'
import type { ReceivedResponse } from './target.ts'
import { toUnreachableError } from './unreachable.ts'

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
