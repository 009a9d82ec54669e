// The setup file of a project that mocks its other APIs already.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

export const flags = 'https://flags.example.com/'
export const server = setupServer(http.get(flags, () => HttpResponse.json('project')))

// The second name is that of msw 3.
beforeAll(() => server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())
