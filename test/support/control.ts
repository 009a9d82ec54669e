import { type RawAnswer, requestText, Wire } from './wire.ts'

/** Asks the control API over a socket of its own; `$port` in a header stands for the port of the server. */
export async function sendRaw(
  origin: string,
  method: string,
  path: string,
  given: Readonly<Record<string, string>>,
  body?: string,
): Promise<RawAnswer | null> {
  const entries = Object.entries({
    host: `127.0.0.1:${new URL(origin).port}`,
    authorization: '',
    ...given,
  })
  const headers = Object.fromEntries(
    entries.map(([name, value]) => [name, value.replace('$port', new URL(origin).port)]),
  )
  const wire = await Wire.to(origin.replace('0.0.0.0', '127.0.0.1'))
  return wire.send(requestText(method, path, { headers, ...(body && { body }) })).answer(method)
}

/** The names of the headers by which pages are let in. */
export function corsHeaders(answer: RawAnswer | null): string[] {
  return Object.keys(answer?.headers ?? {}).filter((name) => name.startsWith('access-control'))
}
