import type { HttpHandler } from 'msw'
import { expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { type EndpointMatch, toApiHandler } from '../../src/http/route.ts'
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
      const matches = handlers.map((handler) => match(handler, endpoint.method, url))
      const ids = matches.map(
        (each) => (each as EndpointMatch<never, never> | null)?.route.endpoint.id,
      )
      expect(ids.filter(Boolean)).toEqual([endpoint.id])
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

test('a path with a misspelled word matches one handler, even if the word could be the id of a row', () => {
  const { handlers } = createSimulator({ profile: 'live' })
  const count = (path: string) => handlers.filter((each) => match(each, 'GET', path)).length

  expect(count('/api/projects/1/anotations')).toBe(1)
  expect(count('/api/organizations/1/plugins/unusd')).toBe(1)
})
