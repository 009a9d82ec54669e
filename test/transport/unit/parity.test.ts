import http from 'node:http'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import { type ListenOptions, listen } from '../../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { noon } from '../../support/api/paths.ts'
import { requestScript, type ScriptedRequest } from '../../support/api/request-script.ts'

const host = 'api.test'
const origin = `http://${host}`

/** What has to be the same by every way. */
interface Seen {
  readonly line: string
  readonly status: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The headers that answers of ours have. */
const ours = [
  'allow',
  'content-length',
  'content-type',
  'retry-after',
  'understudy-nearest',
  'www-authenticate',
]

const settings: readonly [name: string, profile: 'documented' | 'live', PolicyOverrides][] = [
  ['documented', 'documented', {}],
  ['live', 'live', {}],
  [
    'what else a client may meet',
    'documented',
    {
      'errors.body': 'html',
      'headers.allow': 'every_answer',
      'keys.www_authenticate': 'present',
      'keys.insufficient.status': 404,
      'lists.limit.invalid': 'refused',
      'methods.put': 'on',
      'paths.format': 'on',
    },
  ],
  ['empty errors', 'live', { 'errors.body': 'empty', 'annotations.delete.status': '405_empty' }],
]

test.each(settings)('every way gives the same answers: %s', async (_, profile, policies) => {
  const reported: unknown[] = []
  const create = () => {
    const onError = (error: unknown) => reported.push(error)
    return createSimulator({ clock: noon, baseUrl: origin, profile, policies, onError })
  }

  const expected = await byFetch(create())
  const ways = {
    'setupServer and fetch': await byMsw(create()),
    'HTTP, our own way': await byHttp(create(), {}),
    'HTTP through MSW': await byHttp(create(), { lane: 'msw' }),
    'HTTP, stock': await byHttp(create(), { stock: true }),
    'HTTP, stock, through MSW': await byHttp(create(), { stock: true, lane: 'msw' }),
  }

  expect(expected).toHaveLength(requestScript.length)
  expect(new Set(expected.map(({ status }) => status)).size).toBeGreaterThan(8)
  for (const [way, seen] of Object.entries(ways)) expect(seen, way).toEqual(expected)
  expect(reported).toEqual([])
})

async function byFetch(simulator: Simulator): Promise<Seen[]> {
  return inTurn((line) => simulator.fetch(line.path, init(line)).then(seenBy(line)))
}

async function byMsw(simulator: Simulator): Promise<Seen[]> {
  const server = setupServer(...simulator.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  try {
    return await inTurn((line) => fetch(origin + line.path, init(line)).then(seenBy(line)))
  } finally {
    server.close()
  }
}

async function byHttp(simulator: Simulator, options: ListenOptions): Promise<Seen[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const { port, close } = await listen(simulator, options)
  onTestFinished(async () => {
    agent.destroy()
    await close()
  })
  return inTurn(
    (line) =>
      new Promise((resolve, reject) => {
        const { method, path, body } = line
        const headers = { ...line.headers, host }
        const asked = http.request({ port, method, path, headers, agent }, async (answer) => {
          const chunks: Buffer[] = []
          for await (const chunk of answer) chunks.push(chunk)
          const status = `${answer.statusCode} ${answer.statusMessage}`
          const given = new Map(Object.entries(answer.headers).map(([a, b]) => [a, String(b)]))
          resolve(seen(line, status, given, Buffer.concat(chunks)))
        })
        asked.once('error', reject)
        asked.end(body)
      }),
  )
}

async function inTurn(ask: (line: ScriptedRequest) => Promise<Seen>): Promise<Seen[]> {
  const all: Seen[] = []
  for (const line of requestScript) all.push(await ask(line))
  return all
}

function init({ method, headers, body }: ScriptedRequest): RequestInit {
  return { method, headers, ...(body && { body: body as BodyInit }) }
}

function seenBy(line: ScriptedRequest): (answer: Response) => Promise<Seen> {
  return async (answer) => {
    const { status, statusText, headers } = answer
    const bytes = Buffer.from(await answer.arrayBuffer())
    return seen(line, `${status} ${statusText}`, new Map(headers), bytes)
  }
}

function seen(
  { method, path }: ScriptedRequest,
  status: string,
  headers: ReadonlyMap<string, string>,
  body: Buffer,
): Seen {
  const set = ours.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : []))
  return { line: `${method} ${path}`, status, headers: Object.fromEntries(set), body: String(body) }
}
