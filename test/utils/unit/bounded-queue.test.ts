import { expect, test } from 'vitest'
import { BoundedQueue } from '../../../src/simulator/journal/changes.ts'

/** A queue of the numbers from 1 to `count`, each of so many bytes. */
function fill(
  bounds: { count: number; bytes: number },
  count: number,
  bytes = 1,
): BoundedQueue<number> {
  const queue = new BoundedQueue<number>(bounds, () => () => {})
  for (let number = 1; number <= count; number++) queue.push(number, bytes)
  return queue
}

test('keeps the newest items, up to a number of bytes, and never a larger item', () => {
  const queue = fill({ count: 100, bytes: 100 }, 10, 30)

  expect(queue.list()).toEqual([8, 9, 10])
  queue.push(11, 101)
  expect([queue.list(), queue.evictedCount]).toEqual([[], 11])
  queue.push(12, 100)
  expect(queue.list()).toEqual([12])
})

test('an item keeps its position when others are evicted', () => {
  const queue = fill({ count: 100, bytes: 1_000 }, 500)

  expect(queue.next(0)).toEqual({ item: 401, position: 400 })
  expect(queue.next(450)).toEqual({ item: 451, position: 450 })
  expect(queue.next(500)).toBeNull()
  expect(queue.list(498)).toEqual([499, 500])
  queue.clear()
  expect(queue.next(0)).toBeNull()
  expect(queue).toMatchObject({ size: 0, evictedCount: 0, nextPosition: 500 })
  queue.push(501, 1)
  expect(queue.next(0)).toEqual({ item: 501, position: 500 })
})

test('behaves like a plain list that is cut after each push', () => {
  const bounds = { count: 45, bytes: 500 }
  const queue = new BoundedQueue<number>(bounds, () => () => {})
  let model: [number, number][] = []
  for (let number = 0; number < 3_000; number++) {
    const bytes = (number * 7919) % 23
    if (number % 911 === 910) {
      queue.clear()
      model = []
    }
    queue.push(number, bytes)
    model.push([number, bytes])
    const sum = () => model.reduce((total, [, size]) => total + size, 0)
    while (model.length > bounds.count || sum() > bounds.bytes) model.shift()
    expect.soft(queue.list()).toEqual(model.map(([item]) => item))
    expect.soft([queue.size, queue.nextPosition]).toEqual([model.length, number + 1])
  }
})
