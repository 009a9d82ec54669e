import http from 'node:http'
import { http as mock } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { type ListenOptions, listen } from '../../../src/server/listen.ts'
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { noon } from '../../support/api/paths.ts'
import { requestScript, type ScriptedRequest } from '../../support/api/request-script.ts'

const host = 'api.test'
const origin = `http://${host}`

/** The parts of a response that every transport must send. */
interface ComparedResponse {
  readonly request: string
  readonly status: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The headers that the API sets. */
const comparedHeaders = [
  'allow',
  'content-length',
  'content-type',
  'retry-after',
  'understudy-nearest',
  'understudy-why',
  'www-authenticate',
]

const settings: readonly [name: string, profile: 'documented' | 'live', SettingOverrides][] = [
  ['documented', 'documented', {}],
  ['live', 'live', {}],
  [
    'other settings',
    'documented',
    {
      'errors.body': 'html',
      'headers.allow': 'every_answer',
      'keys.www_authenticate': 'present',
      'keys.insufficient.status': 404,
      'lists.limit.invalid': 'refused',
      'methods.put': 'on',
    },
  ],
  ['empty errors', 'live', { 'errors.body': 'empty', 'annotations.delete.status': '405_empty' }],
]

/** Sees every request, and responds to none. */
const unused = mock.all('*', () => {})

const transports: readonly [
  name: string,
  send: (simulator: Simulator) => Promise<ComparedResponse[]>,
][] = [
  ['setupServer and fetch', byMsw],
  ['HTTP', (simulator) => byHttp(simulator, {})],
  ['HTTP, behind a handler of your own', (simulator) => byHttp(simulator, { handlers: [unused] })],
]

/** Both profiles on each transport, and the other settings over HTTP. */
const cases = settings
  .flatMap(([title, profile, settings]) =>
    transports.map(([transport, send]) => [transport, title, profile, settings, send] as const),
  )
  .filter(([transport, title, profile]) => title === profile || transport === 'HTTP')

test.each(cases)(
  '%s gives the responses of simulator.fetch: %s',
  async (_transport, _title, profile, settings, send) => {
    const errors: unknown[] = []
    const create = () => {
      const onError = (error: unknown) => errors.push(error)
      const options = { clock: noon, baseUrl: origin, explain: true, onError }
      return createSimulator({ ...options, profile, settings })
    }

    const expected = await byFetch(create())
    const responses = await send(create())

    expect(expected).toHaveLength(requestScript.length)
    expect(new Set(expected.map(({ status }) => status)).size).toBeGreaterThan(8)
    expect(responses).toEqual(expected)
    expect(errors).toEqual([])
  },
)

async function byFetch(simulator: Simulator): Promise<ComparedResponse[]> {
  return sendScript((request) =>
    simulator.fetch(request.path, toInit(request)).then(fromFetch(request)),
  )
}

async function byMsw(simulator: Simulator): Promise<ComparedResponse[]> {
  const server = setupServer(...simulator.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  try {
    return await sendScript((request) =>
      fetch(origin + request.path, toInit(request)).then(fromFetch(request)),
    )
  } finally {
    server.close()
  }
}

async function byHttp(simulator: Simulator, options: ListenOptions): Promise<ComparedResponse[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const { port, close } = await listen(simulator, options)
  onTestFinished(async () => {
    agent.destroy()
    await close()
  })
  return sendScript(
    (request) =>
      new Promise((resolve, reject) => {
        const { method, path, body } = request
        const headers = { ...request.headers, host }
        const clientRequest = http.request(
          { port, method, path, headers, agent },
          async (response) => {
            const chunks: Buffer[] = []
            for await (const chunk of response) chunks.push(chunk)
            const status = `${response.statusCode} ${response.statusMessage}`
            const received = new Map(
              Object.entries(response.headers).map(([a, b]) => [a, String(b)]),
            )
            resolve(toCompared(request, status, received, Buffer.concat(chunks)))
          },
        )
        clientRequest.once('error', reject)
        clientRequest.end(body)
      }),
  )
}

async function sendScript(
  send: (request: ScriptedRequest) => Promise<ComparedResponse>,
): Promise<ComparedResponse[]> {
  const results: ComparedResponse[] = []
  for (const request of requestScript) results.push(await send(request))
  return results
}

function toInit({ method, headers, body }: ScriptedRequest): RequestInit {
  return { method, headers, ...(body && { body: body as BodyInit }) }
}

function fromFetch(request: ScriptedRequest): (response: Response) => Promise<ComparedResponse> {
  return async (response) => {
    const { status, statusText, headers } = response
    const bytes = Buffer.from(await response.arrayBuffer())
    return toCompared(request, `${status} ${statusText}`, new Map(headers), bytes)
  }
}

function toCompared(
  { method, path }: ScriptedRequest,
  status: string,
  headers: ReadonlyMap<string, string>,
  body: Buffer,
): ComparedResponse {
  const headerValues = comparedHeaders.flatMap((name) =>
    headers.has(name) ? [[name, headers.get(name)]] : [],
  )
  return {
    request: `${method} ${path}`,
    status,
    headers: Object.fromEntries(headerValues),
    body: String(body),
  }
}
