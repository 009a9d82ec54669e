import { expect, onTestFinished, test, vi } from 'vitest'
import { ChangeHistory } from '../../../../src/sandbox/history/history.ts'
import { Journal } from '../../../../src/sandbox/journal/journal.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'

function createSandbox() {
  const simulator = createSimulator({ clock: noon })
  const { id, keys } = simulator.sandboxes.create({ keys: { all: 'phx_own' }, ttl_s: 10 })
  const sandbox = simulator.sandboxes.get(id) as Simulator
  return { simulator, sandbox, id, keys }
}

const ends: readonly [what: string, end: (simulator: Simulator) => unknown][] = [
  ['is deleted', ({ sandboxes }) => sandboxes.delete('sandbox-1')],
  ['expires', ({ clock }) => clock.advance({ seconds: 10 })],
]

test.each(ends)('a sandbox that %s can have the keys of its simulator', (_, end) => {
  const { simulator, sandbox } = createSandbox()
  const issue = () => sandbox.keys.issue({ value: 'phx_all' })
  expect(issue).toThrow('value: expected an unused value, got "phx_all"')

  end(simulator)

  expect(issue()).toBe('phx_all')
  sandbox.replaceWorld(simulator.world.toJSON())
  expect(sandbox.keys.list()).toEqual(simulator.keys.list())
})

test.each(ends)('the keys of a sandbox that %s can be issued again', (_, end) => {
  const { simulator } = createSandbox()
  const issue = () => simulator.keys.issue({ value: 'phx_own' })
  expect(issue).toThrow('value: expected an unused value, got "phx_own"')

  end(simulator)

  expect(issue()).toBe('phx_own')
})

test.each(ends)('the journal and the history of a sandbox that %s are closed', (_, end) => {
  const closes = [vi.spyOn(Journal.prototype, 'close'), vi.spyOn(ChangeHistory.prototype, 'close')]
  onTestFinished(() => void vi.restoreAllMocks())
  const { simulator } = createSandbox()
  simulator.sandboxes.create()

  end(simulator)
  simulator.sandboxes.delete('sandbox-1')

  expect(closes.map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

test('a sandbox that has expired frees its memory at the next access', async () => {
  const { simulator, sandbox } = createSandbox()
  await sandbox.fetch(annotationsPath)
  const lengths = () => sandbox.journal.find().length

  simulator.clock.advance({ seconds: 10 })
  const before = lengths()
  simulator.sandboxes.endExpired()

  expect([before, lengths()]).toEqual([1, 0])
})

test('generated keys differ from those of the simulator and of other sandboxes', () => {
  const world = createSimulator({ clock: noon }).world.toJSON()
  const [first] = world.keys ?? []
  const create = (values: readonly string[], chosen: Record<string, string> = {}) => {
    const keys = ['phx_first', ...values].map((value) => ({ ...first, value, label: value }))
    const { sandboxes } = createSimulator({ clock: noon, world: { ...world, keys } as never })
    const [one, two] = [sandboxes.create({ keys: chosen }), sandboxes.create()]
    return [one, two].map((sandbox) => sandbox.keys[0]?.value as string)
  }
  const [one = '', two = ''] = create([])

  const besideHost = create([one, two])
  const besideSandbox = create([], { phx_first: two })

  expect(besideHost).not.toContain(one)
  expect(besideHost).not.toContain(two)
  expect(besideSandbox[0]).toBe(two)
  expect(besideSandbox[1]).not.toBe(two)
})
