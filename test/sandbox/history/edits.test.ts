import { expect, test } from 'vitest'
import type { Simulator } from '../../../src/simulator.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

/** What a recording shows of each step: the method of a request, or the change itself. */
function recordedSteps(simulator: Simulator | undefined): unknown[] {
  const { steps = [] } = simulator?.record().scenario ?? {}
  return steps.map((step) => ('method' in step ? step.method : step))
}

test('a recording tells apart two snapshots that only a request separates', async () => {
  const { ask, simulator } = await start()
  await ask('GET', annotationsPath)
  const first = simulator.snapshot()
  await ask('POST', annotationsPath, { body: { content: 'New' } })
  const second = simulator.snapshot()

  simulator.restore(first)
  await ask('GET', annotationsPath)
  simulator.restore(second)
  await ask('GET', annotationsPath)

  expect(recordedSteps(simulator)).toEqual([
    'GET',
    { snapshot: 'state-1' },
    'POST',
    { snapshot: 'state-2' },
    { restore: 'state-1' },
    'GET',
    { restore: 'state-2' },
    'GET',
  ])
})

test('a recording of a sandbox starts after its keys were generated', async () => {
  const { ask, simulator } = await start()
  const { id, keys } = simulator.sandboxes.create()
  const sandbox = simulator.sandboxes.get(id)
  const key = keys[0]?.value as string

  await ask('POST', annotationsPath, { key, body: {} })
  sandbox?.reset()
  await ask('GET', annotationsPath, { key })

  expect(recordedSteps(sandbox)).toEqual(['POST', { reset: true }, 'GET'])
})
