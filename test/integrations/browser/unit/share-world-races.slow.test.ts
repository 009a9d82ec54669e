import { expect, test } from 'vitest'
import { randomFraction } from '../../../../src/utils/seeded-random.ts'
import {
  hasMissingWrites,
  recordTabWrite,
  type TabWrites,
} from '../../../../src/world/persistence/tab-writes.ts'
import { createTabs, type Tab } from '../../../support/browser/tabs.ts'

/** Tabs write at any time, and what they tell each other arrives at any time; then all of it has arrived. */
async function writeAtRandom(seed: number, count: number, haste: number) {
  let rolls = 0
  const roll = (): number => randomFraction(seed, 'move', rolls++)
  const tabs = createTabs()
  const written = new Map<Tab, string[]>()
  for (let index = 0; index < count; index++) written.set(tabs.open(), [])
  const opened = [...written.keys()]
  let left = 6
  for (let moves = tabs.moves(); left > 0 || moves.length > 0; moves = tabs.moves()) {
    if (left > 0 && (moves.length === 0 || roll() < haste)) {
      const tab = opened[Math.floor(roll() * count)] as Tab
      const content = `Write ${left--}`
      written.get(tab)?.push(content)
      await tab.annotate(content)
    } else {
      moves[Math.floor(roll() * moves.length)]?.()
      await null
    }
  }
  return written
}

test.each([
  { count: 2, haste: 0.05 },
  { count: 2, haste: 0.3 },
  { count: 3, haste: 0.1 },
])(
  'of $count tabs with haste $haste all end with one world, and who lost something is told',
  async ({ count, haste }) => {
    const wrong: object[] = []
    for (let seed = 0; seed < 150; seed++) {
      const tabs = [...(await writeAtRandom(seed, count, haste))]
      const ends = tabs.map(([tab]) => tab.contents())
      const lost = tabs.map(([, contents]) => contents.some((one) => !ends[0]?.includes(one)))
      const told = tabs.map(([tab]) => tab.told.length > 0)
      const isOne = ends.every((end) => end.join() === ends[0]?.join())
      const isTold = lost.every((isLost, at) => told[at] || !isLost)
      if (!isOne || !isTold || (told.includes(true) && !lost.includes(true)))
        wrong.push({ seed, ends, lost, told })
    }

    expect(wrong).toEqual([])
  },
)

test('of many tabs that write the latest are noted, and who is not wrote before them', () => {
  let writes: TabWrites = recordTabWrite('first', {})
  for (let index = 0; index < 40; index++) writes = recordTabWrite(`tab ${index}`, writes)

  expect(Object.keys(writes)).toHaveLength(16)
  expect(hasMissingWrites({ first: 1 }, writes)).toBe(false)
  expect(hasMissingWrites(recordTabWrite('another', { first: 1, 'tab 39': 41 }), writes)).toBe(true)
})
