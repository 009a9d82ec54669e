import { expect, test } from 'vitest'
import { utf8Length } from '../../../src/utils/json.ts'

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
