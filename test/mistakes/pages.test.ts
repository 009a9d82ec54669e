import { expect, test } from 'vitest'
import { mistakesIn, otherClient, page, type Sent } from './entries.ts'

const first: Sent = page([1, 2], { next: '?limit=2&offset=2' })
const second: Sent = {
  query: { limit: '2', offset: '2' },
  ...page([3, 4], { next: '?limit=2&offset=4', previous: '?limit=2' }),
}
const all: Sent = page([1, 2, 3])
const limited: Sent = { query: { limit: '2' }, ...page([1, 2], { next: '?limit=2&offset=2' }) }
const search: Sent = { query: { search: 'a' }, ...page([1], { next: '?search=a&offset=1' }) }
const searchedAll: Sent = { query: { search: 'a' }, ...page([1]) }
const computed = (offset: number | string): Sent => ({
  query: { offset: String(offset) },
  ...page([5], { previous: '?limit=1' }),
})
const repeating: Sent = { ...computed(1), ...page([2, 3], { previous: '?limit=1' }) }
const deletion: Sent = {
  method: 'PATCH',
  operation: 'updateAnnotation',
  changes: [{ list: 'annotations', id: 1, kind: 'changed', fields: { deleted: [false, true] } }],
}
const otherList = { path: '/api/projects/2/annotations/' }

const unread: readonly [what: string, requests: readonly Sent[], entries: readonly number[]][] = [
  ['the first page', [first], [1]],
  ['the first page twice', [first, first], [1]],
  ['the first page and then all that a search finds', [first, searchedAll], [1]],
  ['a search and then the first page', [search, first], [2]],
  ['the first page, and another list', [first, { ...second, ...otherList }], [1]],
  ['the first page, and another client the second', [first, { ...second, ...otherClient }], [1]],
  ['two of more pages', [first, second], [1]],
  ['the first page and then the last one', [first, computed(4)], []],
  ['all rows, and then the first page of a list that has grown', [all, first], [2]],
  ['all pages, and then the first one again', [first, computed(4), first], []],
  ['a limited page', [limited], []],
  ['what a fault sends as rows', [{ body: { ...Object(first.body), results: [1, 2] } }], []],
  ['what a fault sends as a count', [{ body: { ...Object(first.body), count: '2' } }], []],
]

const large = (limit: string): Sent => ({ ...first, query: { limit } })
/** The first page, more often than requests are kept, after the end of the list. */
const polled: readonly Sent[] = [first, computed(4), ...Array.from({ length: 1_000 }, () => first)]

const limited50: typeof unread = [
  ['with a limit of 49', [large('49')], []],
  ['with a limit of 50', [large('50')], [1]],
  ['with a limit of 50, and a later one', [large('50'), second], []],
  ['with a limit of 50, and the last one', [large('50'), computed(4)], []],
  ['with a limit of 50, and all rows', [large('50'), all], []],
  ['with a limit of 50 twice', [large('50'), large('50')], [1]],
  ['with a limit and an offset', [{ ...first, query: { limit: '50', offset: '0' } }], []],
  ['for longer than its end is kept', polled, []],
]

test.each([
  ...unread.map((row) => [...row, 'the last page'] as const),
  ...limited50.map((row) => [`the first page ${row[0]}`, row[1], row[2], 'a later one'] as const),
])('a client that reads %s', (_, requests, entries, rest) => {
  const message = `The list has more rows than this page, and the client has not read ${rest}.`

  expect(mistakesIn('unread-pages', requests)).toEqual(
    entries.map((entry) => ({ message, entries: [entry] })),
  )
})

const arithmetic: readonly [what: string, requests: readonly Sent[], shown: string[]][] = [
  ['an offset that no link has', [first, computed(3)], ['?offset=3', '?limit=2&offset=2']],
  ['an offset of 1', [first, repeating], ['?offset=1', '?limit=2&offset=2']],
  [
    'an offset of 1 with rows that only an earlier walk had',
    [
      first,
      second,
      page([7, 8], { next: '?offset=2' }),
      { ...repeating, ...page([3], { previous: '?' }) },
    ],
    [],
  ],
  ['an offset before that of the page before', [first, second, repeating], []],
  ['an offset whose rows are new, since others deleted some', [first, computed(1)], []],
  ['an offset that counts its own deletion', [first, deletion, repeating], []],
  [
    'an offset after the deletion of another client',
    [first, { ...deletion, ...otherClient }, repeating],
    ['?offset=1', '?limit=2&offset=2'],
  ],
  [
    'an offset after the last page',
    [first, second, all, computed(7)],
    ['?offset=7', '?limit=2&offset=4'],
  ],
  [
    'an own limit that was lowered',
    [
      { ...first, query: { limit: '9' }, ignored: ['?limit above 2'] },
      { ...computed(9), query: { limit: '9', offset: '9' } },
    ],
    ['?limit=9&offset=9', '?limit=2&offset=2'],
  ],
  [
    'an offset of which another client has a link',
    [{ ...first, ...otherClient }, first, { ...second, ...otherClient }, computed(4)],
    ['?offset=4', '?limit=2&offset=2'],
  ],
  ['an offset in a search', [first, { ...computed(4), query: { offset: '4', search: 'a' } }], []],
  ['an own limit', [first, { ...computed(8), query: { limit: '2', offset: '8' } }], []],
  [
    'the offset of previous',
    [first, { ...computed(1), ...page([1], { previous: '?offset=7' }) }, computed(7)],
    ['?offset=1', '?limit=2&offset=2'],
  ],
  [
    'the offset behind the last row',
    [first, { ...computed(2), ...page([3]) }, { query: { offset: '3' }, ...page([]) }],
    [],
  ],
  ['an offset of another client', [first, { ...computed(3), ...otherClient }], []],
]

test.each(arithmetic)('page arithmetic with %s', (_, requests, [offset, next]) => {
  const message = `The client computed ${offset}, and \`next\` was ${next}.`

  const mistakes = ['repeated-row', 'skipped-row'].flatMap((rule) => mistakesIn(rule, requests))

  expect(mistakes.map((mistake) => mistake.message)).toEqual(offset ? [message] : [])
})

test('page arithmetic shows the latest page with a next page, and the computed one', () => {
  const mistakes = mistakesIn('skipped-row', [first, second, all, computed(7), computed(9)])

  expect(mistakes).toEqual([
    { message: expect.stringContaining('computed ?offset=7,'), entries: [2, 4, 5] },
  ])
})
