import { expect, test, vi } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import type { Step } from '../../../src/scenarios/format/scenario.ts'
import { play, playStep } from '../../../src/scenarios/run/play.ts'
import type { Sender } from '../../../src/scenarios/run/sender.ts'
import {
  createLocalSender,
  createQuickSender,
} from '../../../src/scenarios/run/simulator-sender.ts'
import { listStep, postStep, readStep } from '../../support/scenarios/story.ts'

test.each<[what: string, headers: object, status: number | string, waits: number[]]>([
  ['three times, longer each time', {}, 200, [1, 2, 4]],
  ['after the wait that it asks for, up to a minute', { 'retry-after': '60' }, 200, [60, 60, 60]],
  ['not if it asks for more', { 'retry-after': '61' }, 200, []],
  ['not if the step expects the 429', {}, '4XX', []],
])('a service that throttles gets a request again %s', async (_what, headers, status, waits) => {
  const waited: number[] = []
  const throttled = { status: 429, headers: new Headers({ ...headers }), text: '', broken: false }
  const sender = {
    baseUrl: 'http://127.0.0.1:4010',
    key: () => undefined,
    send: async () => throttled,
    pause: async (seconds: number) => waited.push(seconds),
  } as unknown as Sender

  await playStep({ ...readStep, expect: { status: status as 200 } }, sender)

  expect(waited).toEqual(waits)
})

test('a POST that waits is not sent again once the run is interrupted', async () => {
  const interrupt = new AbortController()
  const throttled = { status: 429, headers: new Headers(), text: '', broken: false }
  const send = vi.fn(async () => throttled)
  const pause = async () => interrupt.abort()
  const sender = { baseUrl: 'http://127.0.0.1:4010', key: () => undefined, send, pause }

  const played = playStep(postStep, sender as never, { signal: interrupt.signal })

  await expect(played).rejects.toHaveProperty('name', 'AbortError')
  expect(send).toHaveBeenCalledTimes(1)
})

test('the sender without objects of fetch gets what fetch gets', async () => {
  const large = { ...postStep, text: 'x'.repeat(300) }
  const steps: Step[] = [
    { ...readStep, method: 'HEAD' },
    { ...postStep, text: '{"content":"No type"}' },
    { ...large, headers: { 'content-type': 'application/json' } },
    { ...postStep, body: { content: 'x'.repeat(186) } },
    { ...readStep, path: '/api/elsewhere/' },
    { fault: { when: { times: 1 }, effect: { cut_bytes: 5 } } },
    readStep,
    { revoke: 'annotations' },
    { ...listStep, as: 'annotations' },
    { rows: { keys: [{ label: 'new', value: 'phx_new' }] } },
    { ...listStep, as: 'new' },
  ]
  const received = await Promise.all(
    [createQuickSender, createLocalSender].map(async (open) => {
      const simulator = createSimulator({
        clock: '2024-06-15T12:00:00Z',
        settings: { 'limits.body': 200 },
      })
      const sender = await open(simulator)
      const responses: unknown[] = []
      const send: Sender['send'] = async (...request) => {
        const { headers, ...response } = await sender.send(...request)
        responses.push({ ...response, type: headers.get('content-type') })
        return { headers, ...response }
      }
      for await (const { result } of play({ steps }, { ...sender, send })) void result
      return responses
    }),
  )

  expect(received[0]).toEqual(received[1])
  expect(received[0]).toHaveLength(steps.filter((step) => 'method' in step).length)
})

test('a header of a step replaces the one of its body, in any case', async () => {
  const sender = await createQuickSender(createSimulator())
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }

  const { result } = await playStep(
    { ...postStep, headers, body: {}, expect: { status: 201 } },
    sender,
  )

  expect(result.differences).toEqual([])
})

test.each(['a\u2028b', 'a\r\nb'])('a step can name, and not send, %j', async (text) => {
  const sender = await createQuickSender(createSimulator())

  const keyless = await playStep({ ...listStep, as: text, expect: { status: 401 } }, sender)
  const unsent = await playStep({ ...listStep, headers: { 'x-a': text } }, sender)

  expect(keyless.result.differences).toEqual([])
  expect(unsent.result.differences).toMatchObject([
    { where: 'headers.x-a', expected: 'characters that a header can contain' },
  ])
})
