import { expect, test } from 'vitest'
import { checkJson, rejectConstant } from '../../../../src/utils/python/check-json.ts'
import { parseJson } from '../../../../src/utils/python/parse-json.ts'
import { type WorldTextOptions, WorldTextReader } from '../../../../src/world/load/world-text.ts'

/** Rows of several batches, with what could be taken for the border of a row. */
const rows = Array.from({ length: 500 }, (_, id) => ({
  id,
  'a "name"': `],[ {"no row": 1}, \\ 🦔 ß ${'x'.repeat(200)}`,
  nested: [{ list: [1, 2, { deep: ['"', '\\'] }] }, {}],
}))
const world = { seed: 1, annotations: rows, now: 'now', next_ids: { a: 1, b: 2 }, activity: rows }

function read(text: string, chunkSize = 10_007, options?: WorldTextOptions): unknown {
  const reader = new WorldTextReader(options)
  const bytes = new TextEncoder().encode(text)
  for (let start = 0; start < bytes.length; start += chunkSize) {
    reader.push(bytes.subarray(start, start + chunkSize))
  }
  return reader.end()
}

const compact = JSON.stringify(world)
const list = JSON.stringify(rows)

test.each([
  ['in chunks of any size', compact, 10_007],
  ['in chunks of a few bytes', compact, 13],
  ['in one chunk', compact, 1e9],
  ['with white space', JSON.stringify(world, null, 1).replaceAll('\n', ' \r\n\t'), 65_536],
  [
    'with a byte that looks like the end of a row in each text',
    compact.replaceAll('🦔', '},{'),
    65_536,
  ],
  ['with rows that end in lists', `{"a":[${'[{"b":1},{"b":2}],'.repeat(9_000)}[]]}`, 65_536],
  ['with white space in front of commas', `{"a":[${'{"b":1}\n ,'.repeat(20_000)}{}]}`, 65_536],
  ['with a row of megabytes', `{"a":[{"b":"${'x'.repeat(3e6)}"},${list.slice(1)}}`, 65_536],
  ['with escaped characters in the name of a list', `{"\\u0061\\"\\\\": ${list}}`, 1_000],
  ['with a text of 16 MB in front of a list', `{"b":"${'x'.repeat(1.6e7)}","a":${list}}`, 1e6],
  ['with many escapes in front of a list', `{"b":"${'\\"'.repeat(1e6)}","a":${list}}`, 1e6],
  ['with a name again, escaped', `{"aa":${list},"a\\u0061":[{"id":1}]}`, 1_000],
  ['with many escapes in the name of a list', `{"${'\\"'.repeat(200)}a":${list},"a":[]}`, 1_000],
  ['with the same list twice', `{"a":${list},"b":1,"a":[{"id":1}]}`, 1_000],
  ['with the same long list twice', `{"a":${list},"a":${list}}`, 1_000],
  ['with a name again, without a list', `{"a":${list},"a":null}`, 1_000],
  ['with a list that is no list of the world', `{"world":{"annotations":${list}}}`, 1_000],
  ['that is a list', list, 1_000],
  ['that is a list of lists', `[${list},${list}]`, 1_000],
  ['that is a number', '12', 1],
])('reads a text %s like JSON.parse', (_, text, chunkSize) => {
  expect(read(text, chunkSize)).toEqual(JSON.parse(text))
})

const lines = rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')
const long = `{\n"now": "🦔",\n"annotations": [\n${lines},\n  {"🦔": 1}, `

test.each([
  ['a wrong row', `${long} {"id": }`],
  ['a wrong row in a batch', `${long} {"id": }, ${lines}]}`],
  ['no row between commas', `${long} , ${lines}]}`],
  ['only white space between commas', `${long}${' '.repeat(70_000)}, ${lines}]}`],
  ['a wrong bracket', `${long} {"id": 1], ${lines}]}`],
  ['too many brackets', `${long} 1]}]}, ${lines}]}`],
  ['an error behind the list', `${long} 1], oops`],
  ['an error in front of the list, and one in it', `{"a" 1, ${long.slice(1)} {"id": }, ${lines}]}`],
  ['an escape that JSON does not know in the name of the list', `{"\\x": [${lines}]}`],
  ['an end within a row', `${long} {"id": "`],
  ['no end of the list', `${long} 1`],
  ['rows without line breaks in front', `{"a":${list.slice(0, -1)},\n"b",oops`],
  ['rows on one line', `{"a":${list.slice(0, -1)}, oops`],
  ['a line separator, which ends no line', `{"a":${list.slice(0, -1)},"\u2028\u{10000}" oops`],
])('finds the place of %s in the whole text', (_, text) => {
  const message = messageOf(() => checkJson(text))

  expect(message).toMatch(/line \d+ column \d+ \(char \d+\)$/)
  expect(messageOf(() => read(text))).toBe(message)
})

test('finds the place of a constant, which is no error of a body that may have it', () => {
  const text = `${long} NaN, ${lines}]}`
  const strict = { parse: (json: string) => parseJson(json).value, onConstant: rejectConstant }
  const lenient = { parse: (json: string) => parseJson(json, () => {}).value, onConstant() {} }

  expect(messageOf(() => read(text))).toMatch(
    /^NaN is not a number in JSON: line 504 column 14 \(char \d+\)$/,
  )
  expect(messageOf(() => read(text, 9_000, strict))).toBe(messageOf(() => parseJson(text)))
  expect(read(text, 9_000, lenient)).toEqual(parseJson(text, () => {}).value)
})

test.each([1, 100])('refuses invalid UTF-8 in chunks of %i bytes', (size) => {
  const bytes = Buffer.from('{"a": "\xff🦔"}', 'latin1')
  const reader = new WorldTextReader()
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))

  expect(messageOf(() => reader.end())).toBe('The encoded data was not valid for encoding utf-8')
})

test('reads characters of several bytes, also where chunks end', () => {
  const bytes = Buffer.from('{"a": "Für 🦔"}')
  const reader = new WorldTextReader()
  for (const byte of bytes) reader.push(Uint8Array.of(byte))

  expect(reader.end()).toEqual({ a: 'Für 🦔' })
})

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('expected an error')
}
