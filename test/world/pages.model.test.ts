import { expect, test } from 'vitest'
import { PagedMap } from '../../src/world/table/paged-map.ts'
import { createRandom } from './random.ts'

test('six forked maps equal six plain ones after thousands of random writes', () => {
  const random = createRandom(7)
  const randomId = () => random.pick([1, 1, 40, 1_000_003, 2 ** 40]) * random.below(3000)
  const pairs = [{ pages: new PagedMap<number>(), rows: new Map<number, number>() }]
  for (let id = 0; id < 4000; id++) {
    pairs[0]?.pages.set(id, -id)
    pairs[0]?.rows.set(id, -id)
  }

  for (let step = 0; step < 30_000; step++) {
    const { pages, rows } = random.pick(pairs)
    const id = randomId()
    const dice = random.below(1000)
    if (dice < 2) {
      const copy = { pages: pages.fork(), rows: new Map(rows) }
      pairs[Math.min(random.below(6), pairs.length)] = copy
    } else if (dice < 3) {
      const neighbours = [...rows.keys()].filter((known) => known >= id).sort((a, b) => a - b)
      for (const known of neighbours.slice(0, 1500)) {
        expect([pages.delete(known), rows.delete(known)]).toEqual([true, true])
      }
    } else if (dice < 300) {
      expect(pages.delete(id)).toBe(rows.delete(id))
    } else {
      pages.set(id, step)
      rows.set(id, step)
    }

    const asked = randomId()
    if (pages.get(asked) !== rows.get(asked))
      expect(pages.get(asked), `step ${step}`).toBe(rows.get(asked))
    if (step % 100 > 0) continue
    const expected = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
    expect([pages.size, [...pages.values()]], `step ${step}`).toEqual([rows.size, expected])
  }
  expect(pairs.length).toBe(6)
})
