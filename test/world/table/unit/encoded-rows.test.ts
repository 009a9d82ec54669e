import { expect, test } from 'vitest'
import { toJsonText } from '../../../../src/utils/json.ts'
import { EncodedPage, type PagePart } from '../../../../src/utils/json-page.ts'
import { BlockCache, type RowEncoding } from '../../../../src/world/table/encoded-blocks.ts'
import { mergeSorted } from '../../../../src/world/table/merged-list.ts'
import type { SortedRows } from '../../../../src/world/table/ordered-list.ts'
import { createRandom } from '../../../support/random.ts'
import { daily, listOf, type Note, newestFirst, randomNote } from './notes.ts'

function encode(
  list: SortedRows<Note>,
  offset: number,
  limit: number,
  encoding: RowEncoding<Note> = { version: {}, cache: new BlockCache(), serialize: toJsonText },
): EncodedPage<Note> {
  const parts: PagePart[] = []
  list.encode(offset, limit, encoding, parts)
  return new EncodedPage(parts, encoding.cache)
}

test('rows of any characters keep their length in bytes', () => {
  const list = listOf([
    { id: 1, day: 1, text: 'ü𝄞\u2028' },
    { id: 2, day: 2, text: '"\\ \uD800' },
  ])

  const page = encode(list, 0, 2)

  expect(JSON.parse(page.text)).toEqual(list.slice(0, 2))
  expect(page.bytes).toBe(new TextEncoder().encode(page.text).length)
})

test.each([1, 2, 3, 4])(
  'seed %i: lists, forks and merged lists encode what they hold, after any writes',
  (seed) => {
    const random = createRandom(seed)
    let lists = [listOf(daily(400)), listOf([])] as const
    let nextId = 1_000
    const encoding: RowEncoding<Note> = {
      version: {},
      cache: new BlockCache(20_000),
      serialize: toJsonText,
    }

    for (let step = 0; step < 400; step++) {
      const list = random.pick(lists)
      const row = list.at(random.below(list.size + 1))
      const change = random.below(8)
      if (change < 3) list.insert(randomNote(nextId++, random))
      else if (change === 3 && row) list.remove(row)
      else if (change === 4 && row) list.replace(row, { ...row, text: `changed ${step}` })
      else if (change === 5) lists = [lists[0].fork(), lists[1].fork()]
      const merged = mergeSorted(lists, newestFirst)
      const offset = random.below(merged.size + 10)
      const limit = random.pick([0, 1, 10, 100, 1_000])

      const page = encode(merged, offset, limit, encoding)

      expect(JSON.parse(page.text)).toEqual(merged.slice(offset, limit))
    }
  },
)
