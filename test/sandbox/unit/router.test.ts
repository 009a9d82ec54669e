import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { bodyText } from '../../../src/http/messages.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { openRouter } from '../../../src/sandbox/router.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'

const { loaded } = createSimulator().sandbox
const head = (path: string) => ({ url: `http://localhost${path}`, headers: new Headers() })

test('a router without sandboxes leads every request to its own', async () => {
  const router = openRouter(loaded, resolvePolicies(), { clock: noon })

  const request = new Request(head(annotationsPath).url, { headers: authorization() })
  const response = await getResponse(router.handlers, request)
  const missing = router.notFound('GET', head(`/__sandbox/one${annotationsPath}`))

  expect(router.resolver.resolve(undefined, head('/'))).toBe(router.sandbox)
  expect(router.resolver.resolve('one', head('/'))).toBe(undefined)
  expect(response?.status).toBe(200)
  expect([missing.status, JSON.parse(bodyText(missing.body)).detail]).toEqual([
    404,
    'Sandbox one not found: it was never created, or has ended.',
  ])
})

test.each([
  [false, undefined],
  [
    true,
    '404: no operation has the path `/api/projets/` (nearest: GET /api/projects; segment 2: expected projects, got projets)',
  ],
])('without a journal, an unknown path is explained if asked for: %s', (explain, why) => {
  const simulator = createSimulator({ journal: { entries: 0 }, explain })

  const { headers } = simulator.notFound('GET', head('/api/projets/'))

  expect(headers['understudy-why']).toBe(why)
  expect(headers['understudy-nearest']).toMatch(/^GET \/api\/projects, /)
})
