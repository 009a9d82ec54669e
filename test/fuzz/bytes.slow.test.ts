import { METHODS } from 'node:http'
import { http } from 'msw'
import { expect, test } from 'vitest'
import { createApiDocument } from '../../.tools/openapi/document.ts'
import { createSimulator } from '../../src/index.ts'
import { listen } from '../../src/server/listen.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { collectErrors } from '../support/errors.ts'
import { isLong } from '../support/long.ts'
import { createRandom } from '../support/random.ts'
import { type ByteCase, createByteCase } from './bytes.ts'
import { exchange, type ParsedResponse, parseResponses } from './connection.ts'
import { FuzzDocument } from './document.ts'
import { createRequest, formatRequest } from './requests.ts'
import { runRounds } from './run.ts'

/** Sees every request, and responds to none. */
const unused = http.all('*', () => {})
const connections = 200
const budget = isLong ? { requests: 50_000, seconds: 1_200 } : { requests: 4_000, seconds: 5 }

test.each(['documented', 'live'] as const)(
  'any bytes get responses in the format of the API, from a server with the profile %s',
  async (profile) => {
    const settings = resolveSettings(profile, {
      'plugins.create.without_url': 'refused',
      'plugins.extras.crashes': 'usual',
    })
    const document = new FuzzDocument(await createApiDocument(settings))

    await runRounds(`bytes, ${profile}`, budget, async (seed) => {
      const random = createRandom(seed)
      const { errors, onError } = collectErrors()
      const simulator = createSimulator({ settings, onError })
      const server = await listen(simulator, {
        onError,
        ...(seed % 5 === 0 && { handlers: [unused] }),
      })
      const keys = [simulator.defaults.key, simulator.defaults.key, 'phx_none', 'phx_old']
      try {
        for (let index = 0; index < connections; index++) {
          const sent = createByteCase(() => createRequest(document, random, keys), random)
          const violation = await violationOf(document, sent, server.port).catch(String)
          const error = errors[0] instanceof Error ? errors[0].stack : errors[0]
          if (!violation && !error) continue
          throw new Error(
            `${violation ?? error}\nFUZZ_SEED=${seed}, connection ${index}: ${describe(sent)}`,
          )
        }
      } finally {
        await server.close()
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      return connections
    })
  },
)

/** Returns what is wrong with the responses of a connection, or null. */
async function violationOf(document: FuzzDocument, sent: ByteCase, port: number) {
  const bytes = await exchange(port, sent)
  if (sent.finish === 'reset') return null
  const { intact } = sent
  const methods = intact.map(({ method }) => method)
  const responses = parseResponses(bytes, methods)
  // An unknown method, and headers that are too large together.
  const last = responses.at(-1)
  const isRefused = last !== undefined && isRefusedByNode(last)
  // Node ends the connection at an unknown method, also while earlier requests are answered.
  const isEnded = methods.some((method) => !METHODS.includes(method))
  if (sent.finish === 'wait' && responses.length !== intact.length && !isRefused && !isEnded) {
    return `${responses.length} responses`
  }
  for (const [index, response] of responses.entries()) {
    if (isRefusedByNode(response)) continue
    const request = intact[index]
    // A changed path can be `/`.
    if (/^Understudy \d/.test(response.text)) continue
    // Express answers a target that has no path, such as `http://`.
    if (response.status === 404 && response.text.includes('<pre>Cannot ')) continue
    // A changed method can be OPTIONS.
    const method = response.isHead ? 'HEAD' : (request?.method ?? 'OPTIONS')
    const violation = document.violation(request?.operation ?? null, method, response)
    if (violation && !isKnown(response.status, violation)) return `response ${index}: ${violation}`
  }
  return null
}

/** Node refuses malformed requests with an empty body. */
function isRefusedByNode({ status, text, isHead }: ParsedResponse): boolean {
  return [400, 408, 413, 417, 431].includes(status) && text === '' && !isHead
}

/** Statuses of requests that HTTP itself refuses, and of changed requests that reach another endpoint. */
function isKnown(status: number, violation: string): boolean {
  return [400, 405, 408, 413, 417, 431].includes(status) && violation.startsWith('status')
}

function describe({ parts, finish, mutations, intact }: ByteCase): string {
  const text = Buffer.concat(parts).toString('latin1').slice(0, 3_000)
  return `${mutations.join(', ')}; ${parts.length} parts, ${finish}\n${intact.map(formatRequest).join('\n')}\n${JSON.stringify(text)}`
}
