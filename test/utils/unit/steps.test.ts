import { expect, test } from 'vitest'
import { finish, sortInSteps } from '../../../src/utils/steps.ts'
import { finishBetweenEvents } from '../../../src/utils/wait.ts'

const numbers = Array.from({ length: 10_000 }, (_, index) => (index * 7_919) % 10_007)

test.each([
  ['in any order', numbers],
  ['in order', numbers.toSorted((a, b) => a - b)],
  ['in the reverse order', numbers.toSorted((a, b) => b - a)],
  ['in order apart from the last one', [...Array(2_050).keys(), -1]],
  ['in the reverse order apart from the last one', [...Array(2_050).keys()].reverse().concat(1e6)],
  ['in order apart from two at the end of a step', [...Array(1_023).keys(), 1_024, 1_023, 1_025]],
  ['of which there are none', []],
  ['of which there is one', [1]],
])('sorts numbers %s in steps', (_, list) => {
  const before = [...list]

  expect(finish(sortInSteps(list, (a, b) => a - b))).toEqual(list.toSorted((a, b) => a - b))
  expect(list).toEqual(before)
})

test('other events run between the steps', async () => {
  let events = 0
  const timer = setInterval(() => events++, 1)
  function* work() {
    const end = performance.now() + 60
    while (performance.now() < end) yield
    return 'done'
  }

  expect(await finishBetweenEvents(work())).toBe('done')
  expect(events).toBeGreaterThan(0)
  clearInterval(timer)
})
