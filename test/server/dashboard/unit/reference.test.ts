import { expect, test } from 'vitest'
import {
  type ApiDocument,
  describeType,
  type Schema,
} from '../../../../src/server/dashboard/reference/document.ts'

const document: ApiDocument = {
  info: { title: 'An API' },
  paths: {},
  components: { schemas: { Row: { type: 'object' } } },
}

test.each<[Schema, string]>([
  [{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }, 'integer from 1 or null'],
  [
    {
      anyOf: [
        { type: 'integer', minimum: 0 },
        { type: 'string', description: 'Any other value counts as the default.' },
      ],
    },
    'integer from 0',
  ],
  [{ type: ['string', 'null'], description: 'The invalid field.' }, 'string or null'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Row' } }, 'array of object'],
  [{ enum: ['', null] }, '"", null'],
  [{}, 'any JSON'],
])('%j is described as %s', (schema, text) => {
  expect(describeType(schema, document)).toBe(text)
})
