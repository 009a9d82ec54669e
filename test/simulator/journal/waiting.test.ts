import { expect, test } from 'vitest'
import { describeLatestRequests } from '../../../src/report/failed-requests.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

const realTime = 'Delays run in real time, unless fake timers came before the import.'

test('of a fault that delays and holds, the effect that the request waits for is named', async () => {
  const simulator = createSimulator()
  const effect = { hold: true, timeout_ms: 500, delay_ms: 60_000 } as const
  simulator.faults.add({ phase: 'before', effect })
  const client = new AbortController()
  const init = { ...initOf('GET', {}), signal: client.signal }
  const response = simulator.fetch(annotationsPath, init)
  const waiting = () => simulator.journal.waiting()[0]

  await expect.poll(waiting).toMatch(/: the request waits until the fault is removed or times out/)
  await expect.poll(waiting).toMatch(/: the request waits 60,000 ms before it is carried out\.$/)

  client.abort()
  await response.catch(() => {})
  expect(simulator.journal.waiting()).toEqual([])
})

test('a failed verification and a failed test say what delays a request', async () => {
  const simulator = createSimulator()
  simulator.faults.add({ effect: { error: 'throttled', delay_ms: 60_000 } })
  const client = new AbortController()
  const { signal } = client
  const response = simulator.fetch(annotationsPath, { ...initOf('GET', {}), signal })
  await expect.poll(() => simulator.journal.waiting().length).toBe(1)

  const { message } = simulator.journal.verify({ operation: 'listAnnotations' })
  const failed = describeLatestRequests(simulator)
  client.abort()
  await response.catch(() => {})

  const waiting = `GET ${annotationsPath} has no response yet. The fault fault-1 applies: the response is delayed by 60,000 ms.`
  expect(message).toBe(
    `Failed to verify: expected listAnnotations at least once, found 0 in 0 requests. ${waiting} ${realTime}`,
  )
  expect(failed).toBe(`${waiting}\n${realTime}`)
  expect(simulator.journal.waiting()).toEqual([])
})
