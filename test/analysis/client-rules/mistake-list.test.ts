import { expect, test } from 'vitest'
import {
  ClientMistakes,
  findClientMistakes,
} from '../../../src/analysis/client-rules/client-mistakes.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { toEntry } from './entries.ts'
import { numbers } from './rule-example.ts'

const line = (id: number) => `entry ${id}: GET ${annotationsPath} → 200`
const entries = (count: number, input = 'query.a') =>
  numbers(1, count).map((id) => toEntry({ ignored: [input] }, id))

test('a mistake has its rule, its message and its requests', () => {
  expect(findClientMistakes(entries(1))).toEqual([
    {
      rule: 'ignored-input',
      level: 'warning',
      message: 'listAnnotations ignores query.a.',
      cure: 'Remove it, or use the name that the documentation lists.',
      evidence: 'observed',
      source: 'seen by running the framework of the live service',
      details: [line(1)],
      entries: [1],
      count: 1,
    },
  ])
})

const counts: readonly [count: number, details: readonly string[], listed: number][] = [
  [3, [line(1), line(2), line(3)], 3],
  [4, [line(1), line(2), line(3), 'and 1 more'], 4],
  [20, [line(1), line(2), line(3), 'and 17 more'], 20],
  [21, [line(1), line(2), line(3), 'and 18 more'], 20],
  [50, [line(1), line(2), line(3), 'and 47 more'], 20],
]

test.each(counts)('a mistake in %i requests names the first ones', (count, details, listed) => {
  const [mistake, ...others] = findClientMistakes(entries(count))

  expect(mistake).toMatchObject({ count, details, entries: numbers(1, listed) })
  expect(others).toEqual([])
})

test('a request that shows two mistakes of a rule counts for each of them', () => {
  const ignored = ['query.a', 'query.b']

  const found = findClientMistakes([toEntry({ ignored }, 1), toEntry({ ignored }, 2)])

  expect(found.map(({ message, count }) => [message, count])).toEqual([
    ['listAnnotations ignores query.a.', 2],
    ['listAnnotations ignores query.b.', 2],
  ])
})

test('of a rule, the first 100 mistakes are listed, and counted on', () => {
  const many = numbers(1, 102).map((id) => toEntry({ ignored: [`query.q${id}`] }, id))
  const again = [1, 100, 101].map((each, index) =>
    toEntry({ ignored: [`query.q${each}`] }, 103 + index),
  )
  const other = toEntry({ path: '/api/organizations/1/', status: 404 }, 106)

  const found = findClientMistakes([...many, ...again, other])

  expect(found).toHaveLength(101)
  expect(found[0]?.entries).toEqual([1, 103])
  expect(found[98]?.entries).toEqual([99])
  expect(found[99]?.entries).toEqual([100, 104])
  expect(found[100]).toMatchObject({ rule: 'swapped-id', entries: [106] })
})

test('mistakes are listed in the order of their first requests, then of the rules', () => {
  const refused = { path: '/api/organizations/1/', status: 404, ignored: ['query.a'] }

  const found = findClientMistakes([
    toEntry({ ignored: ['query.b'] }, 1),
    toEntry(refused, 2),
    toEntry({ ignored: ['query.c'] }, 3),
  ])

  expect(found.map(({ rule, entries: [first] }) => [rule, first])).toEqual([
    ['ignored-input', 1],
    ['ignored-input', 2],
    ['swapped-id', 2],
    ['ignored-input', 3],
  ])
})

test('a list does not change what is found later', () => {
  const mistakes = new ClientMistakes()
  const refused = { method: 'DELETE', operation: 'deleteAnnotation', status: 405 }
  mistakes.add(toEntry({ ...refused, path: `${annotationsPath}1/` }, 1))

  const first = mistakes.list()
  const second = mistakes.list()
  mistakes.add(toEntry({ ...refused, path: `${annotationsPath}2/` }, 2))

  expect(second).toEqual(first)
  expect(first.map(({ entries: ids, count }) => [ids, count])).toEqual([[[1], 1]])
  expect(mistakes.list().map(({ message, count }) => [message, count])).toEqual([
    ['Annotations 1, 2 were not deleted, and the client did not delete them with PATCH.', 2],
  ])
})

test('the same mistake in several tests is one, which names them', () => {
  const of = (test: string, id: number) => toEntry({ ignored: ['query.a'], test }, id)

  const found = findClientMistakes([of('a', 1), of('b', 2), of('a', 3)])

  expect(
    found.map(({ details, entries: ids, count, tests }) => ({ details, ids, count, tests })),
  ).toEqual([
    {
      details: [
        `entry 1 of a: GET ${annotationsPath} → 200`,
        `entry 3 of a: GET ${annotationsPath} → 200`,
        `entry 2 of b: GET ${annotationsPath} → 200`,
      ],
      ids: [1, 2, 3],
      count: 3,
      tests: ['a', 'b'],
    },
  ])
})

test('the mistakes of 100 tests are sought at once, and those of earlier ones are kept', () => {
  const refused = (id: number) =>
    toEntry(
      {
        method: 'DELETE',
        operation: 'deleteAnnotation',
        status: 405,
        path: `${annotationsPath}1/`,
        test: `test ${id}`,
      },
      id,
    )
  const all = numbers(1, 150).map(refused)

  const [found] = findClientMistakes(all)

  expect(found).toMatchObject({ count: 150, tests: numbers(1, 20).map((id) => `test ${id}`) })
})
