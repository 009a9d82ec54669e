import { expect, test } from 'vitest'
import defaultWorld from '../../../../fixtures/default.json' with { type: 'json' }
import odd from '../../../../fixtures/odd.json' with { type: 'json' }
import { entities } from '../../../../src/world/entities/entities.ts'
import { createRowTest } from '../../../../src/world/schema/row-issues.ts'
import { rowSchemas } from '../../../../src/world/schema/world-schema.ts'
import { worldLists } from '../../../../src/world/tables.ts'

const values = [
  ...[undefined, null, true, 0, 1, 1.5, -1, 9e15, 9e15 + 2, Number.NaN, Infinity, [], {}],
  ...['', 'text', 'USR', 'inline', 'project', 'x'.repeat(401), '🦔'.repeat(400), '\ud800'],
  ...['2024-06-01T09:00:00Z', '2024-06-01', '2024-02-30', '0001-01-01T00:00:00+01:00', '2024'],
  ...[[1], ['*'], ['annotation:read'], ['nope'], [null], { a: [] }, { a: Number.NaN }, 'a@b', '*'],
  ...[{}, { plugin_json: [] }, { other: 1 }].map((part) => [
    { tag: '1', plugin_json: {}, source: {}, ...part },
  ]),
  ...['01890a5d-ac96-774b-bcce-b302099a8057', '01890A5D-AC96-774B-BCCE-B302099A8057'],
]

test.each(worldLists)('the schema of %s accepts each row that passes the test of rows', (list) => {
  const [row] = odd[list] as object[]
  const fields = [...Object.keys(entities[list].fields), 'unknown', '__proto__']
  const changed = fields.flatMap((name) => values.map((value) => ({ ...row, [name]: value })))

  const isValid = createRowTest(list, undefined)
  const wrong = changed.filter(
    (each) => isValid(each) && !rowSchemas()[list].safeParse(each).success,
  )

  expect(wrong).toEqual([])
})

test.each(worldLists)('%s of a usual world pass the test of rows', (list) => {
  const isValid = createRowTest(list, undefined)
  expect(defaultWorld[list].filter((row) => !isValid(row))).toEqual([])
})
