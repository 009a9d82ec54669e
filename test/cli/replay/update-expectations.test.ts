import { expect, test } from 'vitest'
import { replaceInJson, updateExpectations } from '../../../src/cli/update-expectations.ts'
import type { ReplayResult } from '../../../src/index.ts'
import type { StepDifference } from '../../../src/scenarios/run/differences.ts'

test('replaceInJson replaces one value and keeps everything else as it is written', () => {
  const text = '{ "a" :[1,  {"b\\"}": "]}" , "c": {} }],\r\n  "d": -1.5e3 }\n'

  expect(replaceInJson(text, ['a', 1, 'c'], null)).toBe(text.replace('{} }', 'null }'))
  expect(replaceInJson(text, ['a', 1, 'b"}'], '"')).toBe(text.replace('"]}"', '"\\""'))
  expect(replaceInJson(text, ['a', 0], [])).toBe(text.replace('[1', '[[]'))
  expect(replaceInJson(text, ['d'], true)).toBe(text.replace('-1.5e3', 'true'))
  expect(replaceInJson(text, [], {})).toBe('{}\n')
})

test('replaceInJson keeps a value that fits on its line, and breaks a longer one', () => {
  const text = '{\r\n    "a": 1,\r\n    "b": 2\r\n}'
  const long = { name: 'x'.repeat(90), list: [] }

  expect(replaceInJson(text, ['a'], { c: [1, { d: null }], e: {} })).toBe(
    text.replace('1', '{ "c": [1, { "d": null }], "e": {} }'),
  )
  expect(replaceInJson(text, ['b'], long)).toBe(
    text.replace('2', `{\r\n      "name": "${long.name}",\r\n      "list": []\r\n    }`),
  )
})

test('updateExpectations replaces what differs by the actual response', () => {
  const story = (expected: string) => `{ "steps": [{ "reset": true }, {\n"expect": ${expected} }] }`
  const difference = (path: (string | number)[], actual: unknown): StepDifference => ({
    path: ['expect', ...path],
    where: '',
    expected: null,
    got: actual,
  })
  const result = (differences: StepDifference[], response: object | null = null) =>
    ({ steps: [{ step: 2, response, differences }] }) as unknown as ReplayResult

  const before =
    '{ "headers": { "allow": "GET" },\n"body": { "a": { "$match": "id" }, "b": [1, 2] } }'
  const all = [
    difference(['headers', 'allow'], undefined),
    difference(['body', 'b', 1], { $match: 'as it was sent' }),
    difference(['body', 'a'], undefined),
  ]
  expect(updateExpectations(story(before), result(all))).toBe(
    story(
      '{ "headers": { "allow": null },\n"body": { "b": [1, { "$literal": { "$match": "as it was sent" } }] } }',
    ),
  )
  expect(
    updateExpectations(
      story('{ "exact_body": {} }'),
      result([difference(['exact_body', 'new'], 1)]),
    ),
  ).toBe(story('{ "exact_body": { "new": 1 } }'))
  expect(
    updateExpectations(story('{ "body": { "id": 1 } }'), result([difference(['body'], undefined)])),
  ).toBe(story('{ "body": { "$match": "absent" } }'))
  const broken = [difference(['broken'], 'in words')]
  expect(
    updateExpectations(story('{ "status": 200 }'), result(broken, { status: 0, text: '' })),
  ).toBe(story('{ "broken": true }'))
  expect(
    updateExpectations(story('{ "broken": true }'), result(broken, { status: 204, text: '' })),
  ).toBe(story('{ "status": 204 }'))
})
