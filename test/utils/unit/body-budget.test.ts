import { expect, test } from 'vitest'
import { BodyBudget, maxBody } from '../../../src/utils/body-budget.ts'

test('once a body was left out for lack of room, all others are, also those that would fit', () => {
  const budget = new BodyBudget()
  const kept = Math.floor(budget.size / maxBody)

  const large = Array.from({ length: kept + 1 }, () => budget.takes(maxBody - 1))

  expect(budget.takes(maxBody + 1)).toBe(false)
  expect(large).toEqual([...Array.from({ length: kept }, () => true), false])
  expect([budget.isSpent, budget.takes(1)]).toEqual([true, false])
})

test('a body that is too large itself spends nothing', () => {
  const budget = new BodyBudget()

  expect([budget.takes(maxBody + 1), budget.isSpent, budget.takes(1)]).toEqual([false, false, true])
})
