import { expect, test } from 'vitest'
import { describeField } from '../../../src/adapters/openapi/json-schema.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { annotation } from '../../../src/world/entities/annotation.ts'
import { plugin } from '../../../src/world/entities/plugin.ts'

const described = (type: string, more: object = {}) => ({
  type,
  description: expect.stringMatching(/\w\.$/),
  ...more,
})

test.each([
  ['a text', plugin.fields.description, [{ type: 'string' }, described('number')]],
  [
    'a text of 400 characters',
    annotation.fields.content,
    [
      { type: 'string', maxLength: 400 },
      described('string', { pattern: '^\\s|\\s$' }),
      described('number'),
    ],
  ],
  [
    'a flag',
    annotation.fields.deleted,
    [
      { type: 'boolean' },
      {
        enum: expect.arrayContaining([1, 0, 'true', 'FALSE', 'On', 'off', 'Yes', 'n']),
        description: 'A word for true or false.',
      },
    ],
  ],
  [
    'a time',
    annotation.fields.date_marker,
    [{ type: 'string', format: 'date-time' }, described('string')],
  ],
  ['a reference', annotation.fields.dashboard_item, [{ type: 'integer' }, described('string')]],
])('the schema of %s lists its forms', (_name, field, anyOf) => {
  expect(describeField(field, resolvePolicies())).toEqual({ anyOf })
})

test('the schema of a choice has its values, which a policy decides', () => {
  const field = annotation.fields.creation_type

  expect(describeField(field, resolvePolicies())).toEqual({ type: 'string', enum: ['USR', 'GIT'] })
  expect(
    describeField(
      field,
      resolvePolicies('documented', { 'annotations.creation_type.values': 'any' }),
    ),
  ).toEqual({ type: 'string' })
})

test('the schema of a JSON value excludes null, which is decided apart', () => {
  expect(describeField(plugin.fields.metrics, resolvePolicies())).toEqual({
    type: ['object', 'array', 'string', 'number', 'boolean'],
  })
})
