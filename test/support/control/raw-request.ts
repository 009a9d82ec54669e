import { formatRequest, RawConnection, type RawResponse } from '../lanes/raw-connection.ts'

/** Asks the control API over a socket of its own; `$port` in a header stands for the port of the server. */
export async function sendRawRequest(
  origin: string,
  method: string,
  path: string,
  given: Readonly<Record<string, string>>,
  body?: string,
): Promise<RawResponse | null> {
  const entries = Object.entries({
    host: `127.0.0.1:${new URL(origin).port}`,
    authorization: '',
    ...given,
  })
  const headers = Object.fromEntries(
    entries.map(([name, value]) => [name, value.replace('$port', new URL(origin).port)]),
  )
  const wire = await RawConnection.to(origin.replace('0.0.0.0', '127.0.0.1'))
  return wire
    .send(formatRequest(method, path, { headers, ...(body && { body }) }))
    .readResponse(method)
}

/** The names of the headers by which pages are let in. */
export function corsHeaders(answer: RawResponse | null): string[] {
  return Object.keys(answer?.headers ?? {}).filter((name) => name.startsWith('access-control'))
}
