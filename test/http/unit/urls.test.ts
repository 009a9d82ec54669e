import { expect, test } from 'vitest'
import { queryString, requestTarget } from '../../../src/http/messages.ts'
import { splitSandboxPath } from '../../../src/http/route.ts'
import { linksFrom } from '../../../src/utils/query.ts'

test('a fragment is part of neither the query nor the target', () => {
  const url = 'http://a.test/api/projects/?limit=1#a\nb'

  expect(queryString(url)).toBe('limit=1')
  expect(queryString('/api/projects/#?limit')).toBe('limit')
  expect(requestTarget(url)).toBe('/api/projects/?limit=1')
  expect(requestTarget('http://a.test')).toBe('/')
})

test.each([
  ['/__sandbox/a/api/projects/?limit=1', 'a', '/api/projects/?limit=1'],
  ['/__sandbox/a', 'a', '/'],
  ['/__sandbox/a?limit=1', 'a', '/?limit=1'],
  ['/__sandbox/', '', '/'],
  ['/__sandbox', undefined, '/__sandbox'],
  ['/mock/__sandbox/a/x', undefined, '/mock/__sandbox/a/x'],
])('the path %s is of the sandbox %s, in which it is %s', (text, sandboxId, path) => {
  expect(splitSandboxPath(text)).toEqual({ sandboxId, path })
})

test('a link keeps other parameters, sorted and encoded as Python does, and no fragment', () => {
  const url = 'http://a.test/api/?page=9&b=~*&limit=1&page=2&a=1#f'

  expect(linksFrom(url)({ limit: 5, page: 3 })).toBe('http://a.test/api/?a=1&b=~%2A&limit=5&page=3')
  expect(linksFrom('/api/#a')({ limit: 1, offset: null })).toBe('/api/?limit=1')
})
