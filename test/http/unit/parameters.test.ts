import { expect, test } from 'vitest'
import { anyText } from '../../../src/http/fields/body-fields.ts'
import { limitParameter, offsetParameter, pageShape } from '../../../src/http/parameters.ts'
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
