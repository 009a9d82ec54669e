import { expect, test } from 'vitest'
import {
  booleanField,
  choiceField,
  dateTimeField,
  foreignKeyField,
  jsonField,
  textField,
} from '../../../src/http/fields/field-types.ts'
import { byPolicy } from '../../../src/policies/by-policy.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'

const described = (type: string, more: object = {}) => ({
  type,
  description: expect.stringMatching(/\w\.$/),
  ...more,
})

test.each([
  ['a text', textField(), [{ type: 'string' }, described('number')]],
  [
    'a text of ten characters',
    textField(10),
    [
      { type: 'string', maxLength: 10 },
      described('string', { pattern: '^\\s|\\s$' }),
      described('number'),
    ],
  ],
  [
    'a boolean',
    booleanField,
    [
      { type: 'boolean' },
      {
        enum: expect.arrayContaining([1, 0, 'true', 'FALSE', 'On', 'off', 'Yes', 'n']),
        description: 'A word for true or false.',
      },
    ],
  ],
  ['a date-time', dateTimeField, [{ type: 'string', format: 'date-time' }, described('string')]],
  ['a foreign key', foreignKeyField('dashboard_items'), [{ type: 'integer' }, described('string')]],
])('the schema of %s lists its forms', (_name, field, anyOf) => {
  expect(field.schema(resolvePolicies())).toEqual({ anyOf })
})

test('the schema of a choice has its values, which a policy may decide', () => {
  const field = choiceField(byPolicy('methods.put', { off: ['a', 'b'], on: 'any' }))

  expect(field.schema(resolvePolicies())).toEqual({ type: 'string', enum: ['a', 'b'] })
  expect(field.schema(resolvePolicies('documented', { 'methods.put': 'on' }))).toEqual({
    type: 'string',
  })
})

test('the schema of a JSON value excludes null, which is decided apart', () => {
  const field = jsonField('plugins.metrics.structure', () => true)

  expect(field.schema(resolvePolicies())).toEqual({
    type: ['object', 'array', 'string', 'number', 'boolean'],
  })
})
