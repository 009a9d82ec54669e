import { expect, test } from 'vitest'
import { annotationsPath, pluginsPath } from '../support/api/paths.ts'
import { findMistakes, mistakesIn, otherClient, type Sent, toEntry } from './entries.ts'

const otherList = { path: '/api/projects/2/annotations/' }
const current = { path: '/api/projects/@current/annotations/' }
const launch = { content: 'Launch', date_marker: '2024-06-20T09:00:00.5Z' }
const stored = { ...launch, date_marker: '2024-06-20T09:00:00.500000Z' }
const created = { list: 'annotations', id: 9, kind: 'created', fields: {} } as const
const hidden = { ...created, fields: { deleted: [null, true] } } as const
const cut = { id: 'f', phase: 'after-commit', effect: { cut_bytes: 100 } } as const

const create: Sent = {
  method: 'POST',
  operation: 'createAnnotation',
  sent: launch,
  status: 201,
  body: { id: 10, ...stored },
  changes: [created],
}
const lost: Sent = { ...create, status: 0, body: null }
const failed: Sent = { ...create, status: 500, body: null }
const list = (rows: readonly object[], links: object = {}): Sent => ({
  body: { count: rows.length, next: null, previous: null, results: rows, ...links },
})
const row = { id: 9, ...stored }
const rest = { next: 'http://localhost/api/projects/1/annotations/?offset=1' }
const remove = (id: number, of = 'annotations'): Sent => ({
  method: 'PATCH',
  operation: 'updateAnnotation',
  path: `${annotationsPath}${id}/`,
  sent: { deleted: true },
  changes: [{ list: of as 'annotations', id, kind: 'changed', fields: { deleted: [false, true] } }],
})
const changeOf = (id: number): Sent => ({
  ...remove(id),
  sent: { content: 'Other' },
  changes: [{ list: 'annotations', id, kind: 'changed', fields: { content: ['Launch', 'Other'] } }],
})
/** A plugin is created with its configuration. */
const pluginOf = (id: number): NonNullable<Sent['changes']> => [
  { ...created, list: 'plugin_configs', id: 32 },
  { ...created, list: 'plugins', id },
]
const lostPlugin: Sent = {
  ...{ ...lost, operation: 'createPlugin', path: pluginsPath, sent: { name: 'Launch' } },
  changes: pluginOf(10),
}
/** A later row of the client: the second of two creates. */
const later: Sent = { ...create, changes: [{ ...created, id: 10 }] }

type Repetition = [what: string, requests: readonly Sent[], entries: number[]]

const repetitions: readonly Repetition[] = [
  ['without a response', [lost, later], [1, 2]],
  [
    'without a response, with others in between',
    [lost, { ...create, ...otherList }, create],
    [1, 3],
  ],
  ['of a plugin', [lostPlugin, { ...lostPlugin, status: 201, changes: pluginOf(11) }], [1, 2]],
  ...[
    { date_marker: launch.date_marker, content: 'Launch' },
    { ...launch, date_marker: '2024-06-20T11:00:00.500+02:00' },
    { ...launch, content: ' Launch ' },
    { ...launch, creation_type: 'USR', deleted: false, dashboard_item: null },
    { ...launch, attempt: 2 },
  ].map((sent): Repetition => [`as ${JSON.stringify(sent)}`, [lost, { ...create, sent }], [1, 2]]),
  [
    'with the time of the request in each',
    [
      { ...lost, sent: { ...launch, date_marker: '2024-06-15T11:59:59.99Z' } },
      { ...create, after: 0.03, sent: { ...launch, date_marker: '2024-06-15T12:00:00.03Z' } },
    ],
    [1, 2],
  ],
  [
    'with the time of the first request',
    [0, 60].map((after) => ({
      ...(after === 0 ? lost : create),
      ...{ after, sent: { ...launch, date_marker: '2024-06-15T12:00:00Z' } },
    })),
    [1, 2],
  ],
  ['with a word of another row', [lost, { ...create, sent: { ...launch, scope: 'project' } }], []],
  [
    'after another one with a response, and one that was refused',
    [
      lost,
      { ...create, sent: { content: 'Other' } },
      { ...create, status: 400, changes: [] },
      later,
    ],
    [1, 4],
  ],
  ['with a 500 before a row was created', [{ ...failed, changes: [] }, create], []],
  ['with a response', [create, create], []],
  ['with another body', [lost, { ...create, sent: { content: 'Other' } }], []],
  ['in another list', [lost, { ...create, ...otherList }], []],
  ['by another client', [lost, { ...create, ...otherClient }], []],
  ['by a key of the same label', [lost, { ...create, key: { label: 'all', value: 'phx_…b' } }], []],
  ['by a key that looks alike', [lost, { ...create, key: { label: 'b', value: 'phx_…_all' } }], []],
  ['after a look at the list', [lost, list([]), create], []],
  ['after a look with another key', [lost, { ...list([]), ...otherClient }, create], []],
  ['after a look through @current', [lost, { ...list([]), ...current }, create], []],
  [
    'through @current, after a look',
    [{ ...lost, ...current }, list([]), { ...create, ...current }],
    [],
  ],
  [
    'of a plugin, after a search for its name',
    [
      lostPlugin,
      { ...list([]), operation: 'listPlugins', path: pluginsPath, query: { search: 'launch' } },
      { ...lostPlugin, status: 201 },
    ],
    [],
  ],
  ['whose row was deleted from the start', [{ ...lost, changes: [hidden] }, create], []],
  ['whose response may have been cut', [{ ...create, fault: cut }, create], [1, 2]],
  ['after a look that failed', [lost, { ...list([]), status: 0 }, create], [1, 3]],
  ['and one of the rows is deleted', [lost, later, remove(9)], []],
  ['and the row with a response is deleted', [lost, later, remove(10)], []],
  ['and another row is deleted', [lost, later, remove(8)], [1, 2]],
  ['and a row of another list is deleted', [lost, later, remove(9, 'plugins')], [1, 2]],
  ['after its row was deleted', [lost, remove(9), later], []],
  ['after a look at another list', [lost, { ...list([]), ...otherList }, create], [1, 3]],
  ['whose body was not stored', [{ ...lost, omitted: true }, create], []],
]

test.each(repetitions)('a repeated create %s: %j', (_, requests, entries) => {
  const message =
    'The client got no complete response for a create, and sent it again. The 2 requests created 2 rows.'

  expect(mistakesIn('repeated-create', requests)).toEqual(
    entries.length === 0 ? [] : [{ message, entries }],
  )
})

const older = { id: 3, content: 'Old', date_marker: '2024-06-19T09:00:00Z' }
const newer = { id: 4, content: 'New', date_marker: '2024-06-21T09:00:00Z' }

// Annotations are sorted by time, the newest first, and those without a time come before all others.
test.each<[look: string, looked: Sent, isEnough: boolean]>([
  ['the whole list', list([newer]), true],
  ['a page beyond the end', list([], { previous: '/?offset=900' }), false],
  ['a page that ends with an older row', list([newer, older], rest), true],
  ['a page that ends with a newer row', list([newer], rest), false],
  ['a page that ends with a row of the same time', list([newer, { ...row, id: 5 }], rest), true],
  ['a search for one of its words', { ...list([]), query: { search: 'LAUNCH' } }, true],
  ['a search for two parts of it', { ...list([]), query: { search: 'la,unch' } }, true],
  ['a search for another word', { ...list([]), query: { search: 'launch, more' } }, false],
])('%s can show whether a lost create left a row, or not', (_, looked, isEnough) => {
  const mistakes = mistakesIn('repeated-create', [lost, looked, looked, create])

  expect(mistakes.map(({ entries }) => entries)).toEqual(isEnough ? [] : [[1, 2, 3, 4]])
})

const withoutRow: Sent = { ...lost, changes: [] }
const lostTwice = [lost, { ...lost, changes: [{ ...created, id: 11 }] }]

test.each<[got: string, requests: readonly Sent[], fact: string]>([
  ['a 500', [failed, later], '2 requests created 2 rows'],
  ['no complete response', [withoutRow, later], '2 requests created one row'],
  ['no complete response', [withoutRow, withoutRow], '2 requests created no row'],
  [
    'no complete response',
    [lost, later, { ...create, changes: [{ ...created, id: 11 }] }],
    '2 requests created 2 rows',
  ],
  ['no complete response', [...lostTwice, later], '3 requests created 3 rows'],
  ['no complete response', [...lostTwice, later, remove(11)], '3 requests created 3 rows'],
])('a repeated create after %s counts the rows of %j', (got, requests, fact) => {
  const message = `The client got ${got} for a create, and sent it again. The ${fact}.`

  const mistakes = mistakesIn('repeated-create', requests)

  expect(mistakes.map((mistake) => mistake.message)).toEqual([message])
})

test.each<[what: string, requests: readonly Sent[], entries: number[]]>([
  ['is there when it is read', [lost, list([row]), later], [1, 2, 3]],
  ['is there, and changes then', [lost, list([row]), changeOf(9), later], []],
  ['is there, and is deleted then', [lost, list([row]), remove(9), later], []],
])('a lost create is sent again although its row %s', (_, requests, entries) => {
  const message =
    'The client got no complete response for a create, and sent it again. It had read the row in between. The 2 requests created 2 rows.'

  expect(mistakesIn('repeated-create', requests)).toEqual(
    entries.length === 0 ? [] : [{ message, entries }],
  )
})

/** The second one arrives before the first one has its response. */
const again: Sent = { ...create, overlaps: [1] }
const timed = { date_marker: stored.date_marker }

const equal: readonly [what: string, requests: readonly Sent[], entries: number[]][] = [
  ['two', [create, again], [1, 2]],
  ['two of different clients', [create, { ...again, ...otherClient }], []],
  ['two with a read in between', [create, list([]), again], [1, 3]],
  ['two with a write in between', [create, { method: 'PATCH' }, again], [1, 3]],
  ['two, the first of which is refused', [{ ...create, changes: [] }, again], []],
  ['two with other contents', [create, { ...again, sent: { content: 'Other' } }], []],
  ['two, one of whose rows is deleted,', [create, { ...later, overlaps: [1] }, remove(10)], []],
  ['two, beside which another row is deleted,', [create, again, remove(8)], [1, 2]],
  [
    'two of a plugin',
    [[], [1]].map((overlaps) => ({ ...lostPlugin, status: 201, overlaps })),
    [1, 2],
  ],
  [
    'two with the time of the request in each',
    ['2024-06-15T12:00:00Z', '2024-06-15T12:00:00.1Z'].map((date_marker, at) => ({
      ...(at === 0 ? create : again),
      sent: { ...launch, date_marker },
    })),
    [],
  ],
  ['two without a text and a time', [create, again].map((sent) => ({ ...sent, sent: {} })), []],
  ['two of a time', [create, again].map((sent) => ({ ...sent, sent: timed })), [1, 2]],
]

test.each(equal)('%s equal creates at the same time', (_, requests, entries) => {
  const message = 'The client sent the same create 2 times, and did not wait for a response.'

  expect(mistakesIn('duplicate-row', requests)).toEqual(
    entries.length === 0 ? [] : [{ message, entries }],
  )
})

test('three equal creates at the same time are a note, also if one of the rows is deleted', () => {
  const row = (id: number, overlaps: number[]): Sent => {
    return { ...create, overlaps, changes: [{ ...created, id }] }
  }
  const requests = [row(9, []), row(10, [1]), row(11, [2]), remove(10)]

  const mistakes = findMistakes(requests.map((request, index) => toEntry(request, index + 1)))

  const message = 'The client sent the same create 3 times, and did not wait for a response.'
  expect(mistakes).toMatchObject([
    { rule: 'duplicate-row', level: 'note', message, entries: [1, 2, 3] },
  ])
})

test('the row that was written names a create, and the mistake names both rows', () => {
  const fields = {
    ...{ content: [null, 'Launch'], creation_type: [null, 'USR'], deleted: [null, false] },
    scope: [null, 'dashboard_item'],
  } satisfies Record<string, [null, unknown]>
  const rows = [9, 10].map((id): Sent => {
    const changes = [{ ...created, id, fields }]
    const sent = { content: id === 9 ? 'Launch' : ' Launch' }
    return { ...create, sent, changes, overlaps: id === 9 ? [] : [1] }
  })

  const mistakes = findMistakes(rows.map((request, index) => toEntry(request, index + 1)))

  expect(mistakes).toMatchObject([
    {
      rule: 'duplicate-row',
      rows: [9, 10].map((id) => ({ list: 'annotations', id })),
    },
  ])
})
