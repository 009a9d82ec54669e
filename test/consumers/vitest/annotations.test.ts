import { setupServer } from 'msw/node'
import { type Annotation, createSimulator, type Page } from 'understudy-api'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const simulator = createSimulator({ world: 'default', clock: '2024-06-15T12:00:00Z' })
const server = setupServer(...simulator.handlers)

// Fail where nothing answers: the names of msw 2 and of msw 3.
const unhandled = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
beforeAll(() => server.listen(unhandled))
afterEach(() => {
  server.resetHandlers()
  simulator.reset()
})
afterAll(() => server.close())

test('six annotations are listed', async () => {
  const { key, project_id } = simulator.defaults // 'phx_all', 1
  const response = await fetch(`https://app.example.com/api/projects/${project_id}/annotations/`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const page: Page<Annotation> = await response.json()
  expect(page.count).toBe(6)
})
