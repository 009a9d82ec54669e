import { expect, test } from 'vitest'
import { BodyBudget, maxBody } from '../../../src/utils/body-budget.ts'

test('once a body was left out for lack of room, all others are, but one that is too large itself spends nothing', () => {
  const budget = new BodyBudget()
  const kept = Math.floor(budget.size / maxBody)

  const tooLarge = [budget.takes(maxBody + 1), budget.isSpent]
  const large = Array.from({ length: kept + 1 }, () => budget.takes(maxBody - 1))

  expect(tooLarge).toEqual([false, false])
  expect(large).toEqual([...Array.from({ length: kept }, () => true), false])
  expect([budget.isSpent, budget.takes(1)]).toEqual([true, false])
})
