import { expect, test } from 'vitest'
import { parseSize } from '../../src/cli/flag-values.ts'
import { createSimulator, type Simulator } from '../../src/index.ts'

test.each([
  ['512MiB', 536_870_912],
  ['1GiB', 1_073_741_824],
  ['64kB', 64_000],
])('a size of %s is %i bytes', (text, bytes) => {
  expect(parseSize(text, '--memory')).toBe(bytes)
})

test.each(['', '64', '0MiB', '-1MiB', '1.5GiB', '1TiB', '1 MiB'])('%j is no size', (text) => {
  expect(() => parseSize(text, '--memory')).toThrow(
    `Failed to read --memory: expected a size such as 512MiB or 1GiB, got "${text}"`,
  )
})

test.each([-1, 1.5, Number.NaN, '64MiB'])('%j is no memory of a simulator', (memory) => {
  expect(() => createSimulator({ memory: memory as number })).toThrow(
    'Failed to create a simulator: expected memory to be a whole number of bytes, 0 or greater',
  )
})

test('sandboxes and forks of a simulator share its memory, and another world does, too', () => {
  const simulator = createSimulator({ memory: 1_000_000 })
  const { id } = simulator.sandboxes.create()
  const sandbox = simulator.sandboxes.get(id) as Simulator

  simulator.replaceWorld('empty')

  const caches = [simulator, sandbox, simulator.fork()].map(({ sandbox: { cache } }) => cache)
  expect(new Set(caches).size).toBe(1)
  expect(caches[0]?.limit).toBe(1_000_000)
})
