import type { ServerResponse } from 'node:http'
import { startHttpServer } from '../http-server.ts'

/** A request as a server received it. */
interface ReceivedRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

/** Starts a server other than Understudy, until the test ends. Returns its URL and the requests that it received. */
export async function startService(
  respond: (response: ServerResponse) => void,
): Promise<{ url: string; received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = []
  const url = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url: path, headers } = request
    received.push({ method, path, headers, body: Buffer.concat(chunks) })
    respond(response)
  })
  return { url, received }
}
