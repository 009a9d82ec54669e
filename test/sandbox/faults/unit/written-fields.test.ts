import { expect, test } from 'vitest'
import { WrittenFields } from '../../../../src/sandbox/faults/written-fields.ts'
import {
  directEdit,
  type RowChange,
  type WriteCause,
} from '../../../../src/sandbox/history/history.ts'
import { createSimulator } from '../../../../src/simulator.ts'

/** A change of a row, by a request unless the cause is another one. */
function change(
  before: object | undefined,
  after: object | undefined,
  cause: WriteCause = { entry: 1 },
): RowChange {
  return { position: 1, list: 'annotations', before, after, cause, bytes: 0 }
}

const row = { id: 1, content: 'New' }
const written: readonly [what: string, changes: readonly RowChange[], isOwn: boolean][] = [
  ['nobody wrote', [], false],
  ['a request created', [change(undefined, row)], true],
  ['a request changed', [change({ id: 1, content: 'Old' }, row)], true],
  [
    'a request changed twice',
    [change({ id: 1, content: 'a' }, row), change(row, { id: 1, content: 'b' })],
    true,
  ],
  [
    'a request changed, before another one',
    [change(undefined, row), change(undefined, { id: 1 })],
    true,
  ],
  ['a request left', [change({ ...row, scope: 'a' }, { ...row, scope: 'b' })], false],
  ['a request changed to another value', [change(row, { id: 1, content: 'Other' })], false],
  ['a request removed', [change(row, undefined)], false],
  ['a request wrote in another row', [change(undefined, { ...row, id: 2 })], false],
  ['a test wrote', [change(undefined, row, directEdit)], false],
  ['an actor wrote', [change(undefined, row, { actor: 'actor-1' })], false],
]

test.each(written)('a field that %s is the own one of a client: %s', (_, changes, isOwn) => {
  const fields = new WrittenFields(changes)

  expect(fields.has(row, 'content')).toBe(isOwn)
})

test('values are compared as JSON', () => {
  const fields = new WrittenFields([change(undefined, { id: 1, content: { a: [1] } })])

  expect(fields.has({ id: 1, content: { a: [1] } }, 'content')).toBe(true)
  expect(fields.has({ id: 1, content: { a: [2] } }, 'content')).toBe(false)
  expect(fields.has(null, 'content')).toBe(false)
})

test('a value is written if the body of the request names it, also if it was the same before', async () => {
  const simulator = createSimulator()
  const body = JSON.stringify({ content: 'Launch', scope: 'project' })
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const send = { method: 'POST', headers, body }
  const created = await simulator.fetch('/api/projects/1/annotations/', send)
  const shown = await created.json()
  const { history, journal } = simulator.sandbox

  const fields = new WrittenFields(history.writesSince(0), journal.records)

  const written = Object.keys(shown).filter((name) => fields.has(shown, name))
  expect(written).toEqual(['content', 'scope'])
})
