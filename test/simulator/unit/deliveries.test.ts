import { expect, test } from 'vitest'
import { Deliveries } from '../../../src/simulator/journal/journal.ts'

test.each([[[]], [[5]], [[3, 4, 5]], [[3, 5]], [[1, 2]]])(
  'a client has the responses before it, but %j, which are on their way',
  (sending) => {
    const deliveries = new Deliveries({ position: 6 })
    for (const position of sending) deliveries.depart(position)

    const { position, unsent } = deliveries.arrive()

    const missing = [0, 1, 2, 3, 4, 5, 6, 7].filter((at) => at >= position || unsent.includes(at))
    expect(missing).toEqual([...sending, 6, 7])
  },
)
