import { networkErrorResponse } from '../http/broken.ts'
import type { ApiRequest, ApiResponse } from '../http/call.ts'
import { decodeBase64 } from '../recordings/bytes.ts'
import type { ReceivedResponse } from '../scenarios/target.ts'
import { JsonText } from '../wire.ts'
import { placeholderOrigin } from './tape.ts'

/**
 * A recorded answer as it is sent.
 *
 * @param base where the API begins for the caller, which stands in its links
 */
export function toApiResponse(
  { status, headers, text, base64, broken }: ReceivedResponse,
  base: string,
): ApiResponse {
  if (broken) return networkErrorResponse
  const wire = new JsonText(text.replaceAll(placeholderOrigin, base))
  const sent: Record<string, string> = {}
  for (const [name, value] of headers) sent[name] = value.replaceAll(placeholderOrigin, base)
  delete sent['content-length']
  if (base64 !== undefined)
    return createBytesResponse({ status, headers: sent }, decodeBase64(base64))
  if (status !== 204 && status !== 304) sent['content-length'] = String(wire.bytes)
  return { status, headers: sent, text: wire.text, ascii: wire.bytes === wire.text.length }
}

/** A body that is no text goes out as a stream of one piece. */
function createBytesResponse(
  { status, headers }: Pick<ApiResponse, 'status' | 'headers'>,
  bytes: Uint8Array,
): ApiResponse {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  const sent = { ...headers, 'content-length': String(bytes.length) }
  return { status, headers: sent, text: '', ascii: true, stream: pieces() }
}

/** A simulated answer as one that was heard. */
export function toReceivedResponse({ status, headers, text }: ApiResponse): ReceivedResponse {
  return { status, headers: new Headers(headers), text, broken: status === 0 }
}

/** Where the API begins for a caller: the address without the path and the query. */
export function callerBaseUrl({ url }: ApiRequest, target: string): string {
  const whole = url.replace(/#.*$/s, '')
  return whole.endsWith(target) ? whole.slice(0, whole.length - target.length) : new URL(url).origin
}
