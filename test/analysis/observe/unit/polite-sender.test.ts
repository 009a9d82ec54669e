import { expect, test } from 'vitest'
import { PoliteSender, type SenderOptions } from '../../../../src/analysis/observe/polite-sender.ts'
import { NoResponse, type Unclear } from '../../../../src/analysis/observe/requests.ts'
import { throttled } from '../../../support/observe/odd-server.ts'

/** A sender whose server gives these responses, and then empty ones. Null is a broken connection. */
function createSender(
  responses: readonly (Response | null)[],
  options: Partial<SenderOptions> = {},
) {
  const left = [...responses]
  const sent: RequestInit[] = []
  const waits: number[] = []
  const sender = new PoliteSender({
    async send(_url, init) {
      sent.push(init)
      const response = left.length > 0 ? left.shift() : Response.json({})
      if (!response) throw new TypeError('fetch failed')
      return response
    },
    rate: 4,
    maxRequests: 20,
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...options,
  })
  const get = (isCleanUp = false) =>
    sender.send('http://localhost/', { method: 'GET' }, isCleanUp).then(
      ({ status }) => status,
      (error: Unclear) => error.reason,
    )
  return { sender, sent, waits, get }
}

test.each([
  [{ 'retry-after': '60' }, 'Slow down.', 60_000],
  [{ 'retry-after': 'soon' }, 'Wait 9 seconds.', 1000],
  [{ 'retry-after': '' }, 'Wait 9 seconds.', 1000],
  [{ 'retry-after': '0' }, 'Wait 9 seconds.', 0],
  [{ 'retry-after': '-7' }, 'Wait 9 seconds.', 1000],
  [{ 'retry-after': '1.5' }, 'Wait 9 seconds.', 1000],
  [{ 'retry-after': 'Sat, 15 Jun 2024 12:00:07 GMT' }, 'Wait 9 seconds.', 1000],
  [{}, 'Wait 5 second.', 5000],
  [{}, 'Wait 12 seconds.', 12_000],
  [{}, 'Wait 3 minutes.', 1000],
  [
    { 'retry-after': 'Sat, 15 Jun 2024 12:00:07 GMT', date: 'Sat, 15 Jun 2024 12:00:00 GMT' },
    'Slow down.',
    7000,
  ],
  [
    { 'retry-after': 'Sat, 15 Jun 2024 11:00:00 GMT', date: 'Sat, 15 Jun 2024 12:00:00 GMT' },
    'Slow down.',
    0,
  ],
] as const)(
  'a 429 with %j and "%s" is repeated after %i milliseconds',
  async (headers, detail, wait) => {
    const { get, waits, sender } = createSender([throttled(headers, detail)])

    expect(await get()).toBe(200)
    expect(waits).toEqual([wait, 250])
    expect([sender.count, sender.throttled.length]).toEqual([2, 1])
  },
)

test('a server that throttles each request ends the observation after three longer and longer waits', async () => {
  const { get, waits, sent } = createSender(Array.from({ length: 9 }, () => throttled()))

  expect(await get()).toBe('The server throttles after 4 requests.')
  expect(await get()).toBe('The server throttles after 4 requests.')
  expect(waits).toEqual([1000, 250, 2000, 250, 4000, 250])
  expect(sent).toHaveLength(4)
})

test('a server that wants a wait of a minute each time ends the observation, too', async () => {
  const minute = () => throttled({ 'retry-after': '60' })
  const { get } = createSender(Array.from({ length: 4 }, minute))

  expect(await get()).toBe('The server throttles after 4 requests.')
})

test('a wait of more than a minute ends the observation, and rows are still removed', async () => {
  const { get, waits } = createSender([throttled({ 'retry-after': '61' })])
  const reason = 'The server throttles after 1 requests, and wants a wait of 61 seconds.'

  expect(await get()).toBe(reason)
  expect(await get()).toBe(reason)
  expect(await get(true)).toBe(200)
  expect(waits).toEqual([250])
})

test('a read whose connection breaks is sent again once, and the rate is kept', async () => {
  const { get, sender, waits } = createSender([null, throttled(), Response.json({}), null, null])

  expect(await get()).toBe(200)
  expect(waits).toEqual([250, 2000, 250])
  expect(await get()).toBe('The server did not respond.')
  expect([sender.count, sender.end]).toEqual([5, null])
})

test('a write, a clean-up and a read that takes too long are not sent again', async () => {
  const { get, sender, sent } = createSender([Response.json({}), null, null])
  await get()
  const write = sender.send('http://localhost/', { method: 'POST' })

  await expect(write).rejects.toEqual(new NoResponse('The server did not respond.'))
  expect(await get(true)).toBe('The server did not respond.')
  expect(sent).toHaveLength(3)

  const late = createSender([], {
    send: () => Promise.reject(new DOMException('Too late', 'TimeoutError')),
  })
  const first = await late.sender.send('http://localhost/', { method: 'GET' }).catch(String)
  expect(first).toContain('no response within a minute')
  expect(await late.get()).toBe('The server did not respond.')
  expect(late.sender.count).toBe(2)
})

test('three requests in a row without a response end the observation', async () => {
  const reason = 'The server did not respond.'
  const lost = [null, null]
  const { get, sender } = createSender([
    Response.json({}),
    ...lost,
    ...lost,
    Response.json({}),
    ...lost,
    ...lost,
    ...lost,
  ])

  const results = []
  for (let count = 0; count < 6; count += 1) results.push(await get())

  expect(results).toEqual([200, reason, reason, 200, reason, reason])
  expect(sender.end).toBe(null)
  expect(await get()).toBe(reason)
  expect(sender.end?.reason).toBe(reason)
})

test('what is reserved is only used to clean up, and nothing exceeds the limit', async () => {
  const { get, sender, sent } = createSender([], { maxRequests: 4 })

  expect(await get()).toBe(200)
  sender.reserved = 2
  expect(await get()).toBe(200)
  expect(await get()).toBe('Nearly all of the 4 requests are used. The last 2 clean up.')
  expect([await get(true), await get(true)]).toEqual([200, 200])
  expect(await get(true)).toBe('Nearly all of the 4 requests are used. The last 2 clean up.')
  expect(sent).toHaveLength(4)
})

test('an interrupt aborts reads, and not writes', async () => {
  const controller = new AbortController()
  const { sender, sent, get } = createSender([], { signal: controller.signal })
  await get()
  await get(true)
  await sender.send('http://localhost/', { method: 'POST' })

  controller.abort()

  expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true, false, false])
  expect(sent.map(({ redirect }) => redirect)).toEqual(['manual', 'manual', 'manual'])
  const reason = 'The observation was interrupted.'
  expect(await get()).toBe(reason)
  await expect(sender.send('http://localhost/', { method: 'POST' })).rejects.toEqual({ reason })
  expect(await get(true)).toBe(200)
})

test('an interrupted read is no broken connection', async () => {
  const controller = new AbortController()
  const { get, sender } = createSender([], {
    signal: controller.signal,
    async send() {
      controller.abort()
      throw new TypeError('fetch failed')
    },
  })

  expect(await get()).toBe('The observation was interrupted.')
  expect(sender.end?.reason).toBe('The observation was interrupted.')
})

test('a read that is interrupted when it is repeated is no broken connection', async () => {
  const controller = new AbortController()
  const answers = [
    () => throttled(),
    () => {
      controller.abort()
      throw new TypeError('fetch failed')
    },
  ]
  const { get, sender, waits } = createSender([], {
    signal: controller.signal,
    send: async () => answers.shift()?.() ?? Response.json({}),
  })

  expect(await get()).toBe('The observation was interrupted.')
  expect([sender.count, waits]).toEqual([2, [1000, 250]])
})
