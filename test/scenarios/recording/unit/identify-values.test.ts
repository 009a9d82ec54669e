import { expect, test } from 'vitest'
import {
  isUuid,
  kindsOfResponse,
  singular,
} from '../../../../src/scenarios/recording/identify-values.ts'

test.each([
  ['annotations', 'annotation'],
  ['activities', 'activity'],
  ['address', 'address'],
  ['status', 'status'],
  ['annotation', 'annotation'],
  ['s', ''],
  ['plugin-configs', 'plugin_config'],
])('one of %s is called %s', (plural, name) => {
  expect(singular(plural)).toBe(name)
})

test.each([
  ['018f2b6e-0000-7000-8000-00000000000a', true],
  ['018F2B6E-0000-7000-8000-00000000000A', true],
  ['018f2b6e000070008000-00000000000a-----', false],
  ['018f2b6e-0000-7000-8000-00000000000g', false],
  ['x018f2b6e-0000-7000-8000-0000000000a', false],
  ['018f2b6e-0000-7000-8000-00000000000', false],
])('%s is a UUID: %s', (text, expected) => {
  expect(isUuid(text)).toBe(expected)
})

test.each([
  ['/api/projects/1/annotations/', { kind: 'annotation' }],
  ['/api/projects/1/annotations/7/', { kind: 'annotation' }],
  ['/a/plugins/12/refresh/', { kind: 'refresh', subject: { kind: 'plugin', id: '12' } }],
  ['/a/plugins/12/logs/', { kind: 'log' }],
  ['/a/plugins/12/1st/', { kind: 'value', subject: { kind: 'plugin', id: '12' } }],
  ['/', { kind: 'value' }],
])('a response to %s contains %j', (path, kinds) => {
  expect(kindsOfResponse(path)).toEqual(kinds)
})
