import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Sends a request over a new socket, to any path and host. `$port` in a header is replaced by the port of the server. */
export async function sendRawRequest(
  origin: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
) {
  const { port } = new URL(origin)
  const length = String(Buffer.byteLength(body))
  const entries = Object.entries({ host: '127.0.0.1:$port', 'content-length': length, ...headers })
  const all = Object.fromEntries(
    entries.map(([name, value]) => [name, value.replace('$port', port)]),
  )
  const sent = request({ host: '127.0.0.1', port, method, path, headers: all, agent: false })
  const [response] = await once(sent.end(body), 'response')
  // A stream of events, which has no end, fails at once.
  if (response.headers['content-type'] === 'text/event-stream') response.destroy()
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

/** The names of the CORS headers of a response. */
export function corsHeaders({ headers }: { readonly headers: object }): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control'))
}
