import type { HttpHandler } from 'msw'
import { expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { findRoute } from '../../src/api/find-route.ts'
import { toApiHandler } from '../../src/http/route.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { createSimulator } from '../../src/simulator.ts'
import { endpointPath } from '../support/api/endpoints.ts'

const { handlers } = createSimulator({ profile: 'live' })

function match(handler: HttpHandler, method: string, url: string) {
  return toApiHandler(handler)?.match(method, url, { url, headers: new Headers() }) ?? null
}

test.each([...endpoints])(
  'the first handler that matches the path of $id is its own, with and without a trailing slash',
  (endpoint) => {
    for (const slash of ['', '/']) {
      const url = `http://service.test${endpointPath(endpoint)}${slash}?limit=1`
      const first = handlers.find((handler) => match(handler, endpoint.method, url))
      const route = findRoute({ method: endpoint.method, target: url }, resolveSettings('live'))
      expect(first && toApiHandler(first)?.pattern).toBe(endpoint.path)
      expect(route?.endpoint.id).toBe(endpoint.id)
    }
  },
)

test('the first handler that matches a path is the same for every method', () => {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']

  for (const profile of ['documented', 'live'] as const) {
    const { handlers } = createSimulator({ profile })
    for (const method of methods) {
      for (const endpoint of endpoints) {
        const path = endpointPath(endpoint)
        const first = handlers.find((handler) => match(handler, method, path))
        expect(first && toApiHandler(first)?.pattern, `${method} ${path}`).toBe(endpoint.path)
      }
    }
  }
})
