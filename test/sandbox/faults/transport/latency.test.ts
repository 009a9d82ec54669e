import { expect, onTestFinished, test, vi } from 'vitest'
import type { FaultDelay } from '../../../../src/sandbox/faults/rule.ts'
import { formatRequest, RawConnection } from '../../../support/lanes/raw-connection.ts'
import { servers, socketTest, start } from '../../../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const row = `${list}1/`

/** Measures how long a function takes, in milliseconds. */
async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

const delays: readonly [what: string, delay: FaultDelay, least: number][] = [
  ['fixed', 60, 58],
  ['uniformly distributed', { min: 40, max: 80 }, 38],
  ['distributed like latency', { median: 60, p95: 80 }, 20],
]

test.each(delays)('a response is delayed, %s', async (_, delay_ms, least) => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { delay_ms } })

  const duration = await timed(async () => {
    expect(await ask('GET', row)).toMatchObject({ status: 200, body: { id: 1 } })
  })

  expect(duration).toBeGreaterThan(least)
})

test('any effect can be delayed', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'listAnnotations', effect: { delay_ms: 50, drop: true } })
  const late = { delay_ms: 50, status: 503 }
  simulator.faults.add({ operation: 'createAnnotation', phase: 'after-commit', effect: late })

  const dropped = await timed(() => expect(ask('GET', list)).rejects.toThrow(TypeError))
  const failed = await timed(async () => {
    expect(await ask('POST', list, { body: {} })).toMatchObject({ status: 503 })
  })

  expect([dropped > 48, failed > 48]).toEqual([true, true])
  expect(simulator.world.annotations.count).toBe(9)
})

test('a delay in phase mid-body pauses a body, which arrives complete', async () => {
  const { ask, simulator } = await start()
  const whole = await ask('GET', row)
  simulator.faults.add({ phase: 'mid-body', effect: { delay_ms: 60 } })

  const duration = await timed(async () => expect(await ask('GET', row)).toEqual(whole))

  expect(duration).toBeGreaterThan(58)
})

test('a request that is aborted during a delay before the endpoint writes nothing', async () => {
  const { origin, simulator } = await start()
  simulator.faults.add({ operation: 'createAnnotation', effect: { delay_ms: 60_000 } })

  const response = post(origin)

  await expect(response).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(simulator.world.annotations.count).toBe(8)
})

test('a request that is aborted during a delay after the commit has written', async () => {
  const { origin, simulator } = await start()
  const effect = { delay_ms: 60_000 }
  simulator.faults.add({ operation: 'createAnnotation', phase: 'after-commit', effect })

  const response = post(origin)

  await expect(response).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(simulator.world.annotations.count).toBe(9)
})

function post(origin: string): Promise<Response> {
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(100)
  return fetch(`${origin}${list}`, { method: 'POST', headers, body: '{"content":"Late"}', signal })
}

test('simulator.fetch rejects with the reason of its signal', async () => {
  const { simulator } = await start()
  simulator.faults.add({ effect: { delay_ms: 60_000 } })
  const signal = AbortSignal.timeout(20)

  await expect(simulator.fetch(row, { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a delayed request does not block others', async () => {
  const { ask, simulator } = await start()
  const effect = { delay_ms: 80 }
  simulator.faults.add({ operation: 'createAnnotation', when: { times: 1 }, effect })

  const late = ask('POST', list, { body: { content: 'Late' } })
  await vi.waitFor(() => expect(simulator.faults.list()).toMatchObject([{ applied: 1 }]))
  const early = await ask('POST', list, { body: { content: 'Early' } })

  expect(early).toMatchObject({ status: 201, body: { id: 9, content: 'Early' } })
  expect(await late).toMatchObject({ status: 201, body: { id: 10, content: 'Late' } })
})

test('fake timers from after the import affect neither responses nor injected latency', async () => {
  const { ask, simulator } = await start()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())

  const prompt = await ask('GET', row)
  simulator.faults.add({ effect: { delay_ms: 20, slow_bytes_per_s: 5_000 } })
  const late = await ask('GET', row)

  expect(prompt).toMatchObject({ status: 200, body: { id: 1 } })
  expect(late).toEqual(prompt)
})

socketTest.each(servers)(
  'a server closes at once despite delayed responses and slow bodies, from $name (over HTTP only)',
  async ({ serving }) => {
    const { origin, simulator, close } = await start({}, serving)
    simulator.faults.add({ operation: 'listAnnotations', effect: { slow_bytes_per_s: 1 } })
    simulator.faults.add({ operation: 'retrieveAnnotation', effect: { delay_ms: 60_000 } })
    const [waiting, crawling] = [await RawConnection.to(origin), await RawConnection.to(origin)]
    waiting.send(formatRequest('GET', row))
    crawling.send(formatRequest('GET', list))
    await vi.waitFor(() =>
      expect(simulator.faults.list()).toMatchObject([{ applied: 1 }, { applied: 1 }]),
    )

    // Both would take a minute and more.
    await close()

    await Promise.all([waiting.closed(), crawling.closed()])
  },
)

socketTest.each(servers)(
  'a client that disconnects during a delay writes nothing, from $name (over HTTP only)',
  async ({ serving }) => {
    const { origin, simulator } = await start({}, serving)
    simulator.faults.add({ operation: 'createAnnotation', effect: { delay_ms: 60_000 } })
    const wire = await RawConnection.to(origin)

    wire.send(formatRequest('POST', list, { body: '{}' }))
    await vi.waitFor(() => expect(simulator.faults.list()).toMatchObject([{ applied: 1 }]))
    wire.destroy()

    // A request enters the journal when it completes.
    await vi.waitFor(() => expect(simulator.journal.find()).toHaveLength(1))
    expect(simulator.world.annotations.count).toBe(8)
  },
)

socketTest(
  'delayed responses on one connection leave no listeners behind (over HTTP only)',
  async () => {
    const { origin, simulator } = await start()
    simulator.faults.add({ effect: { delay_ms: 1, slow_bytes_per_s: 1_000_000 } })
    const wire = await RawConnection.to(origin)
    const warnings: Error[] = []
    const onWarning = (warning: Error) => void warnings.push(warning)
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))

    for (let count = 0; count < 15; count++) {
      expect((await wire.send(formatRequest('GET', row)).readResponse())?.status).toBe(200)
    }
    await new Promise((resolve) => setImmediate(resolve))

    expect(warnings).toEqual([])
  },
)

test.each(servers)(
  'aborting a slow body rejects with the reason of the signal, from $name',
  async ({ serving }) => {
    const { origin, simulator } = await start({}, serving)
    simulator.faults.add({ effect: { slow_bytes_per_s: 10 } })
    const signal = AbortSignal.timeout(300)

    const response = await fetch(`${origin}${row}`, {
      headers: { authorization: 'Bearer phx_all' },
      signal,
    })

    await expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' })
  },
)
