import { expect, test } from 'vitest'
import { BoundedQueue } from '../../../src/simulator/journal/changes.ts'

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
