import { HttpResponse, http } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { authorization } from '../../support/api/headers.ts'

const projects = '/api/projects/'

async function ask(simulator: Simulator): Promise<[status: number, body: unknown]> {
  const server = await listen(simulator)
  onTestFinished(() => server.close())
  const response = await fetch(server.url + projects, { headers: authorization() })
  return [response.status, await response.json()]
}

test('a handler that is taken out of simulator.handlers is gone from the server', async () => {
  const simulator = createSimulator()
  const isOfProjects = ({ info }: Simulator['handlers'][number]) =>
    info.header === 'GET */api/projects'

  simulator.handlers.splice(simulator.handlers.findIndex(isOfProjects), 1)

  expect(await ask(simulator)).toMatchObject([404, { detail: 'Endpoint not found.' }])
})

test('a handler that is put in front of simulator.handlers is in front in the server', async () => {
  const simulator = createSimulator()

  simulator.handlers.unshift(http.get(`*${projects}`, () => HttpResponse.json('in front')))

  expect(await ask(simulator)).toEqual([200, 'in front'])
})

test('a handler behind those of the API gets what they leave', async () => {
  const simulator = createSimulator()

  simulator.handlers.push(http.get('*', ({ request }) => HttpResponse.json(request.url)))

  const server = await listen(simulator)
  onTestFinished(() => server.close())
  const own = await fetch(server.url + projects, { headers: authorization() })
  const other = await fetch(`${server.url}/other`)
  expect((await own.json()).count).toBe(2)
  expect(await other.json()).toBe(`${server.url}/other`)
})
