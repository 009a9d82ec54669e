import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatJson } from '../../../src/utils/format-json.ts'

const row = { id: { $match: 'id' }, content: 'x'.repeat(30), scope: null }
const inline = `{ "id": { "$match": "id" }, "content": "${row.content}", "scope": null }`

test('an object that fits in 100 columns stays on one line', () => {
  expect(formatJson({ rows: [row, row], empty: {}, not: undefined })).toBe(`{
  "rows": [
    ${inline},
    ${inline}
  ],
  "empty": {}
}`)
})

test('the indentation counts as a part of the line', () => {
  const widest = 99 - inline.length
  const indents = [0, widest, widest + 1].map((spaces) => ' '.repeat(spaces))

  expect(indents.map((indent) => formatJson(row, indent) === inline)).toEqual([true, true, false])
  const lines = formatJson({ rows: Array(9).fill(row) }, '    ').split('\n')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100)
})

test('the members of a long object share lines, except those of the document', () => {
  const long = { a: 'a'.repeat(50), b: 'b'.repeat(50), list: [1, 2], c: 3 }

  expect(formatJson({ title: 'Long', steps: [long, { row: long, save: {} }] })).toBe(`{
  "title": "Long",
  "steps": [
    {
      "a": "${long.a}",
      "b": "${long.b}", "list": [1, 2], "c": 3
    },
    {
      "row": {
        "a": "${long.a}",
        "b": "${long.b}", "list": [1, 2], "c": 3
      },
      "save": {}
    }
  ]
}`)
})

test('each row of a world is one line, however long', () => {
  const long = { id: 1, content: 'x'.repeat(120) }

  expect(
    formatJson({ title: 'A world', world: { seed: 1, keys: [], annotations: [long, long] } }),
  ).toBe(`{
  "title": "A world",
  "world": {
    "seed": 1,
    "keys": [],
    "annotations": [
      { "id": 1, "content": "${long.content}" },
      { "id": 1, "content": "${long.content}" }
    ]
  }
}`)
})

test('lists in lists take no more than linear time', () => {
  let value: unknown = 'x'.repeat(120)
  for (let depth = 0; depth < 60; depth++) value = depth % 2 ? { value } : [value]

  expect(JSON.parse(formatJson(value, '    '))).toEqual(value)
})

test('the text means the same value, whatever the names of its members', () => {
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.string({ maxLength: 60 }),
      fc.integer(),
      fc.constantFrom(null, true),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('world', 'steps', 'id', '$match', 'a "b"'), tie('json')),
    ),
  }))

  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(formatJson(value))).toEqual(value)
    }),
    { seed: 1, numRuns: 2_000 },
  )
})
