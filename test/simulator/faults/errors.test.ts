import { expect, test } from 'vitest'
import type { FaultEffect } from '../../../src/simulator/faults/fault.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import {
  crashed,
  forbidden,
  invalid,
  notAcceptable,
  notAllowed,
  notFound,
  refusal,
  throttled,
  tooLarge,
  unauthenticated,
} from '../../support/api/errors.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import type { Reply } from '../../support/transports/client.ts'

const later = { error: 'throttled', retry_after_s: 7, detail: 'Later.' } as const
const throttledWith = (detail: string) => refusal(429, 'throttled_error', 'throttled', detail)

test.each<[effect: FaultEffect, expected: Reply, retryAfter?: string | null]>([
  [{ error: 'not_acceptable' }, notAcceptable()],
  [{ error: 'not_authenticated' }, unauthenticated()],
  [{ error: 'authentication_failed' }, unauthenticated('Incorrect authentication credentials.')],
  [{ error: 'permission_denied' }, forbidden()],
  [{ error: 'throttled' }, throttledWith('Request was throttled.')],
  [{ error: 'throttled', retry_after_s: 0 }, throttled('0 seconds'), '0'],
  [{ error: 'throttled', retry_after_s: 1 }, throttled('1 second'), '1'],
  [later, throttledWith('Later.'), '7'],
  [{ error: 'throttled', detail: '' }, throttledWith('')],
  [{ error: 'method_not_allowed' }, notAllowed('GET')],
  [{ error: 'not_found' }, notFound()],
  [{ error: 'not_found', detail: 'No.' }, notFound('No.')],
  [{ error: 'parse_error' }, refusal(400, 'invalid_request', 'parse_error', 'Malformed request.')],
  [
    { error: 'unsupported_media_type', detail: 'No.' },
    refusal(415, 'invalid_request', 'unsupported_media_type', 'No.'),
  ],
  [{ error: 'body_too_large' }, tooLarge()],
  [{ error: 'validation_error' }, invalid(null, 'invalid_input', 'Invalid input.')],
  [{ error: 'server_error', retry_after_s: 5 }, crashed(), '5'],
])('the effect %j responds with its error', async (effect, expected, retryAfter = null) => {
  const simulator = createSimulator({ settings: { 'limits.retry_after': 'present' } })
  simulator.faults.add({ effect })

  const response = await simulator.fetch(annotationsPath, { headers: authorization() })

  expect({ status: response.status, body: await response.json() }).toEqual(expected)
  expect(response.headers.get('retry-after')).toBe(retryAfter)
  const allow = expected.status === 405 ? 'GET, POST, HEAD, OPTIONS' : null
  expect(response.headers.get('allow')).toBe(allow)
})

test.each([
  ['?format=xml', '*/*', 404],
  ['', 'text/html', 406],
  ['', 'application/json', 429],
])(
  'an injected error is acceptable, as every response is: %s with Accept: %s',
  async (query, accept, status) => {
    const simulator = createSimulator()
    simulator.faults.add({ effect: { error: 'throttled' } })

    const headers = { ...authorization(), accept }
    const response = await simulator.fetch(`${annotationsPath}${query}`, { headers })

    expect(response.status).toBe(status)
  },
)
