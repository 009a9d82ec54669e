import { expect, test } from 'vitest'
import { allControlEndpoints } from '../../../../src/server/control/endpoints.ts'
import { createTokenVerifier } from '../../../../src/server/control/guard.ts'
import { createControlHandlers } from '../../../../src/server/control/handlers.ts'
import { createSimulator } from '../../../../src/simulator.ts'

test('the body of a request without access is not read', () => {
  const handlers = createControlHandlers(allControlEndpoints, createSimulator(), {
    guard: { verifyToken: createTokenVerifier('secret'), isExposed: true },
    scenarios: { list: async () => [], read: async () => undefined },
    closed: new AbortController().signal,
    report: () => {},
  })
  const worldHandler = handlers.find(({ pattern }) => pattern === '/__admin/world')
  const limitFor = (authorization: string) => {
    const head = { url: 'http://a.test/__admin/world', headers: new Headers({ authorization }) }
    return worldHandler?.match('PUT', head.url, head)?.bodyLimit
  }

  expect([limitFor('Bearer other'), limitFor('Bearer secret')]).toEqual([0, 536_870_888])
})
