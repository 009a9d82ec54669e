import { createSimulator } from 'understudy-api'
import { reportRun } from 'understudy-api/vitest'
import { expect, test } from 'vitest'

const simulator = createSimulator()
reportRun(simulator)

test('lists projects', async () => {
  const headers = { authorization: `Bearer ${simulator.defaults.key}` }
  const response = await simulator.fetch('/api/projects/', { headers })
  expect(response.status).toBe(200)
})
