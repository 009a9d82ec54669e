import { expect, test } from 'vitest'
import { JsonText } from '../../../../src/utils/json-text.ts'
import { createEntry, RecentTexts } from '../../../../src/world/table/table-indexes.ts'

test('2,048 rows keep their text, and a further one takes the place of the oldest', () => {
  const texts = new RecentTexts()
  const entries = Array.from({ length: 2_049 }, (_, id) => createEntry({ id }, 0))

  for (const entry of entries) {
    texts.keep(entry, { wire: new JsonText(`${entry.row.id}`), shown: texts })
  }

  expect([entries[0], entries[1], entries[2_048]].map((entry) => entry?.serialized)).toEqual([
    null,
    { wire: new JsonText('1'), shown: texts },
    { wire: new JsonText('2048'), shown: texts },
  ])
})

test.each([
  [1_024, true],
  [1_025, false],
])('a row with a text of %i bytes keeps it: %s', (bytes, isKept) => {
  const texts = new RecentTexts()
  const entry = createEntry({ id: 1 }, 0)

  texts.keep(entry, { wire: new JsonText('x'.repeat(bytes)), shown: texts })

  expect(entry.serialized !== null).toBe(isKept)
})
