import { expect, test } from 'vitest'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { suggestEndpoints } from '../../../src/http/unknown-path.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'

const suggest = (request: string, ...endpoints: readonly string[]) => {
  const [method = '', path = ''] = request.split(' ')
  const described = endpoints.map((endpoint) => {
    const [method, path] = endpoint.split(' ')
    return { method, path } as Endpoint<never>
  })
  return suggestEndpoints(method, path, described, resolvePolicies()).map(({ route }) => route)
}

test('the most similar endpoint is suggested first, where a slash or a method counts like a letter', () => {
  expect(suggest('GET /api/row', 'GET /api/rows', 'GET /apixrow')).toEqual([
    'GET /api/rows',
    'GET /apixrow',
  ])
  expect(suggest('PUT /api/row', 'GET /api/rows', 'GET /api/row', 'PUT /api/rows')).toEqual([
    'GET /api/row',
    'PUT /api/rows',
    'GET /api/rows',
  ])
})

test('a parameter is like every word in its place', () => {
  expect(suggest('GET /api/rows/1/part', 'GET /api/rows', 'GET /api/rows/:id/parts')).toEqual([
    'GET /api/rows/:id/parts',
    'GET /api/rows',
  ])
})

test('at most three endpoints are suggested', () => {
  const endpoints = ['GET /api/a', 'GET /api/b', 'GET /api/c', 'GET /api/d']

  expect(suggest('GET /api/x', ...endpoints)).toEqual(endpoints.slice(0, 3))
})
