// A project whose configuration lets Jest load its own msw: handlers are of its classes.
import { HttpResponse, http, RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { createSimulator } from 'understudy-api'
import { withSimulator } from 'understudy-api/node'

const url = 'https://app.example.com/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }
const other = 'https://other.example.com/'
const own = http.get(other, () => HttpResponse.text('mine'))

test('handlers in a setupServer of the project', async () => {
  const simulator = createSimulator()
  const server = setupServer(own, ...simulator.handlers)
  server.listen({ onUnhandledRequest: 'error' })

  const statuses = [(await fetch(url, { headers })).status, (await fetch(other)).status]
  server.close()

  expect(statuses).toEqual([200, 200])
  expect(simulator.handlers.every((handler) => handler instanceof RequestHandler)).toBe(true)
  expect(simulator.journal.verify({ operation: 'listAnnotations', count: 1 }).passed).toBe(true)
})

test('withSimulator beside a server of the project', async () => {
  const server = setupServer(own)
  server.listen({ onUnhandledRequest: 'error' })

  const statuses = await withSimulator(async () => [
    (await fetch(url, { headers })).status,
    (await fetch(other)).status,
  ])
  server.close()

  expect(statuses).toEqual([200, 200])
})
