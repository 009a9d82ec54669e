import { expect, test } from 'vitest'
import { queryString, requestTarget, withQuery } from '../../../src/http/messages.ts'
import { splitSandboxPath } from '../../../src/http/route.ts'

test('a fragment is part of neither the query nor the target', () => {
  const url = 'http://a.test/api/projects/?limit=1#a\nb'

  expect(queryString(url)).toBe('limit=1')
  expect(queryString('/api/projects/#?limit')).toBe('limit')
  expect(requestTarget(url)).toBe('/api/projects/?limit=1')
  expect(requestTarget('http://a.test')).toBe('/')
  expect(withQuery(url, new URLSearchParams('b=~*&a=1'))).toBe(
    'http://a.test/api/projects/?a=1&b=~%2A',
  )
  expect(withQuery('/api/#a', new URLSearchParams('a=1'))).toBe('/api/?a=1')
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
