import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/simulator.ts'
import { addChecksum, isTrusted } from '../../../../src/world/persistence/saved-state.ts'

const world = () => [...createSimulator().world.toTexts()].join('')

test('a world with a checksum is the same JSON, and trusted', () => {
  const text = addChecksum(world())

  expect(JSON.parse(text)).toEqual({ checksum: expect.any(String), ...JSON.parse(world()) })
  expect(isTrusted(text)).toBe(true)
})

test.each([
  ['one changed letter', (text: string) => text.replace('Release 1.0', 'Release 1.1')],
  ['two swapped letters', (text: string) => text.replace('Release', 'Releaes')],
  ['a missing row', (text: string) => text.replace(/,\n\{"id":2,.*?\}(?=,\n)/, '')],
  ['a missing end', (text: string) => text.slice(0, -2)],
  ['a missing checksum', (text: string) => text.replace(/"checksum":"\w+",\n/, '')],
  ['a byte order mark', (text: string) => `\uFEFF${text}`],
])('a text with %s is not trusted', (_, change) => {
  const text = addChecksum(world())
  const changed = change(text)

  expect(changed).not.toBe(text)
  expect(isTrusted(changed)).toBe(false)
})
