import { expect, test } from 'vitest'
import { hasField } from '../../../../src/analysis/report/described-fields.ts'

test.each([
  ['a', { a: 1 }, true],
  ['a', { a: null }, true],
  ['a', { b: 1 }, false],
  ['a', null, false],
  ['a', undefined, false],
  ['a', 'text', false],
  ['toString', {}, false],
  ['a b\nc', { 'a b\nc': 1 }, true],
  ['a.b', { a: { b: 1 } }, true],
  ['a.b', { a: { c: 1 } }, false],
  ['a.b', { b: 1 }, false],
  ['a.b', { a: null }, false],
  ['a.b.c', { a: { b: { c: 0 } } }, true],
  ['a[]', { a: [0] }, true],
  ['a[]', { a: [] }, false],
  ['a[]', { a: { 0: 1 } }, false],
  ['a[]', {}, false],
  ['a[].b', { a: [{}, { b: 1 }] }, true],
  ['a[].b', { a: [{ c: 1 }] }, false],
  ['a[].b[].c', { a: [{ b: [] }, { b: [{ c: 1 }] }] }, true],
  ['[]', [0], true],
  ['[]', [], false],
  ['[].a', [{ a: 1 }], true],
  ['[].a', [{ b: 1 }], false],
  ['[].a', { a: 1 }, false],
])('the path %s in %j: %s', (path, value, expected) => {
  expect(hasField(value, path)).toBe(expected)
})
