import { expect, test } from 'vitest'
import { toJsonText } from '../../../src/utils/json.ts'
import { EncodedPage, JsonPage, Slice } from '../../../src/utils/json-page.ts'
import { BlockCache, encodedPart } from '../../../src/world/table/encoded-blocks.ts'

const rows = [{ content: 'Launch' }, { content: 'Größe ✓' }, { content: '' }]
const texts = rows.map(toJsonText)
const list = JSON.stringify(rows)

function encodedRows(limit?: number): EncodedPage<unknown> {
  const parts = [texts.slice(0, 2), texts.slice(2)].map((rows) => encodedPart(rows, (row) => row))
  return new EncodedPage(parts, new BlockCache(limit))
}

test.each<[what: string, slice: Slice<unknown>]>([
  ['texts', new Slice(texts, 3)],
  ['encoded rows', new Slice(encodedRows(), 3)],
])(
  'a page of %s has the same bytes whenever it is sent, and as one part from the second time',
  (_, slice) => {
    const page = new JsonPage('{"count":3,"results":', slice)

    const sent = [page.chunks(), page.chunks(), [page.join()]]

    const text = `{"count":3,"results":${list}}`
    expect(sent.slice(1).map((chunks) => chunks.length)).toEqual([1, 1])
    expect(
      sent.map((chunks) => Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString()),
    ).toEqual([text, text, text])
    expect(page.text).toBe(text)
    expect(page.bytes).toBe(Buffer.byteLength(text))
    expect(page.chunks()[0]).toBe(sent[1]?.[0])
    expect(page.join()).not.toBe(sent[1]?.[0])
  },
)

test('a page that was sent again is one part of the cache until that is full', () => {
  const rows = encodedRows(150)
  const page = new JsonPage('{"count":3,"results":', new Slice(rows, 3))
  page.chunks()
  const [cached] = page.chunks()

  const [again] = page.chunks()
  rows.cache.add({}, 100)
  const [afterwards] = page.chunks()

  expect(again).toBe(cached)
  expect(afterwards).not.toBe(cached)
  expect(afterwards).toEqual(cached)
})
