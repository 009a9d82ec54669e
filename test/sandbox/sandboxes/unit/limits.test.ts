import { expect, onTestFinished, test, vi } from 'vitest'
import { ChangeHistory } from '../../../../src/sandbox/history/history.ts'
import { Journal } from '../../../../src/sandbox/journal/journal.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { LimitError } from '../../../../src/utils/usage-error.ts'
import { noon } from '../../../support/api/paths.ts'

test('a limit applies to the number of sandboxes that have not ended', async () => {
  const simulator = createSimulator({ clock: noon, sandboxes: 3 })
  const { sandboxes } = simulator
  sandboxes.create({ ttl_s: 10 })
  const { id } = sandboxes.create()
  sandboxes.create()

  expect(sandboxes.limit).toBe(3)
  expect(() => sandboxes.create()).toThrow(LimitError)
  expect(() => sandboxes.create()).toThrow(
    'Failed to create a sandbox: there are already 3. Delete one, or create them with ttl_s.',
  )
  sandboxes.delete(id)
  sandboxes.create()
  simulator.clock.advance({ seconds: 10 })
  sandboxes.create()
  expect(sandboxes.count).toBe(3)
})

test('a sandbox cannot create sandboxes', async () => {
  const simulator = createSimulator({ clock: noon })
  const inner = simulator.sandboxes.get(simulator.sandboxes.create().id)

  expect(() => inner?.sandboxes.create()).toThrow(
    'Failed to create a sandbox: a sandbox cannot contain sandboxes. Create it in the simulator: simulator.sandboxes.create({ from: id }).',
  )
})

test('the journals and histories of all sandboxes share one memory budget', () => {
  const shares = [vi.spyOn(Journal.prototype, 'share'), vi.spyOn(ChangeHistory.prototype, 'share')]
  onTestFinished(() => void vi.restoreAllMocks())

  const { sandboxes } = createSimulator({ clock: noon })
  sandboxes.create()
  sandboxes.create()

  const budgets = shares.map(({ mock }) => mock.calls.map(([budget]) => budget))
  expect(budgets.map(({ length }) => length)).toEqual([2, 2])
  expect(new Set(budgets.flat()).size).toBe(1)
})
