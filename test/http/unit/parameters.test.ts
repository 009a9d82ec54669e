import { expect, test } from 'vitest'
import { anyText } from '../../../src/http/fields/shape.ts'
import {
  ignoredParameter,
  integerIdParameter,
  limitParameter,
  offsetParameter,
  pageShape,
  pathParameter,
  readParameters,
} from '../../../src/http/parameters.ts'
import { byPolicy } from '../../../src/policies/by-policy.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'

const settings = resolvePolicies()
const refusing = resolvePolicies('documented', { 'lists.limit.invalid': 'refused' })

const schemaOf = ({ schema }: { schema: unknown }, of = settings) =>
  typeof schema === 'function' ? schema(of) : schema

test('by default, the schemas of limit and offset accept any text', () => {
  const other = { type: 'string', description: 'Any other value counts as the default.' }

  expect(schemaOf(limitParameter(100))).toEqual({
    anyOf: [{ type: 'integer', minimum: 1, default: 100 }, other],
  })
  expect(schemaOf(offsetParameter)).toEqual({
    anyOf: [{ type: 'integer', minimum: 0, default: 0 }, other],
  })
})

test('with the policy that refuses other texts, the schemas of limit and offset are integers', () => {
  expect(schemaOf(limitParameter(100), refusing)).toEqual({
    type: 'integer',
    minimum: 1,
    default: 100,
  })
  expect(schemaOf(offsetParameter, refusing)).toEqual({ type: 'integer', minimum: 0, default: 0 })
})

test.each([
  [null, 100, 0],
  ['', 100, 0],
  ['x', 100, 0],
  ['-1', 100, 0],
  ['0', 100, 0],
  ['1', 1, 1],
  ['7', 7, 7],
  ['99999999999999999999', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
])('the text %j is the limit %d and the offset %d', (text, limit, offset) => {
  expect(limitParameter(100).read(text, settings)).toBe(limit)
  expect(offsetParameter.read(text, settings)).toBe(offset)
})

test('a policy can refuse a limit or an offset', () => {
  const failure = (attr: string) =>
    expect.objectContaining({
      name: 'validation_error',
      detail: 'A valid integer is required.',
      details: { attr },
    })

  expect(() => limitParameter(100).read('0', refusing)).toThrow(failure('limit'))
  expect(() => offsetParameter.read('-1', refusing)).toThrow(failure('offset'))
  expect(offsetParameter.read(null, refusing)).toBe(0)
})

test('a policy can set the largest limit', () => {
  const limited = resolvePolicies('documented', { 'lists.limit.maximum': '1000' })
  const read = (text: string) => limitParameter(100).read(text, limited)

  expect([read('999'), read('1000'), read('1001')]).toEqual([999, 1000, 1000])
})

test('an id is an integer, or not found', () => {
  const id = integerIdParameter('The id.')

  expect([schemaOf(id), id.read('12', settings)]).toEqual([{ type: 'integer' }, 12])
  expect(() => id.read('x', settings)).toThrow(expect.objectContaining({ name: 'not_found' }))
  expect(() => id.read(null, settings)).toThrow(expect.objectContaining({ name: 'not_found' }))
})

test('a path parameter is any text, and an ignored one has one value and no schema', () => {
  const [path, ignored] = [pathParameter('A name.'), ignoredParameter(7)]

  expect([schemaOf(path), path.read('a', settings)]).toEqual([{ type: 'string' }, 'a'])
  expect(path.read(null, settings)).toBe('')
  expect(ignored).toMatchObject({ description: 'Not read.', schema: null })
  expect(ignored.read('8', settings)).toBe(7)
})

test('parameters are read by name, each by the reader that the policy decides on', () => {
  const parameters = {
    a: pathParameter('A name.'),
    b: byPolicy('lists.limit.invalid', { default: ignoredParameter(1), refused: offsetParameter }),
  }
  const getText = (name: string) => (name === 'a' ? 'x' : '7')

  expect(readParameters(parameters, getText, settings)).toEqual({ a: 'x', b: 1 })
  expect(readParameters(parameters, getText, refusing)).toEqual({ a: 'x', b: 7 })
})

test('the shape of a page has its count, its links and its rows', () => {
  const link = { type: ['string', 'null'] }

  expect(pageShape(anyText)).toMatchObject({
    type: 'object',
    required: ['count', 'next', 'previous', 'results'],
    properties: {
      count: { type: 'integer' },
      next: link,
      previous: link,
      results: { type: 'array', items: { type: 'string' } },
    },
  })
})
