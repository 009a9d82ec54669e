import { expect, onTestFinished, test, vi } from 'vitest'
import { ClientMistakes } from '../../../../src/analysis/client-rules/client-mistakes.ts'
import { RunFollower } from '../../../../src/analysis/report/run-follower.ts'
import { createRunReport } from '../../../../src/analysis/report/run-report.ts'
import { addSettings, emptyUsage } from '../../../../src/analysis/report/run-usage.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'

async function list(simulator: Simulator, key: string | null, times = 1): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  for (let count = 0; count < times; count++) {
    await simulator.fetch(`/api/projects/1/annotations/?limit=1&offset=${count}`, { headers })
  }
}

test('a follower covers more requests than the journal, and does not grow with them', async () => {
  const simulator = createSimulator({ journal: { entries: 2 } })
  const follower = new RunFollower(simulator)
  const size = () => JSON.stringify({ ...follower.finish(), mistakes: [] }).length

  await list(simulator, 'phx_all', 10)
  const before = size()
  await list(simulator, 'phx_all', 90)

  expect(createRunReport(follower.finish())).toMatchObject({ requests: 100, not_covered: 0 })
  // Only the numbers have more digits.
  expect(size() - before).toBeLessThan(30)
})

test('a follower covers sandboxes, also after they end, with the policies of the latest', async () => {
  const simulator = createSimulator()
  const follower = new RunFollower(simulator)

  const { id, key } = simulator.sandboxes.create({ profile: 'live' })
  await list(simulator, key)
  simulator.sandboxes.delete(id)
  const report = createRunReport(follower.finish())

  expect(report.requests).toBe(1)
  expect(report.policies.find(({ name }) => name === 'headers.allow')?.settings).toEqual([
    'every_answer',
  ])
  expect(report.operations.map(({ name }) => name)).toContain('replacePlugin')
})

test('the mistakes in a deleted sandbox are kept, and what they were found with is not', async () => {
  const list = vi.spyOn(ClientMistakes.prototype, 'list')
  onTestFinished(() => list.mockRestore())
  const simulator = createSimulator()
  const follower = new RunFollower(simulator)
  for (let count = 0; count < 3; count++) {
    const { id, key } = simulator.sandboxes.create()
    const headers = { authorization: `Bearer ${key}` }
    await simulator.fetch(`/api/projects/1/annotations/${count + 1}/`, {
      method: 'DELETE',
      headers,
    })
    simulator.sandboxes.delete(id)
  }

  // Each sandbox completes those that were deleted before.
  expect(list).toHaveBeenCalledTimes(2)
  const { mistakes } = follower.finish()
  expect(list).toHaveBeenCalledTimes(4)
  expect(mistakes.map(({ rule }) => rule)).toContain('swallowed-delete')
  expect(follower.finish().mistakes).toEqual(mistakes)
})

test('only settings that differ from the documented ones are stored', () => {
  const usage = emptyUsage()
  const { policies } = createSimulator({
    policies: { 'annotations.delete.status': '404', 'limits.body': 5, 'methods.put': 'off' },
  })

  addSettings(usage, policies.settings)

  expect(usage).toEqual({
    ...emptyUsage(),
    settings: { 'annotations.delete.status': '404', 'limits.body': 5 },
  })
})
