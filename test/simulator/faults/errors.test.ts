import { expect, test } from 'vitest'
import type { FaultEffect } from '../../../src/simulator/faults/fault.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'

const throttled = ['throttled_error', 'throttled'] as const
const rejected = ['invalid_request', 'method_not_allowed'] as const

const errors: readonly [
  effect: FaultEffect,
  type: string,
  code: string,
  detail: string,
  retryAfter: string | null,
][] = [
  [{ error: 'throttled' }, ...throttled, 'Request was throttled.', null],
  [
    { error: 'throttled', retry_after_s: 0 },
    ...throttled,
    'Request was throttled. Expected available in 0 seconds.',
    '0',
  ],
  [
    { error: 'throttled', retry_after_s: 1 },
    ...throttled,
    'Request was throttled. Expected available in 1 second.',
    '1',
  ],
  [{ error: 'throttled', retry_after_s: 7, detail: 'Later.' }, ...throttled, 'Later.', '7'],
  [{ error: 'throttled', detail: '' }, ...throttled, '', null],
  [{ error: 'method_not_allowed' }, ...rejected, 'Method "GET" not allowed.', null],
  [{ error: 'method_not_allowed', detail: 'No.' }, ...rejected, 'No.', null],
  [{ error: 'not_found' }, 'invalid_request', 'not_found', 'Not found.', null],
  [
    { error: 'server_error', retry_after_s: 5 },
    'server_error',
    'error',
    'A server error occurred.',
    '5',
  ],
]

test.each(errors)(
  'the effect %j responds with its error',
  async (effect, type, code, detail, after) => {
    const simulator = createSimulator({ settings: { 'limits.retry_after': 'present' } })
    simulator.faults.add({ effect })

    const response = await simulator.fetch(annotationsPath, { headers: authorization() })

    expect(await response.json()).toEqual({ type, code, detail, attr: null })
    expect(response.headers.get('retry-after')).toBe(after)
  },
)

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
