import { expect, test } from 'vitest'
import type { RowChange } from '../../../../src/sandbox/history/history.ts'
import { renderChange, renderRow } from '../../../../src/sandbox/journal/render-parts.ts'
import { KeyRedactor, maskKey } from '../../../../src/utils/redaction/mask.ts'

const key = 'phx_0123456789abcdef1234'
const redactor = new KeyRedactor([key])

test.each([
  ['phx_0123456789ab', 'phx_…89ab'],
  ['phx_0123456789a', 'phx_…'],
  ['ab_cdef', 'ab_…'],
  ['abcd_ef', '…'],
  ['aB_cdef', '…'],
  ['1_ab_cd', '…'],
  ['', '…'],
  ['0123456789abcde', '…'],
  ['0123456789abcdef', '0123…cdef'],
])('the key %j is masked as %j', (value, masked) => {
  expect(maskKey(value)).toBe(masked)
})

test.each([
  ['a text', 'text', ['content'], 'text'],
  ['a known key in a text', `a ${key}`, ['content'], 'a phx_…1234'],
  ['any value of a secret field', 'text', ['a', 'password'], '…'],
  ['a value below it', { a: ['text', 5] }, ['access_token', 0], { a: ['…', '…'] }],
  ['the whole body', { password: 'text', a: 5 }, [], { password: '…', a: 5 }],
])('a part of a body is masked: %s', (_title, value, path, shown) => {
  expect(redactor.part(value, path)).toEqual(shown)
})

const before = { id: 1, first_name: 'Ada', current_project: null }

test.each<
  [
    title: string,
    list: string,
    before: object | undefined,
    after: object | undefined,
    change: object,
  ]
>([
  [
    'a changed field',
    'users',
    before,
    { ...before, first_name: key },
    { id: 1, kind: 'changed', fields: { first_name: ['Ada', 'phx_…1234'] } },
  ],
  [
    'equal lists',
    'users',
    { id: 1, organizations: ['a'] },
    { id: 1, organizations: ['a'] },
    { id: 1, kind: 'changed', fields: {} },
  ],
  [
    'a key that looks the same',
    'keys',
    { value: 'phx_0000000000001234', label: 'all', user: 1 },
    { value: 'phx_1111111111111234', label: 'all', user: 1 },
    { id: 'phx_…1234', kind: 'changed', fields: { value: ['phx_…1234', 'phx_…1234'] } },
  ],
])('a write is shown field by field: %s', (_title, list, oldRow, newRow, change) => {
  const write = { list, before: oldRow, after: newRow } as unknown as RowChange

  expect(renderChange(write, redactor)).toEqual({ list, ...change })
})

test('a row is shown in the world format, and of a key neither its value nor a label that is the value', () => {
  const shown = (list: string, row?: object) => renderRow(list as never, row, redactor)
  const row = { label: 'all', value: 'phx_all', user: 1 }

  expect(shown('users')).toBeNull()
  expect(shown('users', { id: 1, first_name: key })).toEqual({ id: 1, first_name: 'phx_…1234' })
  expect(shown('keys', row)).toEqual({ label: 'all', value: 'phx_…', user: 1 })
  expect(shown('keys', { ...row, label: 'phx_all' })).toEqual({
    label: 'phx_…',
    value: 'phx_…',
    user: 1,
  })
  expect(shown('keys', { ...row, label: key })).toEqual({
    label: 'phx_…1234',
    value: 'phx_…',
    user: 1,
  })
})
