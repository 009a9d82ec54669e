import { expect, test } from 'vitest'
import type { RequestStep } from '../../../../src/index.ts'
import { hasPathOfStep } from '../../../../src/scenarios/replay-server/match-request.ts'

const step = (path: string): RequestStep => ({ method: 'GET', path })

test.each([
  ['/a/{id}/', '/a/1', true],
  ['/a/{id}', '/a/1/', true],
  ['/a/{id}?b=1', '/a/1/', true],
  ['/a/{id}/', '/a//', false],
  ['/a/{id}/', '/a/1/2', false],
  ['/a/{id}/', '/b/1', false],
  ['/a/{id}/c', '/a/1/d', false],
  ['/a/x-{id}', '/a/x-1', true],
  ['/a/x-{id}', '/a/x-', false],
  ['/a/x-{id}', '/a/y-1', false],
  ['/a/{id}.json', '/a/1.json', true],
  ['/a/{id}.json', '/a/.json', false],
  ['/a/{id}.json', '/a/1.yaml', false],
  ['/a/{one}-{two}', '/a/1-2', true],
  ['/a/{one}-{two}', '/a/-2', false],
  ['/a/{one}-{two}', '/a/1-', false],
  ['/a/{one}-{two}', '/a/12', false],
  ['/a/{one}{two}', '/a/1', true],
  ['{next}', '/a/1', false],
  ['{next}', '1', false],
])('the path %s of a step matches %s: %s', (template, path, expected) => {
  expect(hasPathOfStep(step(template), path)).toBe(expected)
})
