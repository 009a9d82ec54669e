import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import type { Step } from '../../../src/scenarios/format/scenario.ts'
import { createQuickSender } from '../../../src/scenarios/run/quick-simulator.ts'
import { runSteps } from '../../../src/scenarios/run/run-steps.ts'
import type { Sender } from '../../../src/scenarios/run/sender.ts'
import { createLocalSender } from '../../../src/scenarios/run/simulator-sender.ts'
import { sendPolitely } from '../../../src/scenarios/run/throttled.ts'
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
    send: async () => throttled,
    pause: async (ms: number) => waited.push(ms / 1_000),
  } as unknown as Sender

  await sendPolitely(
    { ...readStep, expect: { status: status as 200 } },
    { ...readStep, url: '', headers: {} },
    sender,
  )

  expect(waited).toEqual(waits)
})

test('the sender without objects of fetch gets what fetch gets', async () => {
  const large = { ...postStep, text: 'x'.repeat(300) }
  const steps: Step[] = [
    { ...readStep, method: 'HEAD' },
    { ...postStep, text: '{"content":"No type"}' },
    { ...large, headers: { 'content-type': 'application/json' } },
    { ...readStep, path: '/api/elsewhere/' },
    { fault: { when: { times: 1 }, effect: { cut_bytes: 5 } } },
    readStep,
    { revoke: 'annotations' },
    { ...listStep, as: 'annotations' },
    { rows: { keys: [{ label: 'new', value: 'phx_new' }] } },
    { ...listStep, as: 'new' },
  ]
  const received = await Promise.all(
    [createQuickSender, (s: ReturnType<typeof createSimulator>) => createLocalSender(s, s.url)].map(
      async (open) => {
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
        await runSteps({ title: 'A', steps }, { ...sender, send }, { first: 0, last: 99 })
        return responses
      },
    ),
  )

  expect(received[0]).toEqual(received[1])
  expect(received[0]).toHaveLength(steps.filter((step) => 'method' in step).length)
})
