import { expect, test } from 'vitest'
import type { ResponseVariant, VariantKind } from '../../../../src/simulator/faults/fault.ts'
import { findVariants, varyBody } from '../../../../src/simulator/faults/variants.ts'
import { listShape, pageShape, row, rowShape } from '../variable-shapes.ts'

const url = 'http://localhost/api/rows/?limit=1#top'
const long = (length: number) => 'A very long text. '.repeat(60).slice(0, length)
const addition = { added_field: 'added' }

const ofRows: readonly [variant: ResponseVariant, changed: object][] = [
  [{ kind: 'null' }, { content: null, at: null, config: null, creator: null }],
  [{ kind: 'null', field: 'creator' }, { creator: null }],
  [{ kind: 'null', field: 'scope' }, {}],
  [{ kind: 'new_value' }, { scope: 'new_value' }],
  [{ kind: 'extra_field' }, addition],
  [{ kind: 'extra_field', field: 'owner' }, { owner: { first_name: 'A', ...addition } }],
  [
    { kind: 'long_text' },
    {
      content: long(400),
      owner: { first_name: long(150) },
      creator: { name: long(200), extra: 1 },
    },
  ],
  [{ kind: 'long_text', field: 'owner.first_name' }, { owner: { first_name: long(150) } }],
  [
    { kind: 'empty_text' },
    { content: '', owner: { first_name: '' }, creator: { name: '', extra: 1 } },
  ],
  [{ kind: 'seconds' }, { at: '2024-06-15T12:00:00Z' }],
]

test.each(ofRows)('the variant %j changes a row, a list and a page', (variant, changed) => {
  const expected = { ...row, ...changed }
  const page = { count: 1, next: null, results: [row] }

  expect(varyBody(row, variant, rowShape, url)).toEqual(expected)
  expect(varyBody([row], variant, listShape, url)).toEqual([expected])
  expect(varyBody(page, variant, pageShape, url)).toEqual({ ...page, results: [expected] })
})

test('a value of another type stays', () => {
  const body = { content: 5, at: null, owner: null, creator: ['x'] }

  for (const kind of ['long_text', 'empty_text', 'seconds'] as const)
    expect(varyBody(body, { kind }, rowShape, url)).toEqual(body)
  expect(varyBody('x', { kind: 'extra_field' }, rowShape, url)).toBe('x')
})

const next = 'http://localhost/api/rows/?limit=1&offset=1'
const page = { count: 2, next, results: [row] }
const two = { ...page, results: [{ id: 1 }, { id: 2 }] }

const ofPages: readonly [kind: VariantKind, body: unknown, changed: unknown][] = [
  [
    'empty_page',
    page,
    { count: 2, next: 'http://localhost/api/rows/?cursor=1&limit=1', results: [] },
  ],
  ['empty_page', { ...page, results: [] }, undefined],
  ['empty_page', { ...page, results: 'x' }, undefined],
  ['empty_page', [row], undefined],
  ['empty_page', null, undefined],
  ['row_order', two, { ...two, results: [{ id: 2 }, { id: 1 }] }],
  ['row_order', page, undefined],
]

test.each(ofPages)('%s changes the page %j to %j', (kind, body, changed = body) => {
  expect(varyBody(body, { kind }, pageShape, url)).toEqual(changed)
})

test('a page that was requested by the link of an empty page is not empty', () => {
  const marked = 'http://localhost/api/rows/?cursor=1&limit=1'

  expect(varyBody(page, { kind: 'empty_page' }, pageShape, marked)).toBe(page)
})

test('the variants that would change a row are found', () => {
  const body = { id: 1, content: null, at: '2024-06-15T12:00:00.5Z', creator: { name: 'B' } }

  expect(findVariants(body, rowShape, url)).toEqual([
    { kind: 'null', field: 'at' },
    { kind: 'seconds', field: 'at' },
    { kind: 'empty_text', field: 'creator.name' },
    { kind: 'long_text', field: 'creator.name' },
    { kind: 'null', field: 'creator' },
    { kind: 'extra_field', field: 'creator' },
    { kind: 'extra_field' },
  ])
})

test('the variants that would change a page are found', () => {
  const found = findVariants({ ...page, results: [{ scope: 'a' }, { scope: 'b' }] }, pageShape, url)
  const empty = findVariants({ count: 0, next: null, results: [] }, pageShape, url)

  expect(found).toEqual([
    { kind: 'new_value', field: 'scope' },
    { kind: 'extra_field' },
    { kind: 'empty_page' },
    { kind: 'row_order' },
  ])
  expect([empty, findVariants(null, {}, url)]).toEqual([[], []])
})
