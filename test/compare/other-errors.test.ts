import { expect, test } from 'vitest'
import { tryParseJson } from '../../src/utils/json.ts'
import { compareServer, wrongIn } from '../support/compare/compare-server.ts'
import { allKeys, createServer, ownRows } from '../support/compare/own-server.ts'
import { Witness } from '../support/compare/witness.ts'
import { isLong } from '../support/long.ts'
import { createRandom } from '../support/random.ts'
import { someSettings } from './random-settings.ts'

// A law about servers that word their errors in another way: no value that is found is wrong, no sentence is untrue, and
// no row is left.

/** The body of an error: its words, its status, and the path of the request. */
type Style = (words: string, status: number, path: string) => unknown

const styles: Readonly<Record<string, Style>> = {
  'a message': (message) => ({ message }),
  'an object in an object': (message, code) => ({ error: { code, message } }),
  'the status and the path': (error, status, path) => ({ timestamp: 1, status, error, path }),
  'a list': (detail) => ({ errors: [{ detail }] }),
  nothing: () => undefined,
  'an HTML page': (words) => `<html><body>${words}</body></html>`,
}

const servers = Object.keys(styles).flatMap((style) =>
  [false, true].map((isEmpty) => ({ style, isEmpty })),
)
/** Each has other settings. LONG tries four of each. */
const seeded = servers.flatMap((server, index) =>
  (isLong ? [0, 1, 2, 3] : index % 5 === 1 ? [0] : []).map((round) => {
    return { ...server, seed: index + 100 * round }
  }),
)

test.each(seeded)(
  'errors are $style, those about keys are empty: $isEmpty, seed $seed',
  async ({ style, isEmpty, seed }) => {
    const server = createServer({
      ...someSettings(createRandom(seed), 12),
      'errors.body': 'envelope',
    })
    const witness = new Witness({
      fetch: async (input, init) =>
        withError(await server.fetch(input, init), (words, status) => {
          const isAboutKeys = status === 401 || status === 403
          const { pathname } = new URL(String(input), 'http://localhost')
          return isEmpty && isAboutKeys ? undefined : styles[style]?.(words, status, pathname)
        }),
    })

    const comparison = await compareServer(witness, allKeys)

    const { 'errors.body': _, ...values } = server.settings.values
    const form = style === 'nothing' ? 'empty' : style === 'an HTML page' && !isEmpty && 'html'
    const truth = { ...values, ...(form && { 'errors.body': form }) }
    expect({
      wrong: wrongIn(comparison, truth),
      untrue: await witness.untrueIn(comparison, truth),
      left: ownRows(server),
    }).toEqual({ wrong: {}, untrue: [], left: [] })
  },
  60_000,
)

/** The same response, but for the body of an error. */
async function withError(
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
