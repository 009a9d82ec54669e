import { expect, test } from 'vitest'
import {
  describePattern,
  matchesPath,
  matchingEndpoints,
} from '../../../src/sandbox/request-pattern.ts'

const annotations = '/api/projects/:project_id/annotations'

test.each([
  [{ operation: 'listAnnotations' }, ['listAnnotations']],
  [{ operation: 'listAnnotations', method: 'POST' }, []],
  [{ method: 'HEAD', path: annotations }, ['listAnnotations']],
  [{ method: ['HEAD', 'POST'], path: annotations }, ['listAnnotations', 'createAnnotation']],
  [{ method: 'POST', path: annotations }, ['createAnnotation']],
  [{ method: 'DELETE', path: '/api/projects/*/annotations/*' }, ['deleteAnnotation']],
] as const)('the endpoints of %j are %j', (pattern, ids) => {
  expect(matchingEndpoints(pattern).map(({ id }) => id)).toEqual(ids)
})

test.each([
  ['/a/{id}/', {}, true],
  ['/a/:name', {}, true],
  ['/a/*', { id: '7' }, true],
  ['/a/7/', { id: '7' }, true],
  ['/a/8', { id: '7' }, false],
  ['/a/8', {}, true],
  ['/*/7', { id: '7' }, true],
  ['/b/7', { id: '7' }, false],
  ['/a', { id: '7' }, false],
  ['/a/7/c', { id: '7' }, false],
  ['/a/*x', { id: '7' }, false],
])('%s matches /a/:id with %j: %s', (path, params, expected) => {
  expect(matchesPath(path, '/a/:id', params)).toBe(expected)
})

test.each([
  [{}, 'any request'],
  [{ key: 'phx_secret' }, 'any request'],
  [{ method: 'GET' }, 'GET'],
  [{ method: ['GET', 'POST'], path: '/a' }, 'GET, POST /a'],
  [{ path: '/a' }, '/a'],
  [{ operation: 'listPlugins', method: 'GET' }, 'listPlugins'],
] as const)('the pattern %j is described as %s', (pattern, text) => {
  expect(describePattern(pattern)).toBe(text)
})
