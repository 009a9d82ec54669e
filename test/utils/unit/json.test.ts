import { expect, test } from 'vitest'
import { ByteParts, utf8Length } from '../../../src/utils/json.ts'
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

test.each([
  ['no text', ''],
  ['ASCII', 'a'.repeat(50_000)],
  ['two bytes each', 'é'.repeat(20_000)],
  ['pairs of surrogates', '🦔'.repeat(20_000)],
  ['pairs from the second unit on', `x${'🦔'.repeat(20_000)}`],
  ['halves of pairs', '\ud800'.repeat(20_000)],
])('the length of %s is that of its bytes', (_, text) => {
  expect(utf8Length(text)).toBe(Buffer.byteLength(text))
})
