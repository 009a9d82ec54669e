import { expect, test } from 'vitest'
import { mistakesIn, otherClient, page, type Sent } from './entries.ts'
import { numbers } from './rules.table.ts'

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
const otherList = { path: '/api/projects/2/annotations/' }

const unread: readonly [what: string, requests: readonly Sent[], entries: readonly number[]][] = [
  ['the first page', [first], [1]],
  ['the first page twice', [first, first], [1]],
  ['the first page and then a limited one', [first, limited], [1]],
  ['the first page and then all that a search finds', [first, searchedAll], [1]],
  ['a search and then the first page', [search, first], [2]],
  ['the first page, and another list', [first, { ...second, ...otherList }], [1]],
  ['the first page, and another client the second', [first, { ...second, ...otherClient }], [1]],
  ['the first page, and then nothing', [first, { ...second, status: 0 }], [1]],
  ['two pages', [first, second], []],
  ['two pages and then the first one', [first, second, first], []],
  ['the second page and then the first one', [second, first], []],
  ['the first page and then the last one', [first, computed(4)], []],
  ['the first page and then all rows', [first, all], []],
  ['the first page, all rows, and the first page', [first, all, first], []],
  ['a limited page', [limited], []],
  ['a search', [search], []],
  ['all rows', [all], []],
]

test.each(unread)('a client that reads %s: unread pages in %j', (_, requests, entries) => {
  const message = 'The list has more rows than this page, and the client read no other page.'

  expect(mistakesIn('unread-pages', requests)).toEqual(
    entries.map((entry) => ({ message, entries: [entry] })),
  )
})

const arithmetic: readonly [what: string, requests: readonly Sent[], shown: string[]][] = [
  ['an offset that no link has', [first, computed(3)], ['?offset=3', '?limit=2&offset=2']],
  ['an offset of 1', [first, computed(1)], ['?offset=1', '?limit=2&offset=2']],
  [
    'an offset after the last page',
    [first, second, all, computed(3)],
    ['?offset=3', '?limit=2&offset=4'],
  ],
  [
    'an offset of which another client has a link',
    [
      { ...first, ...otherClient },
      first,
      { ...second, ...otherClient },
      { ...computed(4), query: { limit: '2', offset: '4' } },
    ],
    ['?limit=2&offset=4', '?limit=2&offset=2'],
  ],
  ['an offset of 0', [first, computed(0)], []],
  ['an offset that is no number', [first, computed('x')], []],
  ['the offset of next', [first, second], []],
  [
    'the offset of previous',
    [first, { ...computed(1), ...page([1], { previous: '?offset=7' }) }, computed(7)],
    ['?offset=1', '?limit=2&offset=2'],
  ],
  ['an offset in another list', [first, { ...computed(3), ...otherList }], []],
  ['an offset of another client', [first, { ...computed(3), ...otherClient }], []],
  ['an offset without an earlier page', [computed(3)], []],
  ['an offset after all rows', [all, computed(3)], []],
]

test.each(arithmetic)('page arithmetic with %s', (_, requests, [offset, next]) => {
  const message = `The client computed ${offset}, and \`next\` was ${next}.`

  const found = mistakesIn('page-arithmetic', requests)

  expect(found.map((mistake) => mistake.message)).toEqual(offset ? [message] : [])
})

test('page arithmetic shows the latest page with a next page, and the computed one', () => {
  const found = mistakesIn('page-arithmetic', [first, second, all, computed(3), computed(5)])

  expect(found).toEqual([
    { message: expect.stringContaining('computed ?offset=3,'), entries: [2, 4, 5] },
  ])
})

const repeat = (times: number, request: Sent) => Array.from({ length: times }, () => request)
const change = { list: 'annotations', id: 1, kind: 'changed', fields: {} } as const
const write: Sent = { method: 'PATCH', changes: [change] }

const repetitions: readonly [what: string, requests: readonly Sent[], entries: number[]][] = [
  ['nine times', repeat(9, limited), []],
  ['ten times', repeat(10, limited), numbers(1, 10)],
  ['eleven times', repeat(11, limited), numbers(1, 11)],
  ['with a write on the way', [...repeat(9, limited), write, ...repeat(9, limited)], []],
  ['after a write', [...repeat(9, limited), write, ...repeat(10, limited)], numbers(11, 20)],
  ['with another page on the way', [...repeat(9, limited), second, ...repeat(9, limited)], []],
  [
    'with another list on the way',
    [...repeat(9, limited), { ...limited, ...otherList }, limited],
    [...numbers(1, 9), 11],
  ],
  ['with another length', [...repeat(9, limited), { ...limited, bytes: 101 }], []],
  ['by two clients', [...repeat(9, limited), { ...limited, ...otherClient }], []],
  ['within ten seconds', [...repeat(9, limited), { ...limited, after: 10 }], numbers(1, 10)],
  ['in more than ten seconds', [...repeat(9, limited), { ...limited, after: 10.001 }], []],
  ['while the clock is set back', [...repeat(9, limited), { ...limited, after: -11 }], []],
  ['nine times, and once without a page', [...repeat(9, limited), { ...limited, status: 503 }], []],
]

test.each(repetitions)('a page that is read %s: repeated in %j', (_, requests, entries) => {
  const message = 'The client requested the same page again and again.'

  expect(mistakesIn('repeated-page', requests)).toEqual(
    entries.length === 0 ? [] : [{ message, entries }],
  )
})

test('each repeated page of a list is a mistake', () => {
  const requests = [...repeat(10, limited), ...repeat(10, second)]

  const found = mistakesIn('repeated-page', requests)

  expect(found.map(({ entries }) => entries)).toEqual([numbers(1, 10), numbers(11, 20)])
})
