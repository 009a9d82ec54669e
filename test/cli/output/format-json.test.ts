import { expect, test } from 'vitest'
import { formatJson } from '../../../src/cli/output.ts'

const row = { id: { $match: 'id' }, content: 'x'.repeat(40), scope: null }

test('an object that fits in 100 columns stays on one line', () => {
  expect(formatJson({ rows: [row, row], empty: {} })).toBe(`{
  "rows": [
    {"id": {"$match": "id"}, "content": "${row.content}", "scope": null},
    {"id": {"$match": "id"}, "content": "${row.content}", "scope": null}
  ],
  "empty": {}
}`)
})

test('the indentation counts as a part of the line', () => {
  const inline = `{"id": {"$match": "id"}, "content": "${row.content}", "scope": null}`

  expect([0, 4, 8].map((spaces) => formatJson(row, ' '.repeat(spaces)) === inline)).toEqual([
    true,
    true,
    false,
  ])
  const lines = formatJson({ rows: Array(9).fill(row) }, '    ').split('\n')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100)
})

test('formatting keeps the value', () => {
  const value = { 'a "b"': ['{,:', { c: 'x'.repeat(120) }], d: [[], {}, -1.5, true] }

  expect(JSON.parse(formatJson(value, '  '))).toEqual(value)
})
