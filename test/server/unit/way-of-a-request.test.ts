import type express from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EndpointMatch } from '../../../src/http/route.ts'
import { createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'

const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
const body = '{"content":"Launch"}'

test('each request passes the Express application and a handler once, also requests of one turn', async () => {
  const simulator = createSimulator()
  const apps: express.Application[] = []
  const keepApp: express.RequestHandler = (request, _response, next) => {
    apps.push(request.app)
    next()
  }
  const server = await listen(simulator, { use: [keepApp] })
  onTestFinished(() => server.close())
  const path = `${server.url}/api/projects/1/annotations/`
  await fetch(path, { headers })
  const [app] = apps
  const passed = vi.spyOn(app as express.Application, 'handle' as never)
  const handled = vi.spyOn(EndpointMatch.prototype, 'handle')
  onTestFinished(() => void vi.restoreAllMocks())

  const calls = Array.from({ length: 10 }, () => [
    fetch(path, { headers }),
    fetch(`${path}1/`, { headers, method: 'PATCH', body }),
    fetch(path, { headers, method: 'POST', body }),
  ])
  const statuses = (await Promise.all(calls.flat())).map(({ status }) => status)

  expect(statuses).toEqual(calls.flatMap(() => [200, 200, 201]))
  expect(passed).toHaveBeenCalledTimes(30)
  expect(handled).toHaveBeenCalledTimes(30)
  expect(simulator.journal.find({ limit: 100 })).toHaveLength(31)
})
