import { expect, test, vi } from 'vitest'
import { offerFixture } from '../../../../src/sandbox/sandboxes/offer-fixture.ts'
import { createSimulator } from '../../../../src/simulator.ts'

test('only the name of a fixture that is not loaded yet loads a fixture', async () => {
  const { sandboxes, snapshots } = createSimulator()
  const { id } = sandboxes.create()
  snapshots.save('crowded')
  const addFixture = vi.spyOn(sandboxes, 'addFixture')

  for (const world of [undefined, { annotations: [] }, id, 'crowded', 'unknown'])
    await offerFixture(sandboxes, world)
  expect(addFixture).not.toHaveBeenCalled()

  await offerFixture(sandboxes, 'odd')
  await offerFixture(sandboxes, 'odd')
  expect(addFixture.mock.calls.map(([name]) => name)).toEqual(['odd'])
})
