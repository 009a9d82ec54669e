import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { createPage, createRow, createTraffic, type TrafficInput } from '../support/traffic.ts'
import { incidentOf, scenarioFromTraffic, scenarioOf } from './derive.ts'

const refusal = (seconds: number) => ({
  status: 429,
  received: {
    type: 'throttled_error',
    code: 'throttled',
    detail: `Request was throttled. Expected available in ${seconds} seconds.`,
    attr: null,
  },
})
const throttled = refusal(30)
const page = { received: createPage(createRow(4, 'Deploy')) }
const second = { ...page, url: '/api/projects/1/annotations/?limit=1' }

const read = { url: '/api/projects/1/annotations/4/', received: createRow(4, 'Deploy') }

/** Traffic, each request some seconds after noon. */
const trafficAt = (seconds: readonly number[], ...inputs: readonly TrafficInput[]) =>
  createTraffic(...inputs).map((exchange, index) => {
    const time = Date.UTC(2024, 5, 15, 12) + Number(seconds[index]) * 1_000
    return { ...exchange, at: new Date(time).toISOString() }
  })

const create = { method: 'POST', sent: { content: 'A' } }
const created = (content: string) => {
  return { method: 'POST', sent: { content }, status: 201, received: createRow(9, content) }
}

test.each([
  ['the same read', [0, 1, 5], [throttled, read, page], [30, 1, 4]],
  ['another page', [0, 9, 31], [throttled, { ...second, ...refusal(9) }, second], [30, 9, 9, 22]],
  ['each retry', [0, 3, 6, 31], [throttled, refusal(27), refusal(24), page], [30, 3, 3, 24, 25]],
  ['another key', [0, 5, 7], [throttled, { ...throttled, bearer: 'b' }, page], [30, 5, 30, 2]],
  ['the same create', [0, 35, 40], [{ ...create, ...throttled }, page, created('A')], [30, 35, 5]],
  ['no other create', [0, 35, 40], [{ ...create, ...throttled }, page, created('B')], [30, 35]],
])('a scenario keeps the wait of a 429, and the time to %s', async (_, seconds, inputs, waits) => {
  const { steps } = (await scenarioFromTraffic(trafficAt(seconds, ...inputs))).scenario

  const kept = steps.map(Object).map((step) => step.advance?.seconds ?? step.fault?.when.for_s)
  expect(kept.filter(Boolean)).toEqual(waits)
})

test('a wait of more than a day lasts for a day', async () => {
  const { scenario } = await scenarioOf(refusal(604_800))

  expect((await createSimulator().run(scenario)).passed).toBe(true)
  expect(scenario.steps[0]).toMatchObject({ fault: { when: { for_s: 86_400 } } })
})

test('requests that a service refused for less than the time that it named are counted', async () => {
  const traffic = trafficAt([0, 0.002, 0.003], throttled, throttled, page)
  const { scenario } = await scenarioFromTraffic(traffic)

  expect((await createSimulator().run(scenario)).passed).toBe(true)
  expect(scenario.steps[0]).toMatchObject({ fault: { when: { times: 2, for_s: 30 } } })
  expect(scenario.steps[3]).toHaveProperty('expect', { status: 429 })
})

test('the wait that a 503 asks for is kept', async () => {
  const headers = [
    ['x-note', '日'],
    ['retry-after', '5'],
  ] as const
  const traffic = trafficAt([0, 5], { status: 503, received: {} }, page)

  const { scenario } = await scenarioFromTraffic(
    traffic.map((exchange, index) =>
      index === 0 ? { ...exchange, response: { ...exchange.response, headers } } : exchange,
    ),
  )

  expect((await createSimulator().run(scenario)).passed).toBe(true)
  expect(scenario.steps).toMatchObject([
    { fault: { when: { for_s: 5 } } },
    { expect: { status: 503 } },
    { advance: { seconds: 5 } },
    { expect: { status: 200 } },
  ])
})

const refused = { status: 403, received: { ...throttled.received, code: 'permission_denied' } }

test.each([
  ['is frozen at a retry after another refusal', [refused, page], '2024-06-15T12:00:00Z'],
  [
    'ticks at a retry after a 429 that names no wait',
    [{ status: 429, received: {} }, page],
    { mode: 'ticking', now: '2024-06-15T12:00:00Z' },
  ],
  [
    'ticks if a 429 names a wait, also without a retry',
    [page, throttled],
    { mode: 'ticking', now: '2024-06-15T12:00:00Z' },
  ],
])('the clock %s', async (_how, inputs, clock) => {
  const { scenario } = await scenarioOf(...inputs)

  expect(scenario.clock).toEqual(clock)
})

test('somebody else made a row that looks like that of a throttled create', async () => {
  const create = { ...throttled, method: 'POST', sent: { content: 'Deploy' } }
  const { scenario } = await scenarioOf({ received: createPage() }, create, page)

  const kinds = scenario.steps.map((step) => Object.keys(step)[0])
  expect(kinds.join(', ')).toBe('title, fault, title, rows, advance, title')
})

test.each<[pause: number, times: number, title: RegExp]>([
  [0.01, 12, /^The client repeated a failed request without end$/],
  [1, 12, /^The recorded requests leave no failure/],
  [10, 25, /^The recorded requests leave no failure/],
])('every %f s, a failed read is sent %i times: %s', async (pause, times, title) => {
  const reads = [...Array(times).fill({ status: 503 }), page]
  const { scenario } = await scenarioFromTraffic(
    trafficAt(
      reads.map((_, at) => at * pause),
      ...reads,
    ),
  )

  expect((await incidentOf(scenario)).title).toMatch(title)
})
