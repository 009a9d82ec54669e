import { expect, test } from 'vitest'
import { createSimulator, type Simulator, type WorldJson } from '../../../../src/index.ts'
import { createPageSource } from '../../../../src/integrations/browser/panel/page-source.ts'
import { loadWorld } from '../../../../src/world/load/load-world.ts'

const sourceOf = (simulator: Simulator) =>
  createPageSource(simulator, async (world, settings) => loadWorld(world as WorldJson, settings))

test('a world that the panel loads into a sandbox is checked with the policies of the sandbox', async () => {
  const simulator = createSimulator()
  const policies = { 'annotations.creation_type.values': 'any' } as const
  const { id } = simulator.sandboxes.create({ policies })
  const source = sourceOf(simulator)
  const { annotations = [], ...world } = simulator.world.toJSON()
  const rows = annotations.map((row) => ({ ...row, creation_type: 'CSV' }))
  const imported: WorldJson = { ...world, annotations: rows }

  await source.sandbox(id).world.replace(imported)

  expect(simulator.sandboxes.get(id)?.world.annotations.get(1)?.creation_type).toBe('CSV')
  await expect(source.main.world.replace(imported)).rejects.toThrow('annotations[0].creation_type')
})

test('a sandbox that has ended is an error, not another world', async () => {
  const simulator = createSimulator()
  const { id } = simulator.sandboxes.create()
  const ended: string[] = []
  const sandbox = sourceOf(simulator).sandbox(id)
  await sandbox.journal.follow(() => {}, { onEnd: () => ended.push(id) })

  simulator.sandboxes.delete(id)
  const calls = [sandbox.clock.read(), sandbox.world.find('annotations'), sandbox.journal.find()]

  expect(ended).toEqual([id])
  expect(await Promise.allSettled(calls)).toEqual(
    calls.map(() => ({
      status: 'rejected',
      reason: expect.objectContaining({
        message: 'Sandbox sandbox-1 has ended. Select another world.',
      }),
    })),
  )
})
