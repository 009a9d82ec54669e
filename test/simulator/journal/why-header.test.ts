import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { toExpress } from '../../../src/adapters/express/express.ts'
import { listen } from '../../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { requestScript } from '../../support/api/request-script.ts'
import { startHttpServer } from '../../support/http-server.ts'

const name = 'understudy-why'
const noHeader = '401: the request has no Authorization header'
const whyOf = async (response: Promise<Response>) => (await response).headers.get(name)

async function startServer(...args: Parameters<typeof listen>): Promise<string> {
  const server = await listen(...args)
  onTestFinished(() => server.close())
  return server.url
}

test.each(['documented', 'live'] as const)(
  'only that header is added to a response: %s',
  async (profile) => {
    const respond = async (explain: boolean) => {
      const simulator = createSimulator({ clock: noon, profile, explain, baseUrl: 'http://a.test' })
      const responses = []
      for (const { method, path, headers, body } of requestScript) {
        const init = { method, headers, ...(body && { body: body as BodyInit }) }
        const response = await simulator.fetch(path, init)
        responses.push([response.status, [...response.headers], await response.text()])
      }
      return responses as [number, [string, string][], string][]
    }

    const [plain, explained] = [await respond(false), await respond(true)]

    const withoutWhy = explained.map(([status, headers, text]) => [
      status,
      headers.filter(([header]) => header !== name),
      text,
    ])
    expect(withoutWhy).toEqual(plain)
    const refused = explained.filter(([status]) => status >= 400)
    expect(refused.every(([, headers]) => new Map(headers).get(name))).toBe(true)
    expect(plain.some(([, headers]) => new Map(headers).has(name))).toBe(false)
  },
)

test('sandboxes and copies of a simulator explain, too', async () => {
  const simulator = createSimulator({ explain: true })
  const { id } = simulator.sandboxes.create()
  const sandbox = simulator.sandboxes.get(id) as Simulator

  expect(await whyOf(simulator.fetch(`/__sandbox/${id}${annotationsPath}`))).toBe(noHeader)
  expect(await whyOf(sandbox.fetch(annotationsPath))).toBe(noHeader)
  expect(await whyOf(simulator.fork().fetch(annotationsPath))).toBe(noHeader)
  expect(await whyOf(createSimulator().fetch(annotationsPath))).toBeNull()
})

test('a server explains if its simulator does', async () => {
  const url = await startServer(createSimulator({ explain: true }))
  const other = await startServer(createSimulator())

  expect(await whyOf(fetch(url + annotationsPath))).toBe(noHeader)
  expect(await whyOf(fetch(`${url}/api/nothing/`))).toMatch(/^404: no operation has the path/)
  expect(await whyOf(fetch(other + annotationsPath))).toBeNull()
})

test('it needs no journal', async () => {
  const simulator = createSimulator({ explain: true, journal: { entries: 0 } })
  const headers = { authorization: 'Bearer phx_all' }
  const send = (path: string, method = 'GET') => whyOf(simulator.fetch(path, { method, headers }))

  await simulator.fetch('/api/organizations/@current/plugins/24/', { method: 'DELETE', headers })

  expect(await send(`${annotationsPath}6/`)).toBe('404: annotation 6 is deleted')
  expect(await send('/api/organizations/@current/plugins/24/')).toMatch(/^404: .*plugin 24/)
  expect(await send('/api/nothing/')).toMatch(/^404: no operation has the path/)
  expect(await send(`${annotationsPath}?serch=x`)).toBe('ignored: ?serch, did you mean search?')
})

test('MSW and Express send it', async () => {
  const { handlers } = createSimulator({ explain: true, baseUrl: 'http://explained.test' })
  const intercepted = setupServer(...handlers)
  intercepted.listen({ onUnhandledRequest: 'bypass' })
  onTestFinished(() => intercepted.close())
  const middleware = toExpress(createSimulator({ explain: true }).handlers)
  const url = await startHttpServer((request, response) =>
    middleware(request, response, () => response.end()),
  )

  expect(await whyOf(fetch(`http://explained.test${annotationsPath}`))).toBe(noHeader)
  expect(await whyOf(fetch(`http://explained.test/api/nothing/`))).toMatch(/^404: no operation/)
  expect(await whyOf(fetch(url + annotationsPath))).toBe(noHeader)
})

test('recordings do not contain it', async () => {
  const simulator = createSimulator({ explain: true })
  await simulator.fetch(annotationsPath)

  expect(simulator.journal.find()[0]?.response.headers).not.toHaveProperty(name)
  expect(JSON.stringify(simulator.record().scenario)).not.toContain(name)
})
