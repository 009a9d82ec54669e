import { expect, test } from 'vitest'
import { toLine } from '../../../../src/sandbox/journal/explain-response.ts'
import { KeyRedactor } from '../../../../src/utils/redaction/mask.ts'

test.each([
  ['a'.repeat(300), 'a'.repeat(300)],
  ['a'.repeat(301), `${'a'.repeat(299)}…`],
  ['🦔'.repeat(300), '🦔'.repeat(300)],
  ['🦔'.repeat(301), `${'🦔'.repeat(299)}…`],
  ['a\nb \u001b[1m', String.raw`a\u000ab \u001b[1m`],
  ['no phx_secret here', 'no phx_… here'],
])('the line of a text is short, and has neither keys nor control characters: %#', (text, line) => {
  expect(toLine(text, new KeyRedactor(['phx_secret']))).toBe(line)
})
