import { HttpHandler } from 'msw'
import { expect, test } from 'vitest'
import { EndpointMatch, toApiHandler } from '../../../src/adapters/endpoint-handler.ts'
import { MswHandler } from '../../../src/adapters/msw.ts'
import { endpoints } from '../../../src/api/endpoints.ts'
import { createPathItems } from '../../../src/http/route.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { endpointPath } from '../../support/api/endpoints.ts'

const { handlers } = createSimulator({ profile: 'live' })

function match(handler: HttpHandler, method: string, url: string) {
  return toApiHandler(handler)?.match(method, url, { url, headers: new Headers() }) ?? null
}

test.each([...endpoints])(
  '$id alone answers its address, with and without a slash [§7:slash]',
  (endpoint) => {
    for (const slash of ['', '/']) {
      const url = `http://service.test${endpointPath(endpoint)}${slash}?limit=1`
      const matches = handlers.map((handler) => match(handler, endpoint.method, url))
      const ids = matches.map((one) => one instanceof EndpointMatch && one.route.endpoint.id)
      expect(ids.filter(Boolean)).toEqual([endpoint.id])
    }
  },
)

test('no request is answered by two handlers, whatever their order', () => {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']
  const addresses = [...new Set(endpoints.map((endpoint) => endpointPath(endpoint)))]

  for (const profile of ['documented', 'live'] as const) {
    const { handlers } = createSimulator({ profile })
    for (const method of methods) {
      for (const address of addresses) {
        const matching = handlers.filter((handler) => match(handler, method, address))
        expect(matching, `${method} ${address}`).toHaveLength(1)
      }
    }
  }
})

test('nor is one that misspells a word, also where it names a row of another path', () => {
  const { handlers } = createSimulator({ profile: 'live' })
  const count = (address: string) => handlers.filter((one) => match(one, 'GET', address)).length

  expect(count('/api/projects/1/anotations')).toBe(1)
  expect(count('/api/organizations/1/plugins/unusd')).toBe(1)
})

test('handlers are MSW handlers that print their route', () => {
  expect(handlers.every((handler) => handler instanceof HttpHandler)).toBe(true)
  expect(handlers.every((handler) => handler instanceof MswHandler)).toBe(true)
  expect(handlers.map(({ info }) => info.header)).toContain(
    'GET, PUT, PATCH, DELETE */api/organizations/:organization_id/plugins/:id',
  )
})

test('an endpoint that is described twice is refused', () => {
  const [first] = endpoints
  if (!first) return

  expect(() => createPathItems([first, first])).toThrow(
    'expected each once, got "listPlugins" twice',
  )
  expect(() => createPathItems([first, { ...first, id: 'other' }])).toThrow(
    'got "GET /api/organizations',
  )
})
