import { expect, test } from 'vitest'
import { toJsonText } from '../../../src/utils/json.ts'
import { EncodedPage, EncodedRows, JsonPage, Slice } from '../../../src/utils/json-page.ts'

const rows = [{ content: 'Launch' }, { content: 'Größe ✓' }, { content: '' }]
const texts = rows.map(toJsonText)
const list = JSON.stringify(rows)

function encodedRows(): EncodedPage<unknown> {
  const encoded = new EncodedRows(texts)
  return new EncodedPage(3, [encoded.slice(0, 2), encoded.slice(2, 3)])
}

test.each([
  ['texts', () => new Slice(texts, 3)],
  ['encoded rows', () => new Slice(encodedRows(), 3)],
])(
  'a page of %s has the same bytes whenever it is sent, and as one part from the second time',
  (_, slice) => {
    const page = new JsonPage('{"count":3,"results":', slice(), '}')

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

test('a buffer that two parts share counts once as memory', () => {
  expect(encodedRows().memory).toBe(new EncodedRows(texts).slice(0, 3).buffer.byteLength)
})
