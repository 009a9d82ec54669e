import { expect, onTestFinished, test, vi } from 'vitest'
import { ChangeHistory } from '../../../../src/sandbox/history/history.ts'
import { Journal } from '../../../../src/sandbox/journal/journal.ts'
import type { SandboxRequest } from '../../../../src/sandbox/sandboxes/sandboxes.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { LimitError, UsageError } from '../../../../src/utils/usage-error.ts'
import { noon } from '../../../support/api/paths.ts'

const invalidRequests: readonly [request: unknown, field: string, message: string][] = [
  [
    { from: 'emtpy' },
    'from',
    'Failed to create a sandbox: expected the name of a fixture, a snapshot or a sandbox ' +
      '("default", "empty", "saved"), got "emtpy". Did you mean empty?',
  ],
  [{ from: 5 }, 'from', 'got 5.'],
  [
    { form: 'empty' },
    'form',
    'Failed to create a sandbox: unknown option "form". Did you mean "from"?',
  ],
  [{ seed: 1.5 }, 'seed', 'Failed to read the seed: expected a whole number, got 1.5.'],
  [{ profile: 'lvie' }, 'profile', 'got "lvie". Did you mean live?'],
  [
    { policies: { 'limits.body': 0 } },
    'policies.limits.body',
    'Failed to set limits.body: expected a whole number from 1 to 536870888, got 0.',
  ],
  [{ policies: { 'limits.bdy': 1 } }, 'policies.limits.bdy', 'Did you mean limits.body?'],
  [{ clock: 'tomorrow' }, 'clock.time', 'Failed to set the clock: expected an ISO 8601 time'],
  [
    { clock: { mode: 'still' } },
    'clock.mode',
    'expected one of real, frozen, ticking, got "still"',
  ],
  [{ clock: { mode: 'real', time: '2024' } }, 'clock.time', 'expected no time with mode real'],
  [{ ttl_s: 0 }, 'ttl_s', 'expected ttl_s to be a positive number of seconds, got 0.'],
  [{ ttl_s: '60' }, 'ttl_s', 'expected ttl_s to be a positive number of seconds, got "60".'],
  [
    { ttl_s: 1e15 },
    'ttl_s',
    'Failed to create a sandbox: expected ttl_s to end before the year 10000, got 1000000000000000.',
  ],
  [
    { keys: { al: 'phx_mine' } },
    'keys.al',
    'Failed to choose a key: expected the label or the value of a key ("all",',
  ],
  [{ keys: { all: ' x' } }, 'keys.all', 'expected at least two characters of well-formed Unicode'],
  [
    { keys: { all: 'phx_same', none: 'phx_same' } },
    'keys.none',
    'already has the value "phx_same"',
  ],
  [
    { keys: { all: 'phx_taken' } },
    'keys.all',
    'another key of a sandbox already has the value "phx_taken"',
  ],
  [
    { keys: ['phx_mine'] },
    'keys',
    'expected an object of values by the label or the value of a key',
  ],
]

test.each(invalidRequests)(
  '%j is rejected, and no sandbox is created',
  async (request, field, message) => {
    const simulator = createSimulator({ clock: noon })
    simulator.snapshots.save('saved')
    const { id } = simulator.sandboxes.create({ keys: { all: 'phx_taken' } })
    const create = () => simulator.sandboxes.create(request as SandboxRequest)

    expect(create).toThrow(UsageError)
    expect(create).toThrow(message.replace('"saved")', `"saved", "${id}")`))
    expect(create).toThrow(expect.objectContaining({ field }))
    expect(simulator.sandboxes.count).toBe(1)
    expect(simulator.sandboxes.create().id).toBe('sandbox-2')
  },
)

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
