import type { HttpHandler } from 'msw'
import { expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { resolvePath } from '../../src/api/find-route.ts'
import { toApiHandler } from '../../src/http/route.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { createSimulator } from '../../src/simulator.ts'
import { endpointPath } from '../support/api/endpoints.ts'

const { handlers } = createSimulator({ profile: 'live' })

function match(handler: HttpHandler, method: string, url: string) {
  return toApiHandler(handler)?.match(method, url, { url, headers: new Headers() }) ?? null
}

test.each([...endpoints])(
  'only $id matches its path, with and without a trailing slash',
  (endpoint) => {
    for (const slash of ['', '/']) {
      const url = `http://service.test${endpointPath(endpoint)}${slash}?limit=1`
      const matching = handlers.filter((handler) => match(handler, endpoint.method, url))
      const route = resolvePath(endpoint.method, url, resolveSettings('live'))
      expect(matching).toHaveLength(1)
      expect(route?.endpoint.id).toBe(endpoint.id)
    }
  },
)

test('no request matches two handlers, so their order does not matter', () => {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']
  const paths = [...new Set(endpoints.map((endpoint) => endpointPath(endpoint)))]

  for (const profile of ['documented', 'live'] as const) {
    const { handlers } = createSimulator({ profile })
    for (const method of methods) {
      for (const path of paths) {
        const matching = handlers.filter((handler) => match(handler, method, path))
        expect(matching, `${method} ${path}`).toHaveLength(1)
      }
    }
  }
})
