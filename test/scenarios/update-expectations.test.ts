import { expect, test } from 'vitest'
import type { RunResult, Scenario } from '../../src/index.ts'
import { updateExpectations } from '../../src/scenarios/update-expectations.ts'

const story = (expect: object) =>
  ({ title: 'A', steps: [{ reset: true }, { method: 'GET', path: '/', expect }] }) as Scenario
const at = (path: (string | number)[], got?: unknown) => ({ path: ['expect', ...path], got })
const marked = { $match: 'as it was sent' }

test.each<[what: string, before: object, differences: object[], after: object, response?: object]>([
  [
    'values',
    { headers: { allow: 'GET' }, body: { a: { $match: 'id' }, b: [1, 2] } },
    [at(['headers', 'allow']), at(['body', 'b', 1], marked), at(['body', 'a'])],
    { headers: { allow: null }, body: { b: [1, { $literal: marked }] } },
  ],
  ['a new field', { exact_body: {} }, [at(['exact_body', 'new'], 1)], { exact_body: { new: 1 } }],
  ['no body', { body: { id: 1 } }, [at(['body'])], { body: { $match: 'absent' } }],
  [
    'a broken connection',
    { status: 200 },
    [at(['broken'], 'in words')],
    { broken: true },
    { status: 0, text: '' },
  ],
  [
    'a response',
    { broken: true },
    [at(['broken'], 'in words')],
    { status: 204 },
    { status: 204, text: '' },
  ],
])('updateExpectations writes %s', (_, before, differences, after, response) => {
  const result = { steps: [{ step: 2, response, differences }] } as unknown as RunResult

  expect(updateExpectations(story(before), result)).toEqual(story(after))
})
