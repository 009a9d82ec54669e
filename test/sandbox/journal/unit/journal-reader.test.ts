import { expect, test } from 'vitest'
import { JournalReader } from '../../../../src/sandbox/journal/journal-reader.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { annotationsPath } from '../../../support/api/paths.ts'

test('a reader that is created late knows the resets before it, and leaves no listener', async () => {
  const simulator = createSimulator()
  const { sandbox } = simulator
  const listeners = sandbox.events.count('replace')
  simulator.reset()
  simulator.reset()
  await simulator.fetch(annotationsPath)

  const reader = new JournalReader(sandbox, '')

  expect(reader.find().map(({ resets }) => resets)).toEqual([2])
  expect(sandbox.events.count('replace')).toBe(listeners)
})
