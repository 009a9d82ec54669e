import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/simulator.ts'
import {
  addChecksum,
  hasValidChecksum,
  isTrusted,
} from '../../../../src/world/persistence/saved-state.ts'
import { addTabWrites } from '../../../../src/world/persistence/tab-writes.ts'

const world = () => [...createSimulator().world.toTexts()].join('')

test('a sealed world is the same JSON, and known as it is, also where tabs share it', () => {
  const sealed = addChecksum(world())

  expect(JSON.parse(sealed)).toEqual({ seal: expect.any(String), ...JSON.parse(world()) })
  expect([
    hasValidChecksum(sealed),
    isTrusted(sealed),
    isTrusted(addTabWrites(sealed, { a1: 7 })),
  ]).toEqual([true, true, true])
})

test.each([
  ['one letter', (text: string) => text.replace('Release 1.0', 'Release 1.1')],
  ['two letters that change places', (text: string) => text.replace('Release', 'Releaes')],
  ['a row that is gone', (text: string) => text.replace(/,\n\{"id":2,.*?\}(?=,\n)/, '')],
  ['an end that is cut off', (text: string) => text.slice(0, -2)],
  ['a seal that is gone', (text: string) => text.replace(/"seal":"\w+",\n/, '')],
  ['a mark before it', (text: string) => `\uFEFF${text}`],
])('a seal no longer holds with %s', (_, change) => {
  const sealed = addChecksum(world())
  const changed = change(sealed)

  expect(changed).not.toBe(sealed)
  expect(isTrusted(changed)).toBe(false)
})
