import { tryParseJson } from '../../../src/utils/json.ts'

/** The body of an error: its words, its status, and the path of the request. */
type Style = (words: string, status: number, path: string) => unknown

export const styles: Readonly<Record<string, Style | null>> = {
  'those of the service': null,
  'a message': (message) => ({ message }),
  'an object in an object': (message, code) => ({ error: { code, message } }),
  'the status and the path': (error, status, path) => ({ timestamp: 1, status, error, path }),
  'a list': (detail) => ({ errors: [{ detail }] }),
  nothing: () => undefined,
  'an HTML page': (words) => `<html><body>${words}</body></html>`,
}

/** The same response, but for the body of an error. */
export async function withError(
  response: Response,
  write: (words: string, status: number) => unknown,
): Promise<Response> {
  const { status } = response
  if (status < 400) return response
  const text = await response.text()
  if (text === '') return new Response(null, response)
  const { detail = text } = Object(tryParseJson(text)?.value)
  const body = write(String(detail), status)
  const headers = new Headers(response.headers)
  for (const name of ['content-type', 'content-length']) headers.delete(name)
  if (body !== undefined)
    headers.set('content-type', typeof body === 'string' ? 'text/html' : 'application/json')
  const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  return new Response(sent ?? null, { status, headers })
}
