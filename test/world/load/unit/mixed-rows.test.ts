import { expect, test } from 'vitest'
import defaultWorld from '../../../../fixtures/default.json' with { type: 'json' }
import { isObject } from '../../../../src/utils/json.ts'
import { finish } from '../../../../src/utils/steps.ts'
import { checkRows } from '../../../../src/world/load/checked-rows.ts'
import { exportWorld } from '../../../../src/world/load/export-world.ts'
import { findWorldIssues, loadWorldInSteps } from '../../../../src/world/load/load-world.ts'
import { createRowParser } from '../../../../src/world/load/mixed-rows.ts'
import { WorldTextReader } from '../../../../src/world/load/world-text.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'
import { annotation, worlds } from '../bad-worlds.table.ts'

/** Gives each row another order of its fields. */
function mixed(row: unknown, number: number): unknown {
  if (!isObject(row)) return row
  const entries = Object.entries(row)
  const sorted = entries.map((entry, index) => [(index * 7 + number * 5) % 11, entry] as const)
  return Object.fromEntries(sorted.sort(([a], [b]) => a - b).map(([, entry]) => entry))
}

/** Rows of several batches, each in an order of its own, in front of the annotations of a world. */
function withMixedRows(world: object): { readonly annotations: readonly unknown[] } {
  const { annotations = [] } = world as { annotations?: readonly object[] }
  const many = Array.from({ length: 900 }, (_, index) => ({
    ...annotation,
    id: 900_000 - index,
    content: `"Für" {${index}}, ${'x'.repeat(200)}`,
  }))
  return { ...world, annotations: [...many, ...annotations].map(mixed) }
}

function read(text: string): WorldJson {
  const reader = new WorldTextReader({ parseRows: createRowParser() })
  reader.push(new TextEncoder().encode(text))
  return reader.end() as WorldJson
}

const compact = JSON.stringify(withMixedRows(defaultWorld))

test.each([
  ['as JSON.stringify writes it', compact],
  ['on many lines', JSON.stringify(withMixedRows(defaultWorld), null, 2)],
  ['with spaces behind commas', compact.replaceAll(',"', ', "').replaceAll('},{', '}, {')],
  ['without ids', compact.replace(/"id":9\d+,|,"id":9\d+(?=\})/g, '')],
  ['with the border of two rows in a text', compact.replaceAll('Für', 'F},{r')],
  ['with a row that lacks a field', compact.replaceAll(/"deleted":false,/g, '')],
  ['with another field', compact.replaceAll('"deleted":false', '"deleted":false,"colour":1')],
  ['with a field twice', compact.replaceAll('"deleted":false', '"deleted":0,"deleted":true')],
  ['with zeros', compact.replaceAll('"deleted":false', '"deleted":0')],
  ['with nested rows', compact.replaceAll('"deleted":false', `"deleted":[{"a":1},{"b":2}]`)],
  ['with empty rows', compact.replaceAll('},{', '},{},{')],
  ['with rows that are no objects', compact.replaceAll('},{', '},5,{')],
  ['with a number in front of them', compact.replace('"annotations":[', '"annotations":[5,')],
  ['with lists in place of rows', compact.replaceAll('},{', '},[{},{}],{')],
])('rows with their fields in other orders are read %s', (_, text) => {
  expect(read(text)).toEqual(JSON.parse(text))
})

test.each([
  ['a number in front', (rows: string) => `[5,${rows.slice(1)}`],
  ['a list in front', (rows: string) => `[[{}],${rows.slice(1)}`],
  ['spaces in front', (rows: string) => `[ \n ${rows.slice(1)}`],
])('a batch with %s is read behind one of rows in other orders', (_, change) => {
  const parseRows = createRowParser()
  const rows = JSON.stringify(withMixedRows({}).annotations)
  parseRows('annotations', rows, JSON.parse)

  const parsed = parseRows('annotations', change(rows), JSON.parse)

  expect(parsed).toEqual(JSON.parse(change(rows)))
})

test('rows with their fields in other orders get one order', () => {
  const { annotations = [] } = read(compact)

  const [first, ...others] = annotations.slice(600, 800).map((each) => Object.keys(each).join())

  expect(new Set(others)).toEqual(new Set([first]))
})

const objects = worlds.filter(([, world]) => Array.isArray(Object(world).annotations ?? []))

test.each(objects)('rows in other orders of a world with %s have its issues', (_, world) => {
  const json = withMixedRows(world as object)

  const issues = findWorldIssues(read(JSON.stringify(json)))

  expect(issues).toEqual(findWorldIssues(JSON.parse(JSON.stringify(json))))
})

test('rows in other orders become the rows of the same world', () => {
  const json = withMixedRows({ ...defaultWorld, next_ids: {} })
  const reader = new WorldTextReader({ checkRows, parseRows: createRowParser() })
  reader.push(new TextEncoder().encode(JSON.stringify(json)))

  const loaded = finish(loadWorldInSteps(reader.end() as WorldJson))

  const { annotations = [] } = exportWorld(loaded)
  expect(annotations).toEqual(
    [...(json.annotations as { id: number }[])].sort((a, b) => a.id - b.id),
  )
})
