import { formatRequest, RawConnection, type RawResponse } from '../transports/raw-connection.ts'

/** Sends a request over a new socket. `$port` in a header is replaced by the port of the server. */
export async function sendRawRequest(
  origin: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<RawResponse | null> {
  const entries = Object.entries({
    host: `127.0.0.1:${new URL(origin).port}`,
    authorization: '',
    ...headers,
  })
  const withPort = Object.fromEntries(
    entries.map(([name, value]) => [name, value.replace('$port', new URL(origin).port)]),
  )
  const connection = await RawConnection.to(origin.replace('0.0.0.0', '127.0.0.1'))
  return connection
    .send(formatRequest(method, path, { headers: withPort, ...(body && { body }) }))
    .readResponse(method)
}

/** The names of the CORS headers of a response. */
export function corsHeaders(response: RawResponse | null): string[] {
  return Object.keys(response?.headers ?? {}).filter((name) => name.startsWith('access-control'))
}
