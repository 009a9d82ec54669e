import { expect, test } from 'vitest'
import { ByteParts } from '../../../src/utils/json.ts'
import { usedBytes } from '../../support/collect-garbage.ts'

test.each([0, 1, 2, 999, 1_000, 1_001, 2_500])('%i parts become one', (count) => {
  const all = Array.from({ length: count }, (_, index) => Buffer.from(`${index} `))
  const parts = new ByteParts()

  for (const part of all) parts.add(part)

  expect(parts.length).toBe(Buffer.concat(all).length)
  expect(Buffer.from(parts.take())).toEqual(Buffer.concat(all))
  expect(parts.take()).toHaveLength(0)
})

test('parts of one byte take little more memory than one part', async () => {
  const parts = new ByteParts()
  const before = usedBytes()

  for (let count = 0; count < 100_000; count++) parts.add(new Uint8Array(1))

  await expect.poll(usedBytes, { interval: 100 }).toBeLessThan(before + 1_000_000)
  expect(parts.take()).toHaveLength(100_000)
})
