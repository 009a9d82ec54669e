import { STATUS_CODES } from 'node:http'
import { expect, test } from 'vitest'
import type { EffectName, FaultEffect } from '../../../src/simulator/faults/fault.ts'
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

/** Each effect, and what the reason says that it did to a list. */
const effects: Readonly<Record<EffectName, readonly [effect: FaultEffect, did: string]>> = {
  error: [{ error: 'throttled' }, 'the response is a 429 (throttled)'],
  status: [{ status: 418 }, 'the response is a 418'],
  drop: [{ drop: true }, 'the connection drops before the request is carried out'],
  edit: [
    { edit: [{ rows: { annotations: [{}] } }] },
    'another client changes rows after the request',
  ],
  cut_bytes: [{ cut_bytes: 5 }, 'the connection drops after 5 bytes of the body'],
  hold: [
    { hold: true, timeout_ms: 1 },
    'the request waits until the fault is removed or times out',
  ],
  stall_bytes: [
    { stall_bytes: 0, timeout_ms: 1 },
    'the response stops after its headers until the fault is removed or times out',
  ],
  bytes_per_s: [{ bytes_per_s: 9_000 }, 'the body comes at 9000 bytes per second'],
  delay_ms: [{ delay_ms: 1 }, 'the response is delayed by 1 ms'],
}

test.each(Object.entries(effects))(
  'the effect %s is applied, and the reason says it',
  async (_, [effect, did]) => {
    const simulator = createSimulator()
    simulator.faults.add({ effect })

    await simulator.fetch(annotationsPath, { headers: authorization() }).catch(() => {})

    const [entry] = simulator.journal.find()
    expect(entry?.reason).toMatch(/: the fault `fault-1` was applied: /)
    expect(entry?.reason).toContain(did)
  },
)

const named = [200, 201, 204, 400, 401, 403, 404, 405, 406, 413, 415, 429, 500, 502, 503, 504]

test.each(named)('in-process a %i has the reason phrase that a server sends', async (status) => {
  const simulator = createSimulator()
  simulator.faults.add({ effect: { status } })

  const { statusText } = await simulator.fetch(annotationsPath, { headers: authorization() })

  expect(statusText).toBe(STATUS_CODES[status])
})

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
