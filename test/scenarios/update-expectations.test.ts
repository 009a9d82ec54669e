import { expect, test } from 'vitest'
import type { RunResult, Scenario } from '../../src/index.ts'
import { updateExpectations } from '../../src/scenarios/update-expectations.ts'

const story = (expect: object) =>
  ({ title: 'A', steps: [{ reset: true }, { method: 'GET', path: '/', expect }] }) as Scenario
const at = (path: (string | number)[], got?: unknown) => ({ path: ['expect', ...path], got })
const time = '2024-06-15T12:00:00Z'
const broken = [at(['broken'], 'in words')]
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
  ['a broken connection', { status: 200 }, broken, { broken: true }, { status: 0, text: '' }],
  ['a response', { broken: true }, broken, { status: 204 }, { status: 204, text: '' }],
  [
    'links and times',
    { body: { next: null, at: null } },
    [at(['body', 'next'], 'http://a/b?c=d'), at(['body', 'at'], time)],
    { body: { next: { $saved: '{base_url}/b?c=d' }, at: { $match: 'time' } } },
  ],
])('updateExpectations writes %s', (_, before, differences, after, response) => {
  const steps = [{ step: 2, response, differences }]
  const result = { base_url: 'http://a', steps } as unknown as RunResult

  expect(updateExpectations(story(before), result)).toEqual(story(after))
})

test('with a frozen clock, times are written as they are', () => {
  const result = { steps: [{ step: 2, differences: [at(['body', 'at'], time)] }] }
  const frozen = (body: object) => ({ ...story({ body }), clock: '2024-01-01T00:00:00Z' })

  expect(updateExpectations(frozen({}), result as never)).toEqual(frozen({ at: time }))
})
