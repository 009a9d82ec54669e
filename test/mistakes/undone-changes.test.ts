import { expect, test } from 'vitest'
import type { OperationId } from '../../src/index.ts'
import { acme, annotationPath as path } from '../support/api/paths.ts'
import { findMistakes, mistakesIn, otherClient, type Sent, toEntry } from './entries.ts'

const row = { id: 1, content: 'Old', scope: 'project', tags: ['a'] }
const read: Sent = { operation: 'retrieveAnnotation', path, body: row }
const readList: Sent = {
  body: { count: 2, next: null, previous: null, results: [{ id: 2 }, row] },
}

const otherPage: Sent = { body: { count: 2, next: null, previous: null, results: [{ id: 2 }] } }
const manyPages = Array<Sent>(50).fill(otherPage)

/** The same, after another client has changed the row. */
const showNew = (sent: Sent): Sent => JSON.parse(JSON.stringify(sent).replace('"Old"', '"New"'))

/** An update that sends fields, and changes some of them. */
const update = (
  sent: unknown,
  fields: Readonly<Record<string, readonly [unknown, unknown]>>,
  id = 1,
): Sent => ({
  method: 'PATCH',
  operation: 'updateAnnotation',
  path,
  sent,
  changes: [{ list: 'annotations', id, kind: 'changed', fields }],
})
const undo = update(
  { content: 'Old', scope: 'x' },
  { content: ['New', 'Old'], scope: ['project', 'x'] },
)
const undoAlone = update({ content: 'Old' }, { content: ['New', 'Old'] })
const rowWith = (content: string) => ({ ...row, content })
/** An update whose response shows the row. */
const saved = (content: string): Sent => ({
  ...update({ content }, { content: ['Old', content] }),
  body: rowWith(content),
})
const created: Sent = {
  ...{ method: 'POST', operation: 'createAnnotation', sent: row, status: 201 },
  changes: [{ list: 'annotations', id: 1, kind: 'created', fields: {} }],
}
const asShown = { ...read, body: { ...row, deleted: false } }
const restored = (sent: object) => update(sent, { deleted: [true, false] })
const restoredForm = restored({ deleted: false, scope: 'x' })
const missing = { ...read, status: 404 }
const asPlugin = (operation: OperationId, sent: Sent): Sent => ({
  ...sent,
  operation,
  path: `/api/organizations/${acme}/plugins/1/`,
  changes: sent.changes?.map((change) => ({ ...change, list: 'plugins' as const })) ?? [],
})

const tags = { b: 1, a: [2] }
const sorted = { a: [2], b: 1 }
const readFiles = asPlugin('retrievePluginSource', read)
const files = { source: [{ content: 'New' }, { content: 'Old' }] } as const
const undoFile = asPlugin('updatePluginSource', update({ content: 'Old' }, files))
const upgrade = asPlugin('upgradePlugin', { method: 'POST' })
const failedFile = { ...undoFile, status: 500, changes: [] }

const content = 'content from "New" to "Old", where the client had read "Old"'
const updates: readonly [what: string, requests: readonly Sent[], sets?: string | null][] = [
  ['a field', [read, undo]],
  ['a field that was read in a list', [readList, undo]],
  [
    'two fields',
    [read, update({ content: 'Old', tags: ['a'] }, { content: ['New', 'Old'], tags: [[], ['a']] })],
    `${content}, and tags from [] to ["a"], where the client had read ["a"]`,
  ],
  ['a field of a plugin', [asPlugin('retrievePlugin', read), asPlugin('updatePlugin', undo)]],
  ['a field by PUT', [read, { ...undo, method: 'PUT', operation: 'replaceAnnotation' }]],
  ['a field that a later list showed', [read, showNew(readList), undo]],
  ['a field that a later read showed', [readList, showNew(read), undo]],
  ['a field that two lists showed', [readList, showNew(readList), undo]],
  ['a field alone that a later read showed', [read, showNew(read), undoAlone], null],
  [
    'all fields to what it had read first, like a version that is restored',
    [
      read,
      showNew(read),
      update({ content: 'Old', scope: 'project' }, { content: ['New', 'Old'] }),
    ],
    null,
  ],
  ['a field that an earlier list showed', [showNew(readList), read, undo]],
  ['a field in the second update', [read, { ...update({ scope: 'x' }, {}), body: row }, undo]],
  [
    'a field that nobody changed',
    [read, update({ content: 'New' }, { content: ['Old', 'New'] })],
    null,
  ],
  ['a field to the value of another client', [read, update({ content: 'New' }, {})], null],
  ['a field that one of three pages showed', [readList, otherPage, otherPage, undo]],
  ['a field that the last of many pages showed', [...manyPages, readList, undo]],
  ['a field that it had not read', [{ ...read, body: { id: 1 } }, undo], null],
  [
    'a field that the client had saved',
    [read, saved('Older'), undo],
    content.replace('read "Old"', 'read "Older"'),
  ],
  [
    'a field that the client had saved, before it saved another one',
    [read, saved('Older'), { ...update({ tags: [] }, {}), body: rowWith('Older') }, undo],
    content.replace('read "Old"', 'read "Older"'),
  ],
  [
    'a field that the client had saved without a response',
    [read, { ...saved('Older'), status: 0, body: null }, undo],
    content.replace('read "Old"', 'sent "Older"'),
  ],
  ['its own change', [read, saved('New'), undo], null],
  [
    'its own change that was sent at once, and later',
    [
      read,
      { ...update({ content: 'Old!' }, { content: ['New', 'Old!'] }), overlaps: [3] },
      saved('New'),
    ],
    null,
  ],
  [
    'its own change without a response',
    [read, { ...saved('New'), status: 0, body: null }, undo],
    null,
  ],
  ['a field of the row that it had created', [otherPage, { ...created, body: row }, undo]],
  ['a field, with a key that only writes', [saved('Older'), undo], null],
  ['a row that others deleted, on purpose', [read, restored({ deleted: false })], null],
  [
    'a row that others deleted, by its form',
    [asShown, restoredForm],
    'deleted from true to false, where the client had read false',
  ],
  ['a row that others deleted, after a 404', [asShown, asShown, missing, restoredForm], null],
  [
    'an object whose fields others had sorted',
    [{ ...read, body: { ...row, tags } }, update({ tags, scope: 'x' }, { tags: [sorted, tags] })],
    null,
  ],
  ['a source file', [readFiles, undoFile]],
  ['a source file that its own update showed', [readFiles, showNew(readFiles), undoFile], null],
  ['a source file that its own upgrade changed', [readFiles, upgrade, undoFile], null],
  ['a source file that its own update may have written', [readFiles, failedFile, undoFile], null],
  ['a field that another client read', [{ ...read, ...otherClient }, undo], null],
  [
    'a field that its own update showed',
    [read, { ...update({ scope: 'x' }, {}), body: rowWith('New') }, undo],
  ],
  [
    'a field alone that its own update showed',
    [read, { ...update({ scope: 'x' }, {}), body: rowWith('New') }, undoAlone],
    null,
  ],
  [
    'a field of a plugin that its own upgrade changed',
    [
      asPlugin('retrievePlugin', read),
      { ...asPlugin('upgradePlugin', read), body: rowWith('New') },
      asPlugin('updatePlugin', undoAlone),
    ],
    null,
  ],
  ['a field whose read was refused', [missing, undo], null],
  [
    'a field whose read was lost',
    [{ ...read, fault: { id: 'f', phase: 'after-commit', effect: { cut_bytes: 1 } } }, undo],
    null,
  ],
]

test.each(updates)('an update overwrites %s', (_, requests, sets = content) => {
  const [mistake, ...others] = mistakesIn('undone-change', requests)

  expect(mistake?.message).toBe(sets === null ? undefined : `The update sets ${sets}.`)
  expect(others).toEqual([])
})

test('a change that the client read before it took it back is a warning', () => {
  const histories = [
    [read, undo],
    [read, showNew(read), undo],
  ]
  const levels = histories.map((requests) =>
    findMistakes(requests.map((sent, at) => toEntry(sent, at + 1))).map(({ level }) => level),
  )

  expect(levels).toEqual([['error'], ['warning']])
})

test('the requests that show a change that was undone are the latest read and the update', () => {
  const requests = [read, { ...update({ scope: 'x' }, {}), body: row }, undo]

  expect(mistakesIn('undone-change', requests).map(({ entries }) => entries)).toEqual([[2, 3]])
})

test.each([
  ['', 'a'.repeat(58), `"${'a'.repeat(58)}"`],
  ['', 'a'.repeat(59), `"${'a'.repeat(59)}…`],
  ['a'.repeat(99), `${'a'.repeat(99)}b`, `…${'a'.repeat(20)}b"`],
])('in place of %j, the value %j is shown as %s', (before, value, shown) => {
  const sent = { content: value, scope: 'x' }
  const requests = [
    { ...read, body: { id: 1, content: value } },
    update(sent, { content: [before, value] }),
  ]

  const [mistake] = mistakesIn('undone-change', requests)

  expect(mistake?.message).toContain(` to ${shown}, where the client had read ${shown}.`)
})
