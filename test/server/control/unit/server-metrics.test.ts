import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/index.ts'
import { ServerMetrics } from '../../../../src/server/server-metrics.ts'

test('a server that closes during its first scrape counts no requests', async () => {
  const simulator = createSimulator()

  await ServerMetrics.create(simulator, AbortSignal.abort())

  expect(simulator.journal.followerCount).toBe(0)
})
