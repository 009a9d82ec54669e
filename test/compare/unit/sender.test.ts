import { expect, test, vi } from 'vitest'
import { ProbeSender, type SenderOptions } from '../../../src/compare/sender.ts'
import { startHttpServer, startRawServer } from '../../support/http-server.ts'

/** A sender to a server with these answers, the last of which stays. Null breaks the connection. */
function senderTo(answers: readonly (Response | null)[], options: Partial<SenderOptions> = {}) {
  const waits: number[] = []
  const sent: string[] = []
  const sender = new ProbeSender({
    ...{ rate: 4, maxRequests: 10, wait: async (ms) => waits.push(ms) },
    send: async (_url, { method = '' }) => {
      const answer = answers[Math.min(sent.push(method), answers.length) - 1]
      if (!answer) throw new TypeError('fetch failed')
      return answer.clone()
    },
    ...options,
  })
  const send = (method = 'GET', isRemoval = false) =>
    sender.send('http://a.test/', { method }, isRemoval)
  return { sender, send, sent, waits }
}

const busy = (seconds?: string) =>
  new Response('', {
    status: 429,
    headers: seconds ? { 'retry-after': seconds, date: 'Sat, 15 Jun 2024 12:00:09 GMT' } : {},
  })
const ok = new Response('{}')

test.each([
  ['as it asks', [busy('60'), ok], [60_000, 250], 1],
  ['not at all for a time that is over', [busy('Sat, 15 Jun 2024 12:00:00 GMT'), ok], [0, 250], 1],
  ['longer each time', [busy(), busy(), ok], [1_000, 250, 2_000, 250], 2],
])('a server that throttles is waited for %s', async (_how, answers, waits, throttled) => {
  const sent = senderTo(answers)

  expect((await sent.send()).status).toBe(200)
  expect([sent.waits, sent.sender.throttled.length]).toEqual([waits, throttled])
})

test.each([
  [[busy()], 'The server throttles after 4 requests.'],
  [[busy('61')], 'The server throttles after 1 request, and asks for a wait of 61 seconds.'],
])('a server that throttles without end ends the comparison: %#', async (answers, reason) => {
  const { send, sender } = senderTo(answers)

  await expect(send()).rejects.toMatchObject({ reason })
  sender.finish('Later.')
  expect(sender.end).toBe(reason)
})

test('three failures in a row end the comparison, and six the removal of rows', async () => {
  const { send, sender } = senderTo([null, null, ok, null])
  const fail = (isRemoval?: boolean) => send('POST', isRemoval).catch(({ reason }) => reason)

  const before = [await fail(), await fail(), await send('POST'), await fail(), await fail()]
  const end = sender.end
  const last = await fail()
  const removals = [await fail(true), await fail(true), await fail(true), await fail(true)]

  const silent = expect.stringMatching(/^The server did not respond: .* \(fetch failed\)\./)
  expect(before).toEqual([silent, silent, expect.anything(), silent, silent])
  expect([end, last, sender.end]).toEqual([null, silent, silent])
  expect([removals, sender.count]).toEqual([Array(4).fill(silent), 9])
})

test('a read whose connection broke is sent again', async () => {
  const { send, sent } = senderTo([null, ok], { maxRequests: 2 })

  const { status } = await send()

  expect([status, sent]).toEqual([200, ['GET', 'GET']])
  const reason = 'The 2 requests of --max-requests are used up.'
  await expect(send()).rejects.toMatchObject({ reason })
})

test('a write whose connection broke is not sent again: it may have been carried out', async () => {
  const { send, sent } = senderTo([null, ok])

  await expect(send('POST')).rejects.toMatchObject({ why: 'no_response' })
  expect(sent).toEqual(['POST'])
})

test.each([
  ['closes', () => startRawServer(''), 'the request failed (UND_ERR_SOCKET). Look into the log'],
  ['is silent', () => startHttpServer(() => {}), 'no response came within 30 seconds. Look into'],
])('a request to a server that %s is sent once, and says why', async (how, start, cause) => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const [limit, method] = how === 'is silent' ? [50, 'GET'] : [10_000, 'POST']
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(limit))
  const url = await start()
  const { sender, send } = senderTo([], {
    send: async (_url, init) => (sender.count === 1 ? ok.clone() : fetch(url, init)),
  })
  await send()

  await expect(send(method)).rejects.toMatchObject({
    ...{ why: 'no_response', got: expect.stringContaining(cause) },
    reason: expect.stringMatching(/^The server did not respond: /),
  })
  expect(sender.count).toBe(2)
})
