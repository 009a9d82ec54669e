import { bytesToBody } from '../recordings/bytes.ts'
import type { Heard } from './target.ts'
import { unreachable } from './unreachable.ts'

/**
 * Waits for an answer and reads its body.
 *
 * @throws UnreachableError where no server was found
 */
export async function hear(url: string, answering: Promise<Response>): Promise<Heard> {
  let response: Response
  try {
    response = await answering
  } catch (error) {
    const none = unreachable(url, error)
    if (none) throw none
    return { status: 0, headers: new Headers(), text: '', broken: true }
  }
  const { status, headers } = response
  try {
    return { status, headers, ...bodyOf(await response.arrayBuffer()), broken: false }
  } catch {
    return { status, headers, text: '', broken: true }
  }
}

/** A body as a text, and as bytes where it is none: only such a one is looked at twice. */
function bodyOf(buffer: ArrayBuffer): Pick<Heard, 'text' | 'base64'> {
  const bytes = new Uint8Array(buffer)
  const text = new TextDecoder().decode(bytes)
  if (!text.includes('\uFFFD')) return { text }
  const body = bytesToBody(bytes)
  return 'base64' in body ? { text, base64: body.base64 } : { text }
}
