import { expect, onTestFinished, test, vi } from 'vitest'
import { annotationsPath, annotationPath as row } from '../../../support/api/paths.ts'
import { initOf } from '../../../support/transports/client.ts'
import { formatRequest, RawConnection } from '../../../support/transports/raw-connection.ts'
import { serve } from '../../../support/transports/start.ts'

test('a request that is aborted during a delay has written, by default', async () => {
  const { origin, simulator } = await serve()
  simulator.faults.add({ operation: 'createAnnotation', effect: { delay_ms: 60_000 } })
  const abort = new AbortController()

  const init = { ...initOf('POST', { body: { content: 'Late' } }), signal: abort.signal }
  const response = fetch(`${origin}${annotationsPath}`, init)
  const rejects = expect(response).rejects.toMatchObject({ name: 'AbortError' })
  await expect.poll(() => simulator.faults.list()[0]?.applied).toBe(1)
  abort.abort()

  await rejects
  // A request enters the journal when it completes.
  await expect.poll(() => simulator.journal.find().length).toBe(1)
  expect(simulator.world.annotations.count).toBe(9)
  const [entry] = simulator.journal.find()
  expect(entry?.reason).toMatch(
    /^no response: .* the connection ended before that, and the request was carried out$/,
  )
})

test('fake timers from after the import affect neither responses nor injected latency', async () => {
  const { ask, simulator } = await serve()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())

  const prompt = await ask('GET', row)
  simulator.faults.add({ effect: { delay_ms: 20 } })
  const late = await ask('GET', row)

  expect(prompt).toMatchObject({ status: 200, body: { id: 1 } })
  expect(late).toEqual(prompt)
})

test('delayed responses on one connection leave no listeners behind', async () => {
  const { origin, simulator } = await serve()
  simulator.faults.add({ effect: { delay_ms: 1 } })
  const wire = await RawConnection.to(origin)
  const warnings: Error[] = []
  const onWarning = (warning: Error) => void warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))

  for (let count = 0; count < 15; count++) {
    expect.soft((await wire.send(formatRequest('GET', row)).readResponse())?.status).toBe(200)
  }
  await new Promise((resolve) => setImmediate(resolve))

  expect(warnings).toEqual([])
})
