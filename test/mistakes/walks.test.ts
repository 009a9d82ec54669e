import { expect, test } from 'vitest'
import { findMistakes, mistakesIn, otherClient, page, type Sent, toEntry } from './entries.ts'

/** A page of two rows, from an offset in a list of a length. */
function at(offset: number, ids: readonly number[], count: number, filter = ''): Sent {
  const link = (from: number) => `?limit=2&offset=${from}${filter && `&${filter}`}`
  const links = {
    ...(offset + 2 < count && { next: link(offset + 2) }),
    ...(offset > 0 && { previous: link(offset - 2) }),
  }
  const query = Object.fromEntries(new URLSearchParams(link(offset)))
  return { query, ...page(ids, { ...links, count }) }
}

const looks: Sent[] = [
  { query: { limit: '1' }, ...page([1], { next: '?limit=1&offset=1', count: 4 }) },
  { operation: 'retrieveAnnotation', path: '/api/projects/1/annotations/1/' },
]
const clean = [at(0, [1, 2], 4), at(2, [3, 4], 4)]
const repeating = [at(0, [1, 2], 4), at(2, [2, 3], 4)]
/** A page behind a row. */
const after = (preceding_row: number, sent: Sent): Sent => ({ ...sent, preceding_row })
const moved = [at(0, [1, 2], 5), after(3, at(2, [4, 5], 4))]
const came = (...entries: number[]) => [{ message: 'Row 2 came on two pages.', entries }]
const lost = (...entries: number[]) => [
  {
    message: 'The client missed at least row 3, which moved to a page that it had read before.',
    entries,
  },
]
const change = { list: 'annotations', id: 1, kind: 'changed', fields: {} } as const
const write: Sent = { method: 'PATCH', changes: [change] }

const walks: readonly [what: string, requests: readonly Sent[], mistakes?: object[]][] = [
  ['no change', clean],
  ['a repeated row', repeating, came(1, 2)],
  ['a row that moved back', moved, lost(1, 2)],
  ['a page whose place is not known', [at(0, [1, 2], 5), at(2, [4, 5], 4)]],
  [
    'a new row before the page, and a row twice',
    [at(0, [1, 2], 4), after(9, at(2, [2, 3], 5))],
    came(1, 2),
  ],
  [
    'both',
    [at(0, [1, 2], 6), after(1, at(2, [2, 4], 6)), after(3, at(4, [5], 5))],
    [...came(1, 2, 3), ...lost(1, 2, 3)],
  ],
  [
    'a repeated row, and then as many rows again',
    [at(0, [1, 2], 6), at(2, [2, 3], 6), at(0, [1, 2, 3], 6)],
  ],
  [
    'a repeated row, and then the first page again',
    [at(0, [1, 2], 6), at(2, [2, 3], 6), at(0, [1, 2], 6)],
    came(1, 2),
  ],
  [
    'a repeated row after a write, before the last page',
    [at(0, [1, 2], 6), write, at(2, [2, 3], 6)],
  ],
  [
    'a repeated row after a write of another client',
    [at(0, [1, 2], 6), { ...write, ...otherClient }, at(2, [2, 3], 6)],
    came(1, 3),
  ],
  [
    'a repeated row after a write in another list',
    [at(0, [1, 2], 6), { ...write, path: '/api/projects/2/annotations/' }, at(2, [2, 3], 6)],
    came(1, 3),
  ],
  ['a repeated row and then a walk without one', [...repeating, ...clean]],
  [
    'a repeated row and then a walk of another client',
    [...repeating, ...clean.map((request) => ({ ...request, ...otherClient }))],
    came(1, 2),
  ],
  [
    'a repeated row and then all rows at once',
    [...repeating, { query: { limit: '100' }, ...page([1, 2]) }],
  ],
  ['a row that moved back, and a page with it', [...moved, after(2, at(1, [3, 4], 4))]],
  ['a row that moved back, and another page', [...moved, after(2, at(1, [6, 4], 4))], lost(1, 2)],
  [
    'a row that moved back, and a page with it some time later',
    [...moved, { operation: 'listProjects', path: '/api/projects/' }, after(2, at(1, [3, 4], 4))],
    lost(1, 2),
  ],
  [
    'a repeated row, a 429, looks at one row, and then a walk without one',
    [...repeating, { status: 429 }, ...looks, ...clean],
  ],
  [
    'a repeated row, a write, and then a walk without one',
    [...repeating, write, ...clean],
    came(1, 2),
  ],
  ['a repeated row in two walks', [...repeating, ...repeating], came(3, 4)],
  [
    'the second page of another client',
    [at(0, [1, 2], 4), { ...at(2, [2, 3], 4), ...otherClient }],
  ],
  ['a page that no link leads to', [at(0, [1, 2], 9), after(7, at(4, [2, 3], 6))]],
  [
    'a page that is read twice on the way',
    [at(0, [1, 2], 6), at(2, [3, 4], 6), at(2, [3, 4], 6), at(4, [5, 6], 6)],
  ],
]

test.each(walks)('a walk with %s', (_, requests, mistakes = []) => {
  const rules = ['repeated-row', 'skipped-row'] as const

  expect(rules.flatMap((rule) => mistakesIn(rule, requests))).toEqual(mistakes)
})

const [firstPage, secondPage] = moved as [Sent, Sent]

test.each<[what: string, requests: readonly Sent[], rule: string, level: string, cure: RegExp]>([
  ['moved back by another client', moved, 'skipped-row', 'warning', /^Read the list again/],
  [
    'moved back by a write of the client',
    [firstPage, write, secondPage],
    'skipped-row',
    'warning',
    /^Change/,
  ],
  [
    'moved back by a write of the client, which did not read to the end',
    [firstPage, write, after(3, at(2, [4, 5], 9))],
    'skipped-row',
    'note',
    /^Change/,
  ],
  ['came twice to a client that followed next', repeating, 'repeated-row', 'note', /^Start again/],
  [
    'came twice to a client that changed a row',
    [at(0, [1, 2], 4), write, at(2, [2, 3], 4)],
    'repeated-row',
    'warning',
    /^Change rows after the last page/,
  ],
])('a row that %s has its level and its cure', (_, requests, rule, level, cure) => {
  const mistakes = findMistakes(requests.map((sent, index) => toEntry(sent, index + 1)))

  expect(mistakes).toMatchObject([{ rule, level, cure: expect.stringMatching(cure) }])
})
