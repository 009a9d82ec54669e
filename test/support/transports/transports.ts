import { setupServer } from 'msw/node'
import { onTestFinished } from 'vitest'
import { listen } from '../../../src/server/listen.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'

export type Send = (path: string, init: RequestInit) => Promise<Response>

/** Ways from a client to a simulator. */
export const transports: readonly [name: string, open: (simulator: Simulator) => Promise<Send>][] =
  [
    [
      'setupServer',
      async ({ handlers }) => {
        const server = setupServer(...handlers)
        server.listen({ onUnhandledRequest: 'error' })
        onTestFinished(() => server.close())
        return (path, init) => fetch(`http://localhost${path}`, init)
      },
    ],
    ['simulator.fetch', async (simulator) => (path, init) => simulator.fetch(path, init)],
    [
      'listen',
      async (simulator) => {
        const server = await listen(simulator)
        onTestFinished(() => server.close())
        return (path, init) => fetch(server.url + path, init)
      },
    ],
  ]
