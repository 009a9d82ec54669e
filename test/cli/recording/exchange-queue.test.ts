import { expect, onTestFinished, test, vi } from 'vitest'
import { startProxyBefore } from '../../support/cli/proxy.ts'
import { createExchange } from '../../support/scenarios/exchanges.ts'

// Other tests may have loaded it while fake timers were installed.
vi.resetModules()
const { ExchangeQueue } = await import('../../../src/cli/recording/exchange-queue.ts')

const [first, second] = [createExchange({ method: 'GET' }), createExchange({ method: 'POST' })]

/** What is done of exchanges, by their methods. */
function logged(Waiting = ExchangeQueue) {
  const done: string[] = []
  const backlog = new Waiting(({ method }) => {
    done.push(`${method} begun`)
    return () => void done.push(`${method} ended`)
  })
  return { backlog, done }
}

test('of two exchanges the earlier is done when the later comes, and that one a little later', async () => {
  const { backlog, done } = logged()

  backlog.add(first)
  const before = [...done]
  backlog.add(second)
  const between = [...done]
  await vi.waitFor(() => expect(done).toHaveLength(4))

  expect([before, between, done]).toEqual([
    [],
    ['GET begun', 'GET ended'],
    ['GET begun', 'GET ended', 'POST begun', 'POST ended'],
  ])
})

test('half of the work is done when the answer is on its way, and the rest when somebody asks again', async () => {
  const { backlog, done } = logged()

  backlog.add(first)
  await new Promise((resolve) => setImmediate(resolve))
  const answered = [...done]
  backlog.flush()

  expect([answered, done]).toEqual([['GET begun'], ['GET begun', 'GET ended']])
})

test('the latest one waits its whole time for the next, however long an earlier one has waited', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.resetModules()
  })
  vi.resetModules()
  const faked = await import('../../../src/cli/recording/exchange-queue.ts')
  const { backlog, done } = logged(faked.ExchangeQueue)

  backlog.add(first)
  await vi.advanceTimersByTimeAsync(4)
  backlog.add(second)
  await vi.advanceTimersByTimeAsync(4)
  const early = [...done]
  await vi.advanceTimersByTimeAsync(1)

  expect(early).toEqual(['GET begun', 'GET ended', 'POST begun'])
  expect(done).toEqual([...early, 'POST ended'])
})

test('what was asked right before the proxy ends is told by then', async () => {
  const { url, exchanges, close } = await startProxyBefore((_, answer) => void answer.end('{}'))
  await (await fetch(`${url}/api/projects/`)).text()

  await close()

  expect(exchanges.map(({ method }) => method)).toEqual(['GET'])
})
