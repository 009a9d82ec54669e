import { expect, test } from 'vitest'
import { WrittenFields } from '../../../../src/sandbox/faults/mutants.ts'
import { type MutantKind, mutantKinds } from '../../../../src/sandbox/faults/rule.ts'
import {
  directEdit,
  type RowChange,
  type WriteCause,
} from '../../../../src/sandbox/history/history.ts'

const field = { path: 'content', name: 'content', schema: {} }

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

  expect(fields.test('null')(row, field)).toBe(isOwn)
})

test('values are compared as JSON', () => {
  const fields = new WrittenFields([change(undefined, { id: 1, content: { a: [1] } })])
  const isOwn = fields.test('null')

  expect(isOwn({ id: 1, content: { a: [1] } }, field)).toBe(true)
  expect(isOwn({ id: 1, content: { a: [2] } }, field)).toBe(false)
  expect(isOwn(null, field)).toBe(false)
})

test('only kinds that replace a value by another text or by null spare it', () => {
  const fields = new WrittenFields([change(undefined, row)])
  const kinds = Object.keys(mutantKinds) as MutantKind[]

  const sparing = kinds.filter((kind) => fields.test(kind)(row, field))

  expect(sparing).toEqual(['null', 'long_text', 'right_to_left'])
})
