import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { requestsOf, send } from '../../every/random-requests.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'

const name = 'understudy-why'
const noHeader = '401: the request has no Authorization header'
const whyOf = async (response: Promise<Response>) => (await response).headers.get(name)

test.each(['documented', 'live'] as const)(
  'only that header is added to a response: %s',
  async (profile) => {
    const respond = async (explain: boolean) => {
      const simulator = createSimulator({ clock: noon, profile, explain, baseUrl: 'http://a.test' })
      const responses = []
      for (const request of requestsOf(profile)) {
        const response = await send(simulator, request)
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

test('recordings do not contain it', async () => {
  const simulator = createSimulator({ explain: true })
  await simulator.fetch(annotationsPath)

  expect(simulator.journal.find()[0]?.response.headers).not.toHaveProperty(name)
  expect(JSON.stringify(simulator.record().scenario)).not.toContain(name)
})
