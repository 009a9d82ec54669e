import { expect, test } from 'vitest'
import type { RequestStep, Scenario } from '../../../../src/index.ts'
import {
  carryProgressOver,
  hasPathOfStep,
  retainSaved,
  toTrackedRequests,
} from '../../../../src/scenarios/replay-server/match-request.ts'

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

const list = { method: 'GET', path: '/a/' } as const
const create = { method: 'POST', path: '/a/', body: { b: 1 } } as const
const story = (...steps: Scenario['steps']): Scenario => ({ title: 'A', steps })

test.each([
  ['equal requests', [list, create], [list, create], [1, 1], { added: 0, changed: 0, removed: 0 }],
  ['a request more', [list], [list, create], [1, 0], { added: 1, changed: 0, removed: 0 }],
  ['a request less', [list, create], [create], [1], { added: 0, changed: 0, removed: 1 }],
  [
    'another response to a read',
    [list],
    [{ ...list, expect: { status: 404 } }],
    [0],
    { added: 0, changed: 1, removed: 0 },
  ],
  [
    'another response to a write',
    [create],
    [{ ...create, expect: { status: 404 } }],
    [1],
    { added: 0, changed: 1, removed: 0 },
  ],
  [
    'another body of a write',
    [create],
    [{ ...create, body: { b: 2 } }],
    [0],
    { added: 1, changed: 0, removed: 1 },
  ],
] as const)('the progress of a recording with %s', (_, before, after, counts, changes) => {
  const former = toTrackedRequests(story(...before))
  for (const request of former) request.count = 1
  const next = toTrackedRequests(story(...after))

  expect(carryProgressOver(former, next)).toEqual(changes)
  expect(next.map(({ count }) => count)).toEqual(counts)
})

test('the values of answered requests are kept', () => {
  const recorded = toTrackedRequests(
    story({ ...list, save: { first: '/a' } }, { ...list, save: { second: '/a' } }, create),
  )
  for (const [at, count] of [1, 0, 2].entries()) Object.assign(recorded[at] as object, { count })
  const saved = new Map(Object.entries({ first: 1, second: 2, base_url: 'x' }))

  expect(Object.fromEntries(retainSaved(recorded, saved))).toEqual({ first: 1 })
})
