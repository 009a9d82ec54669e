import { setupServer } from 'msw/node'
import { onTestFinished } from 'vitest'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { serve } from '../support/forwarding.ts'

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
        const { url } = await serve({}, simulator)
        return (path, init) => fetch(url + path, init)
      },
    ],
  ]
