import { expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.ts'
import {
  type ParsedScenario,
  parseScenario,
} from '../../../../src/scenarios/format/check-scenario.ts'
import {
  ddmin,
  measureScenario,
  omitPaths,
  pathsAtDepth,
  shrink,
} from '../../../../src/scenarios/shrink/shrink.ts'

/** The lists that ddmin tries, as texts. */
async function tryAll(items: string, isNeeded: (rest: string) => boolean): Promise<string[]> {
  const tried: string[] = []
  const result = await ddmin([...items], async (rest) => {
    tried.push(rest.join(''))
    return isNeeded(rest.join(''))
  })
  return [...tried, `= ${result.join('')}`]
}

test.each([
  ['', () => true, ['= ']],
  ['a', () => true, ['', '= ']],
  ['a', () => false, ['', '= a']],
  ['abcd', (rest: string) => rest.includes('c'), ['', 'cd', '', 'd', 'c', '', '= c']],
  [
    'abcde',
    (rest: string) => /a.*e/.test(rest),
    ['', 'de', 'abc', 'cde', 'abe', 'ab', 'be', 'ae', 'a', 'e', 'a', '= ae'],
  ],
  ['abc', (rest: string) => rest === 'abc', ['', 'c', 'ab', 'bc', 'ac', 'ab', '= abc']],
])('of the items %j, large parts are removed before small ones', async (items, isNeeded, tried) => {
  expect(await tryAll(items, isNeeded)).toEqual(tried)
})

const value = { a: 1, b: [{ c: null }, []], d: { e: { f: 'g' } } }

test.each([
  [0, [[]]],
  [1, [['a'], ['b'], ['d']]],
  [
    2,
    [
      ['b', 0],
      ['b', 1],
      ['d', 'e'],
    ],
  ],
  [
    3,
    [
      ['b', 0, 'c'],
      ['d', 'e', 'f'],
    ],
  ],
  [4, []],
])('at depth %i, a value has the members %j', (depth, paths) => {
  expect(pathsAtDepth(value, depth)).toEqual(paths)
})

test.each([
  [[], value],
  [[[]], value],
  [[['a'], ['d']], { b: [{ c: null }, []] }],
  [[['b', 0]], { a: 1, b: [[]], d: { e: { f: 'g' } } }],
  [
    [
      ['b', 1],
      ['b', 0, 'c'],
    ],
    { a: 1, b: [{}], d: { e: { f: 'g' } } },
  ],
  [[['b'], ['b', 0], ['d', 'e', 'f']], { a: 1, d: { e: {} } }],
  [[['x'], ['a', 'x'], ['d', 'x', 'f']], { ...value, a: {} }],
])('without the members %j, a value is %j', (paths, rest) => {
  expect(omitPaths(value, paths)).toEqual(rest)
})

const step = { method: 'GET', path: '/' }

test.each([
  [
    { title: 'A', steps: [step] },
    { steps: 1, rows: 0, fields: 5 },
  ],
  [
    { title: 'A', world: 'default', steps: [step, step] },
    { steps: 2, rows: 0, fields: 9 },
  ],
  [
    { title: 'A', world: { now: 'x', users: [{}, { id: 1 }], keys: [{}] }, steps: [] },
    { steps: 0, rows: 3, fields: 10 },
  ],
])('the size of %j is %j', (scenario, size) => {
  expect(measureScenario(scenario as unknown as Scenario)).toEqual(size)
})

/** What is left of a scenario in each candidate of its shrinking. */
async function shrinkAll(scenario: ParsedScenario, hasProblem: (text: string) => boolean) {
  const tried: string[] = []
  const result = await shrink(scenario, async (candidate) => {
    const { title, ...rest } = candidate.scenario
    tried.push(`${JSON.stringify(rest)} ${candidate.origins}`)
    return hasProblem(tried.at(-1) as string)
  })
  return { ...result, scenario: result.scenario as Scenario, tried }
}

test('steps are removed before fields, and fields from the outermost ones inwards', async () => {
  const { tried, ...result } = await shrinkAll(
    parseScenario({
      title: 'A',
      description: 'B',
      world: 'default',
      steps: [
        { method: 'GET', path: '/a' },
        { title: 'c', method: 'GET', path: '/b', expect: { status: 200, body: { d: [1, 2] } } },
      ],
    }),
    (text) => text.includes('"/b"') && text.includes('2]'),
  )

  expect({ tried, ...result }).toMatchInlineSnapshot(`
    {
      "invalid": 9,
      "isMinimal": true,
      "runs": 9,
      "scenario": {
        "steps": [
          {
            "expect": {
              "body": {
                "d": [
                  2,
                ],
              },
            },
            "method": "GET",
            "path": "/b",
          },
        ],
        "title": "A",
        "world": "default",
      },
      "tried": [
        "{"description":"B","world":"default","steps":[{"title":"c","method":"GET","path":"/b","expect":{"status":200,"body":{"d":[1,2]}}}]} 1",
        "{"world":"default","steps":[{"title":"c","method":"GET","path":"/b","expect":{"status":200,"body":{"d":[1,2]}}}]} 1",
        "{"world":"default","steps":[{"method":"GET","path":"/b","expect":{"status":200,"body":{"d":[1,2]}}}]} 1",
        "{"world":"default","steps":[{"method":"GET","path":"/b"}]} 1",
        "{"world":"default","steps":[{"method":"GET","path":"/b","expect":{}}]} 1",
        "{"world":"default","steps":[{"method":"GET","path":"/b","expect":{"body":{"d":[1,2]}}}]} 1",
        "{"world":"default","steps":[{"method":"GET","path":"/b","expect":{"body":{}}}]} 1",
        "{"world":"default","steps":[{"method":"GET","path":"/b","expect":{"body":{"d":[]}}}]} 1",
        "{"world":"default","steps":[{"method":"GET","path":"/b","expect":{"body":{"d":[2]}}}]} 1",
      ],
    }
  `)
})

test('rows of a world are removed before its fields, from the first list to the last', async () => {
  const { tried, ...result } = await shrinkAll(
    parseScenario({
      title: 'A',
      world: {
        organizations: [{ id: '018f2b6e-0000-7000-8000-00000000000a', name: 'Acme' }],
        keys: [],
        users: [],
      },
      steps: [{ method: 'GET', path: '/' }],
    } as unknown as Scenario),
    (text) => text.includes('Acme'),
  )

  expect({ tried, ...result }).toMatchInlineSnapshot(`
    {
      "invalid": 9,
      "isMinimal": true,
      "runs": 7,
      "scenario": {
        "steps": [
          {
            "method": "GET",
            "path": "/",
          },
        ],
        "title": "A",
        "world": {
          "organizations": [
            {
              "id": "018f2b6e-0000-7000-8000-00000000000a",
              "name": "Acme",
            },
          ],
        },
      },
      "tried": [
        "{"world":{"organizations":[],"keys":[],"users":[]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"users":[]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"organizations":[{"id":"018f2b6e-0000-7000-8000-00000000000a","name":"Acme"}],"keys":[]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"keys":[]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"organizations":[{"id":"018f2b6e-0000-7000-8000-00000000000a","name":"Acme"}]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"organizations":[]},"steps":[{"method":"GET","path":"/"}]} 0",
      ],
    }
  `)
})
