import { setupServer } from 'msw/node'
import { createSimulator } from 'understudy-api'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
const server = setupServer(...simulator.handlers)
beforeAll(() => server.listen())
afterEach(() => simulator.reset())
afterAll(() => server.close())

test('lists six annotations', async () => {
  const url = 'https://app.example.com/api/projects/1/annotations/'
  const response = await fetch(url, { headers: { authorization: 'Bearer phx_all' } })
  expect((await response.json()).count).toBe(6)
})
