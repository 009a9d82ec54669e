import { bytesToExchangedBody } from '../../../src/http/exchange.ts'
import type { Exchange } from '../../../src/index.ts'

/** What a proxy sees of a request. */
export async function readRequest(
  request: Request,
): Promise<Pick<Exchange, 'method' | 'url' | 'request'>> {
  const { method, url, headers } = request
  const bytes = new Uint8Array(await request.clone().arrayBuffer())
  const body = bytes.length === 0 ? null : bytesToExchangedBody(bytes)
  return { method, url, request: { headers: [...headers], body } }
}

/** What a proxy sees of a response. The status is 0 if its connection breaks. */
export async function readResponse(pending: Promise<Response>): Promise<Exchange['response']> {
  try {
    const response = await pending
    const bytes = new Uint8Array(await response.arrayBuffer())
    const body = bytes.length === 0 ? null : bytesToExchangedBody(bytes)
    return { status: response.status, headers: [...response.headers], body }
  } catch {
    return { status: 0, headers: [], body: null }
  }
}
