import { expect, test } from 'vitest'
import { JsonText } from '../../../../src/utils/json.ts'
import { createEntry, type TableEntry } from '../../../../src/world/table/table.ts'
import { RecentTexts } from '../../../../src/world/table/tables.ts'

const shown = {}

function send(texts: RecentTexts, entry: TableEntry<{ id: number }>): void {
  if (entry.serialized?.shown === shown) return
  texts.keep(entry, { wire: new JsonText(`${entry.row.id}`), shown })
}

test('a row keeps its text when it is sent for the second time', () => {
  const texts = new RecentTexts()
  const entry = createEntry({ id: 1 }, 0)

  send(texts, entry)
  const first = entry.serialized?.shown
  send(texts, entry)

  expect(first).not.toBe(shown)
  expect(entry.serialized).toEqual({ wire: new JsonText('1'), shown })
})

test('2,048 rows keep their text, and a further one takes the place of the oldest', () => {
  const texts = new RecentTexts()
  const entries = Array.from({ length: 2_049 }, (_, id) => createEntry({ id }, 0))

  for (const entry of entries) for (let time = 0; time < 2; time++) send(texts, entry)

  expect([entries[0], entries[1], entries[2_048]].map((entry) => entry?.serialized)).toEqual([
    null,
    { wire: new JsonText('1'), shown },
    { wire: new JsonText('2048'), shown },
  ])
})

test('a row that is sent again after 2,048 others was not kept', () => {
  const texts = new RecentTexts()
  const entries = Array.from({ length: 2_049 }, (_, id) => createEntry({ id }, 0))

  for (const entry of entries) send(texts, entry)
  send(texts, entries[0] as TableEntry<{ id: number }>)

  expect(entries[0]?.serialized?.shown).not.toBe(shown)
})

test.each([
  [1_024, true],
  [1_025, false],
])('a row with a text of %i bytes keeps it: %s', (bytes, isKept) => {
  const texts = new RecentTexts()
  const entry = createEntry({ id: 1 }, 0)

  const serialized = { wire: new JsonText('x'.repeat(bytes)), shown: texts }
  texts.keep(entry, serialized)
  texts.keep(entry, serialized)

  expect(entry.serialized === serialized).toBe(isKept)
})
