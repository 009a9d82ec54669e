import { expect, test } from 'vitest'
import { updateExpectations } from '../../../src/cli/update-expectations.ts'
import type { RunResult, Scenario } from '../../../src/index.ts'
import type { StepDifference } from '../../../src/scenarios/run/differences.ts'

test('updateExpectations replaces what differs by the actual response', () => {
  const story = (expect: object) =>
    ({ title: 'A', steps: [{ reset: true }, { method: 'GET', path: '/', expect }] }) as Scenario
  const difference = (path: (string | number)[], actual: unknown): StepDifference => ({
    path: ['expect', ...path],
    where: '',
    expected: null,
    got: actual,
  })
  const result = (differences: StepDifference[], response: object | null = null) =>
    ({ steps: [{ step: 2, response, differences }] }) as unknown as RunResult

  const before = { headers: { allow: 'GET' }, body: { a: { $match: 'id' }, b: [1, 2] } }
  const all = [
    difference(['headers', 'allow'], undefined),
    difference(['body', 'b', 1], { $match: 'as it was sent' }),
    difference(['body', 'a'], undefined),
  ]
  expect(updateExpectations(story(before), result(all))).toEqual(
    story({
      headers: { allow: null },
      body: { b: [1, { $literal: { $match: 'as it was sent' } }] },
    }),
  )
  expect(
    updateExpectations(story({ exact_body: {} }), result([difference(['exact_body', 'new'], 1)])),
  ).toEqual(story({ exact_body: { new: 1 } }))
  expect(
    updateExpectations(story({ body: { id: 1 } }), result([difference(['body'], undefined)])),
  ).toEqual(story({ body: { $match: 'absent' } }))
  const broken = [difference(['broken'], 'in words')]
  expect(
    updateExpectations(story({ status: 200 }), result(broken, { status: 0, text: '' })),
  ).toEqual(story({ broken: true }))
  expect(
    updateExpectations(story({ broken: true }), result(broken, { status: 204, text: '' })),
  ).toEqual(story({ status: 204 }))
})
