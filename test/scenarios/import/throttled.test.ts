import { expect, test } from 'vitest'
import { createSimulator, type Exchange } from '../../../src/index.ts'
import { createPage, createRow, createTraffic } from '../../support/scenarios/traffic.ts'
import { incidentOf, scenarioFromTraffic, scenarioOf } from './derive.ts'

const throttled = {
  status: 429,
  received: {
    type: 'throttled_error',
    code: 'throttled',
    detail: 'Request was throttled. Expected available in 30 seconds.',
    attr: null,
  },
}
const page = { received: createPage(createRow(4, 'Deploy')) }

/** A throttled request, the read of a row, and a retry some seconds after the first request. */
function retryAfter(seconds: number): Exchange[] {
  const read = { url: '/api/projects/1/annotations/4/', received: createRow(4, 'Deploy') }
  const [first, other, retry] = createTraffic(throttled, read, page) as [Exchange, ...Exchange[]]
  const at = new Date(Date.parse(first.at) + seconds * 1_000).toISOString()
  return [first, other as Exchange, { ...(retry as Exchange), at }]
}

test('a scenario keeps the time between a throttled request and its retry', async () => {
  const { scenario } = await scenarioFromTraffic(retryAfter(5))

  const { passed } = await createSimulator().run(scenario)

  expect(passed).toBe(true)
  expect(scenario.clock).toEqual({ mode: 'ticking', now: '2024-06-15T12:00:00Z' })
  expect(scenario.steps.filter((step) => 'advance' in step)).toEqual([
    { advance: { seconds: 1 } },
    { advance: { seconds: 4 } },
  ])
})

test('the wait that a 503 asks for is kept', async () => {
  const [first, retry] = createTraffic({ status: 503, received: {} }, page) as [Exchange, Exchange]
  const at = new Date(Date.parse(first.at) + 5_000).toISOString()
  const headers = [['retry-after', '5']] as const
  const refused = { ...first, response: { ...first.response, headers } }

  const { scenario } = await scenarioFromTraffic([refused, { ...retry, at }])

  expect((await createSimulator().run(scenario)).passed).toBe(true)
  expect(scenario.steps).toMatchObject([
    { fault: { when: { for_s: 5 } } },
    { expect: { status: 503 } },
    { advance: { seconds: 5 } },
    { expect: { status: 200 } },
  ])
})

test.each([
  [5, ['mistake of the client: early retry']],
  [31, []],
])('a retry %d s after a 429 that says 30 s: %s', async (seconds, expected) => {
  const { scenario } = await scenarioFromTraffic(
    retryAfter(seconds).filter((_, index) => index !== 1),
  )

  const { expectations } = await incidentOf(scenario)

  expect(expectations.map(({ failure }) => failure)).toEqual(expected)
})

test('the time that passes while a service throttles is kept', async () => {
  const inputs = [throttled, throttled, { ...throttled, bearer: 'phx_other' }, page]
  const times = ['12:00:00Z', '12:00:05Z', '12:00:07Z', '12:00:16Z']
  const traffic = createTraffic(...inputs).map((exchange, index) => ({
    ...exchange,
    at: `2024-06-15T${times[index]}`,
  }))

  const { scenario } = await scenarioFromTraffic(traffic)

  expect(scenario.steps.filter((step) => 'advance' in step)).toEqual([
    { advance: { seconds: 5 } },
    { advance: { seconds: 2 } },
    { advance: { seconds: 9 } },
  ])
})

test('a retry after another refusal has a frozen clock', async () => {
  const refused = { status: 403, received: { ...throttled.received, code: 'permission_denied' } }
  const { scenario } = await scenarioOf(refused, page)

  expect(scenario.clock).toBe('2024-06-15T12:00:00Z')
})

test('the clock ticks if a 429 names a wait, also without a retry', async () => {
  const { scenario } = await scenarioOf(page, throttled)

  expect(scenario.clock).toEqual({ mode: 'ticking', now: '2024-06-15T12:00:00Z' })
})

test.each([
  ['the same create', 'A', [{ advance: { seconds: 35 } }, { advance: { seconds: 5 } }]],
  ['another create, which is no retry,', 'B', [{ advance: { seconds: 35 } }]],
])(
  '%s after the time that a 429 names, and after another request',
  async (_, content, expected) => {
    const create = (content: string) => ({ method: 'POST', sent: { content } })
    const later = { ...create(content), status: 201, received: createRow(9, content) }
    const inputs = [{ ...create('A'), ...throttled }, page, later]
    const traffic = createTraffic(...inputs).map((exchange, index) => ({
      ...exchange,
      at: `2024-06-15T12:00:${['00', '35', '40'][index]}Z`,
    }))

    const { scenario } = await scenarioFromTraffic(traffic)

    expect(scenario.steps.filter((step) => 'advance' in step)).toEqual(expected)
  },
)
