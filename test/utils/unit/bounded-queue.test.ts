import { expect, test } from 'vitest'
import { BoundedQueue, MemoryBudget } from '../../../src/utils/bounded-queue.ts'

/** Numbers from 1, each of so many bytes. */
function filled(
  bounds: { count: number; bytes: number },
  count: number,
  bytes = 1,
): BoundedQueue<number> {
  const kept = new BoundedQueue<number>(bounds)
  for (let number = 1; number <= count; number++) kept.push(number, bytes)
  return kept
}

test('the latest are kept, within a number', () => {
  const kept = filled({ count: 3, bytes: 100 }, 1_000)

  expect(kept.list()).toEqual([998, 999, 1_000])
  expect([...kept.latest()]).toEqual([1_000, 999, 998])
  expect([kept.size, kept.bytes, kept.evictedCount, kept.nextPosition]).toEqual([3, 3, 997, 1_000])
})

test('the latest are kept, within bytes; what is too large for them is not', () => {
  const kept = filled({ count: 100, bytes: 100 }, 10, 30)

  expect(kept.list()).toEqual([8, 9, 10])
  kept.push(11, 101)
  expect([kept.list(), kept.bytes, kept.evictedCount]).toEqual([[], 0, 11])
  kept.push(12, 100)
  expect([kept.list(), kept.bytes]).toEqual([[12], 100])
})

test('each keeps its position, whatever makes room', () => {
  const kept = filled({ count: 100, bytes: 1_000 }, 500)

  expect(kept.next(0)).toEqual({ item: 401, position: 400 })
  expect(kept.next(450)).toEqual({ item: 451, position: 450 })
  expect(kept.next(500)).toBeNull()
  expect(kept.list(498)).toEqual([499, 500])
  kept.clear()
  expect([kept.next(0), kept.size, kept.bytes, kept.evictedCount, kept.nextPosition]).toEqual([
    null,
    0,
    0,
    0,
    500,
  ])
  kept.push(501, 1)
  expect(kept.next(0)).toEqual({ item: 501, position: 500 })
})

test('a model of it: whatever comes, the same is kept as by a list that is cut', () => {
  const bounds = { count: 70, bytes: 500 }
  const kept = new BoundedQueue<number>(bounds)
  let model: [number, number][] = []
  for (let number = 0; number < 3_000; number++) {
    const bytes = (number * 7919) % 23
    if (number % 911 === 910) {
      kept.clear()
      model = []
    }
    kept.push(number, bytes)
    model.push([number, bytes])
    const sum = () => model.reduce((total, [, size]) => total + size, 0)
    while (model.length > bounds.count || sum() > bounds.bytes) model.shift()
    expect(kept.list()).toEqual(model.map(([item]) => item))
    expect(kept.bytes).toBe(sum())
  }
})

test('those who share a budget keep what they like, until all together keep too much', () => {
  const budget = new MemoryBudget(1_000)
  const one = new BoundedQueue<number>({ count: 1_000, bytes: 900 })
  const two = new BoundedQueue<number>({ count: 1_000, bytes: 900 })
  one.share(budget)
  two.share(budget)

  for (let count = 0; count < 90; count++) one.push(count, 10)
  const alone = [one.bytes, budget.used]
  for (let count = 0; count < 90; count++) two.push(count, 10)
  const together = [two.bytes, one.bytes]
  one.push(91, 10)

  expect(alone).toEqual([900, 900])
  expect(together).toEqual([500, 900])
  expect([one.bytes, two.bytes, budget.used]).toEqual([500, 500, 1_000])
  one.clear()
  one.share(null)
  expect([budget.used, budget.holders]).toEqual([500, 1])
})
