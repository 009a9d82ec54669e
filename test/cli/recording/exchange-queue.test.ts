import { expect, onTestFinished, test, vi } from 'vitest'
import { createExchange } from '../../support/scenarios/exchanges.ts'

// Other tests may have loaded the module while fake timers were installed.
vi.resetModules()
const { ExchangeQueue } = await import('../../../src/cli/recording/recording-writer.ts')

const [first, second] = [createExchange({ method: 'GET' }), createExchange({ method: 'POST' })]

/** A queue, and what its sink did. */
function createQueue(Queue = ExchangeQueue) {
  const calls: string[] = []
  let added: string[] = []
  const queue = new Queue({
    add({ method }) {
      calls.push(`add ${method}`)
      added.push(method)
    },
    flush() {
      for (const method of added) calls.push(`write ${method}`)
      added = []
    },
  })
  return { queue, calls }
}

test('the queue writes an exchange when the next one arrives, and the last one a little later', async () => {
  const { queue, calls } = createQueue()

  queue.add(first)
  const before = [...calls]
  queue.add(second)
  const between = [...calls]
  await expect.poll(() => calls).toHaveLength(4)

  expect([before, between, calls]).toEqual([
    [],
    ['add GET', 'write GET'],
    ['add GET', 'write GET', 'add POST', 'write POST'],
  ])
})

test('the queue adds an exchange once its response is sent, and writes it with the next request', async () => {
  const { queue, calls } = createQueue()

  queue.add(first)
  await new Promise((resolve) => setImmediate(resolve))
  const sent = [...calls]
  queue.flush()

  expect([sent, calls]).toEqual([['add GET'], ['add GET', 'write GET']])
})

test('the latest exchange waits its full delay, however long an earlier one has waited', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.resetModules()
  })
  vi.resetModules()
  const faked = await import('../../../src/cli/recording/recording-writer.ts')
  const { queue, calls } = createQueue(faked.ExchangeQueue)

  queue.add(first)
  await vi.advanceTimersByTimeAsync(4)
  queue.add(second)
  await vi.advanceTimersByTimeAsync(4)
  const early = [...calls]
  await vi.advanceTimersByTimeAsync(1)

  expect(early).toEqual(['add GET', 'write GET', 'add POST'])
  expect(calls).toEqual([...early, 'write POST'])
})
