import { expect, test } from 'vitest'
import { describeFields, hasField } from '../../../../src/analysis/report/described-fields.ts'
import { endpoints } from '../../../../src/api/endpoints.ts'
import type { Profile } from '../../../../src/policies/settings.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'

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

function describeOperation(id: string, profile: Profile) {
  const endpoint = endpoints.find((each) => each.id === id)
  return endpoint && describeFields(endpoint, resolvePolicies(profile))
}

const bodyFields = [
  ...['plugin_type', 'name', 'description', 'icon', 'config_schema', 'tag', 'is_global'],
  ...['capabilities', 'metrics', 'public_jobs'],
]
const pluginFields = [
  ...['id', 'plugin_type', 'name', 'description', 'url', 'icon', 'config_schema', 'tag'],
  ...['latest_tag', 'is_global', 'organization_id', 'organization_name'],
  ...['capabilities', 'metrics', 'public_jobs'],
]
const activityFields = [
  ...['results', 'results[].user', 'results[].user.first_name', 'results[].user.email'],
  ...['results[].activity', 'results[].scope', 'results[].item_id', 'results[].detail'],
  ...['results[].created_at', 'next', 'previous', 'total_count'],
]

test.each([
  ['deleteAnnotation', 'live', [], [], []],
  ['updatePluginSource', 'documented', [], bodyFields, pluginFields],
  ['updatePluginSource', 'live', [], [], []],
  ['createPlugin', 'live', [], bodyFields.toSpliced(3, 0, 'url'), pluginFields],
  ['listPluginActivity', 'documented', [], [], pluginFields],
  ['listPluginActivity', 'live', ['limit', 'page'], [], activityFields],
] as const)('the fields of %s, %s', (id, profile, parameters, request_fields, response_fields) => {
  expect(describeOperation(id, profile)).toEqual({ parameters, request_fields, response_fields })
})

test('the fields of a page are those of its rows', () => {
  const row = describeOperation('retrieveAnnotation', 'documented')?.response_fields ?? []

  expect(row).toContain('created_by.email')
  expect(describeOperation('listAnnotations', 'documented')).toEqual({
    parameters: ['limit', 'offset', 'search'],
    request_fields: [],
    response_fields: [
      ...['count', 'next', 'previous', 'results'],
      ...row.map((name) => `results[].${name}`),
    ],
  })
})
