import { expect, test } from 'vitest'
import { toJsonText } from '../../../../src/utils/json.ts'
import { EncodedPage, type PagePart } from '../../../../src/utils/json-page.ts'
import { BlockCache, type RowEncoding } from '../../../../src/world/table/encoded-blocks.ts'
import { mergeSorted } from '../../../../src/world/table/merged-list.ts'
import type { SortedRows } from '../../../../src/world/table/ordered-list.ts'
import { createRandom } from '../../../support/random.ts'
import { daily, listOf, type Note, newestFirst, randomNote } from './notes.ts'

function countingEncoding(limit?: number): RowEncoding<Note> & { readonly count: () => number } {
  let count = 0
  return {
    version: {},
    cache: new BlockCache(limit),
    serialize(note) {
      count += 1
      return toJsonText(note)
    },
    count: () => count,
  }
}

function encode(
  list: SortedRows<Note>,
  offset: number,
  limit: number,
  encoding: RowEncoding<Note> = countingEncoding(),
): { readonly page: EncodedPage<Note>; readonly parts: number } {
  const parts: PagePart[] = []
  list.encode(offset, limit, encoding, parts)
  return { page: new EncodedPage(parts, encoding.cache), parts: parts.length }
}

test('a page is the JSON of its rows, and pages that overlap share blocks', () => {
  const list = listOf(daily(5_000))
  const encoding = countingEncoding()

  const first = encode(list, 1_000, 100, encoding)
  const encodedCount = encoding.count()
  const second = encode(list, 1_010, 50, encoding)

  expect(JSON.parse(first.page.text)).toEqual(list.slice(1_000, 100))
  expect(JSON.parse(second.page.text)).toEqual(list.slice(1_010, 50))
  expect(first.page.bytes).toBe(new TextEncoder().encode(first.page.text).length)
  expect(first.parts).toBeLessThanOrEqual(3)
  expect(encodedCount).toBeLessThanOrEqual(3 * 64)
  expect(encoding.count()).toBe(encodedCount)
})

test('after the cache was full, a page encodes no other rows, and a block is kept when it is read again', () => {
  const list = listOf(daily(5_000))
  const bytesOfBlock = encode(list, 0, 64).page.bytes
  const encoding = countingEncoding(5 * bytesOfBlock)
  for (let block = 20; block < 26; block++) encode(list, block * 64, 64, encoding)
  const countOf = () => {
    const before = encoding.count()
    const { page } = encode(list, 10, 50, encoding)
    expect(JSON.parse(page.text)).toEqual(list.slice(10, 50))
    return encoding.count() - before
  }

  expect([countOf(), countOf(), countOf()]).toEqual([50, 64, 0])
})

test('a full cache starts again', () => {
  const list = listOf(daily(16 * 64))
  const limit = 10 * encode(list, 0, 64).page.bytes
  const encoding = countingEncoding()
  encode(list, 0, 16 * 64, encoding)
  for (let row = 0; row < 16 * 64; row += 64) {
    list.replace(list.at(row) as Note, { ...(list.at(row) as Note) })
  }
  encoding.cache.limit = limit
  const countOf = (block: number) => {
    const before = encoding.count()
    encode(list, block * 64, 64, encoding)
    return encoding.count() - before
  }
  for (let block = 0; block < 9; block++) countOf(block)
  expect([countOf(0), countOf(8)]).toEqual([0, 0])

  for (let block = 9; block < 12; block++) countOf(block)
  expect([countOf(0), countOf(8), countOf(10)]).toEqual([64, 64, 0])
})

test('a page keeps the bytes of rows that no write changed, also for other pages', () => {
  const list = listOf(daily(16 * 64))
  const encoding = countingEncoding(10 * encode(list, 0, 64).page.bytes)
  const { page } = encode(list, 0, 8 * 64, encoding)
  encode(list, 8 * 64, 8 * 64, encoding)
  const before = encoding.count()

  const again = encode(list, 0, 8 * 64, encoding)

  expect(encoding.count() - before).toBe(0)
  expect(again.page.text).toBe(page.text)
})

test('rows that are written again and again do not fill the cache', () => {
  const list = listOf(daily(8 * 64))
  const encoding = countingEncoding(10 * encode(list, 0, 64).page.bytes)
  const readAll = () => encode(list, 0, 8 * 64, encoding)

  for (let write = 0; write < 20; write++) {
    list.replace(list.at(100) as Note, { ...(list.at(100) as Note), text: `${write}` })
    readAll()
  }

  expect(encoding.count()).toBe(8 * 64 + 19 * 64)
})

test('chunks that are split leave nothing in the cache', () => {
  const list = listOf(daily(1_000))
  const encoding = countingEncoding(1.8 * encode(list, 0, 1_000).page.bytes)
  const countOfAll = () => {
    const before = encoding.count()
    encode(list, 0, 2_000, encoding)
    return encoding.count() - before
  }
  countOfAll()

  // The first chunk, of 512 rows, gets more than 1,024.
  for (const note of daily(1_600).slice(1_000)) list.insert(note)

  expect([countOfAll(), countOfAll()]).toEqual([1_112, 0])
})

test('rows of an earlier version leave nothing in the cache', () => {
  const list = listOf(daily(1_000))
  const first = countingEncoding(1.5 * encode(list, 0, 1_000).page.bytes)
  encode(list, 0, 1_000, first)
  const second = { ...first, version: {} }
  encode(list, 0, 1_000, second)
  const encodedCount = first.count()

  encode(list, 0, 1_000, second)

  expect(first.count()).toBe(encodedCount)
})

test('the bytes of a page are freed when it is sent, and its text does not change', () => {
  const list = listOf(daily(100))
  // The first block fills the cache.
  const encoding = countingEncoding(1)
  encode(list, 64, 36, encoding)
  const { page } = encode(list, 0, 50, encoding)
  const text = page.text
  list.replace(list.at(10) as Note, { ...(list.at(10) as Note), text: 'changed' })

  expect(page.text).toBe(text)
  expect(encoding.count()).toBe(36 + 2 * 50)
})

test('a page beyond the end is an empty list', () => {
  const { page } = encode(listOf(daily(3)), 9, 9)

  expect([page.text, page.bytes]).toEqual(['[]', 2])
})

test('a page from before a cache was full is sent again with the same bytes', () => {
  const list = listOf(daily(128))
  const encoding = countingEncoding(1.5 * encode(list, 0, 64).page.bytes)
  const { page } = encode(list, 0, 64, encoding)
  const text = page.text
  encode(list, 64, 64, encoding)
  list.replace(list.at(10) as Note, { ...(list.at(10) as Note), text: 'changed' })

  expect(page.text).toBe(text)
})

test('a write makes one block be encoded again, and a page from before it does not change', () => {
  const list = listOf(daily(5_000))
  const encoding = countingEncoding()
  encode(list, 0, 512, encoding)
  const before = encode(list, 0, 512, encoding)
  const textBefore = before.page.text
  const countBefore = encoding.count()

  list.replace(list.at(100) as Note, { ...(list.at(100) as Note), text: 'changed' })
  const after = encode(list, 0, 512, encoding)

  expect(JSON.parse(after.page.text)).toEqual(list.slice(0, 512))
  expect(encoding.count() - countBefore).toBe(64)
  expect(before.page.text).toBe(textBefore)
})

test('another version encodes all rows again', () => {
  const list = listOf(daily(100))
  encode(list, 0, 100)

  const shouting = {
    version: {},
    cache: new BlockCache(),
    serialize: ({ id }: Note) => toJsonText(`${id}!`),
  }

  expect(encode(list, 0, 2, shouting).page.text).toBe('["100!","99!"]')
})

test('rows of any characters keep their length in bytes', () => {
  const list = listOf([
    { id: 1, day: 1, text: 'ü𝄞\u2028' },
    { id: 2, day: 2, text: '"\\ \uD800' },
  ])

  const { page } = encode(list, 0, 2)

  expect(JSON.parse(page.text)).toEqual(list.slice(0, 2))
  expect(page.bytes).toBe(new TextEncoder().encode(page.text).length)
})

test('a merged page has a part for each run of rows of one list', () => {
  const own = listOf(daily(1_000).filter(({ id }) => id % 100 !== 0))
  const shared = listOf(daily(1_000).filter(({ id }) => id % 100 === 0))
  const merged = mergeSorted([own, shared], newestFirst)

  const { page, parts } = encode(merged, 50, 100)

  expect(JSON.parse(page.text)).toEqual(merged.slice(50, 100))
  expect(parts).toBeLessThanOrEqual(6)
})

test.each([1, 2, 3, 4])(
  'seed %i: lists, forks and merged lists encode what they hold, after any writes',
  (seed) => {
    const random = createRandom(seed)
    let lists = [listOf(daily(400)), listOf([])] as const
    let nextId = 1_000
    const encoding = countingEncoding()

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

      const { page } = encode(merged, offset, limit, encoding)

      expect(JSON.parse(page.text)).toEqual(merged.slice(offset, limit))
    }
  },
)
