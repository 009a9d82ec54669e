import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { authorization } from '../support/api/headers.ts'
import { transports } from './transports.ts'

// A page does not know which code sent a request.
beforeEach(() => void vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never))

const path = '/api/projects/1/annotations/1/'
const init = { headers: authorization() }

test.each(transports)(
  'through %s, a handler does not run for the URL that it answers',
  async (name, open) => {
    const simulator = createSimulator()
    const send = await open(simulator)
    simulator.use(
      http.get(`*${path}`, async ({ request }) => {
        const response = await simulator.fetch(new Request(request))
        return HttpResponse.json({ ...(await response.json()), more: true })
      }),
    )

    const responses =
      name === 'simulator.fetch'
        ? [await send(path, init), await send(path, init)]
        : await Promise.all([send(path, init), send(path, init)])

    expect(await Promise.all(responses.map((response) => response.json()))).toMatchObject([
      { id: 1, more: true },
      { id: 1, more: true },
    ])
  },
)
