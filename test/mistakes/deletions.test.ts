import { expect, test } from 'vitest'
import type { OperationId } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'
import { mistakesIn, otherClient, type Sent } from './entries.ts'

const row = (id: number) => `${annotationsPath}${id}/`
const refuse = (id: number, status = 405): Sent => ({
  method: 'DELETE',
  operation: 'deleteAnnotation',
  path: row(id),
  status,
})
const change = (
  id: number,
  deleted?: readonly [boolean, boolean],
  kind: 'changed' | 'removed' = 'changed',
  list: 'annotations' | 'plugins' = 'annotations',
): Sent => ({
  method: 'PATCH',
  operation: 'updateAnnotation',
  path: row(id),
  changes: [{ list, id, kind, fields: deleted ? { deleted } : {} }],
})
const retrieve = (id: number): Sent => ({ operation: 'retrieveAnnotation', path: row(id) })
const setting = { value: 404, evidence: 'documented', source: '' } as const
const decided = { settings: [{ ...setting, id: 'annotations.delete.status' }] }
const softDelete = change(1, [false, true])
const ofTest = (sent: Sent): Sent => ({ ...sent, test: 'a' })
const refusedPatch = (sent: unknown, operation: OperationId = 'updateAnnotation'): Sent => ({
  method: 'PATCH',
  operation,
  path: row(1),
  status: 400,
  sent,
})

const text = 'Annotation 1 was not deleted, and the client has not deleted it with PATCH so far.'
const end = 'were not deleted, and the client has not deleted them with PATCH so far.'
const two = `Annotations 1, 2 ${end}`
const mistake = (message: string, ...entries: number[]) => ({ message, entries })

/** By default, each has one refusal that is a mistake. */
const deletions: readonly [what: string, requests: readonly Sent[], mistakes?: object[]][] = [
  ['one refusal', [refuse(1)]],
  ['two refusals', [refuse(1), refuse(2)], [mistake(two, 1, 2)]],
  ['two refusals of one row', [refuse(1), { ...refuse(1), reason: '405' }], [mistake(text, 2)]],
  ['one refusal by a path with a suffix', [{ ...refuse(1), path: `${annotationsPath}1.json` }]],
  [
    'refusals of two clients',
    [refuse(1), { ...refuse(2), ...otherClient }],
    [mistake(text, 1), mistake(text.replace('1', '2'), 2)],
  ],
  ['no row', [{ ...refuse(1), missing_row: true }], []],
  ['a look at the row', [refuse(1), retrieve(1)], []],
  ['a look at the row that fails', [refuse(1), { ...retrieve(1), status: 404 }]],
  ['a reset and a PATCH', [refuse(1), { ...softDelete, resets: 1 }]],
  ['a reset of its test, and a PATCH', [ofTest(refuse(1)), ofTest({ ...softDelete, resets: 1 })]],
  ['a PATCH of another test', [refuse(1), { ...softDelete, test: 'b' }]],
  ['a PATCH', [refuse(1), softDelete], []],
  [
    'a PATCH before it that was undone',
    [softDelete, change(1, [true, false]), refuse(1)],
    [mistake(text, 3)],
  ],
  ['a PATCH of another field', [refuse(1), change(1)]],
  ['a removal', [refuse(1), change(1, undefined, 'removed')], []],
  ['a deleted plugin', [refuse(1), change(1, [false, true], 'changed', 'plugins')]],
  ['a refused PATCH', [refuse(1), refusedPatch({ deleted: true })], []],
  ['a refused PUT', [refuse(1), refusedPatch({ deleted: true }, 'replaceAnnotation')], []],
  ['a 404 by setting', [{ ...refuse(1, 404), ...decided }]],
  ['a 404', [refuse(1, 404)], []],
]

test.each(deletions)('a DELETE and %s', (_, requests, mistakes = [mistake(text, 1)]) => {
  expect(mistakesIn('swallowed-delete', requests)).toEqual(mistakes)
})

test('a message names ten annotations, and counts the others', () => {
  const refusals = Array.from({ length: 12 }, (_, index) => refuse(index + 1))
  const messageOf = (count: number) =>
    mistakesIn('swallowed-delete', refusals.slice(0, count)).map(({ message }) => message)

  const ten = 'Annotations 1, 2, 3, 4, 5, 6, 7, 8, 9, 10'
  expect(messageOf(10)).toEqual([`${ten} ${end}`])
  expect(messageOf(11)).toEqual([`${ten}, and 1 more ${end}`])
  expect(messageOf(12)).toEqual([`${ten}, and 2 more ${end}`])
})

test('a DELETE of what the project does not have deletes nothing, and is no mistake', async () => {
  const { ask, simulator } = await start()
  const rules = async () => (await simulator.journal.mistakes()).map(({ rule }) => rule)

  for (const id of ['7', '6', '0x1', '999']) await ask('DELETE', `${annotationsPath}${id}/`)
  expect(await rules()).toEqual([])

  await ask('DELETE', `${annotationsPath}1/`)
  const [alone] = await simulator.journal.mistakes()
  expect(alone).toMatchObject({ rule: 'swallowed-delete', level: 'note' })
  await ask('GET', annotationsPath)
  const [mistake] = await simulator.journal.mistakes()
  expect(mistake).toMatchObject({ rule: 'swallowed-delete', level: 'error' })
})

test('a client that gets only refusals is reported outside of a test', () => {
  const refused = { method: 'POST', status: 400 }
  const write = { ...refused, status: 201 }
  const rulesOf = (...requests: Sent[]) => mistakesIn('unhandled-refusal', requests).length
  const inTest = { test: 'refuses a bad row' }
  const unknown: Sent = { operation: null, path: '/api/v1/annotations/' }

  expect(rulesOf(refused)).toBe(1)
  expect(rulesOf({ ...unknown, status: 404 })).toBe(1)
  expect(rulesOf({ ...unknown, status: 404, path: '/favicon.ico' })).toBe(0)
  expect(rulesOf({ ...unknown, status: 406, method: 'OPTIONS' })).toBe(0)
  expect(rulesOf(refused, { ...refused, operation: 'createPlugin' })).toBe(0)
  expect(rulesOf({ ...refused, ...inTest })).toBe(0)
  expect(rulesOf({ ...refused, ...inTest }, { ...write, ...inTest, path: row(1) })).toBe(1)
})

test('creates that a rate limit refused are reported, also the last ones, and those sent too early', () => {
  const fault = { id: 'f', phase: 'before', effect: { status: 429 } } as const
  const headers = { 'retry-after': '9' }
  const operation = 'createAnnotation'
  const create = (content: string): Sent => ({ method: 'POST', operation, sent: { content } })
  const throttled = { status: 429, fault, headers }
  const refused = ['c', 'd', 'e'].map((sent, after) => ({ ...create(sent), ...throttled, after }))
  const requests = [{ ...create('a'), ...throttled }, create('b'), ...refused]

  const mistakes = mistakesIn('unhandled-refusal', requests)

  expect(mistakes.map(({ entries }) => entries)).toEqual([[1, 3, 4, 5]])
})
