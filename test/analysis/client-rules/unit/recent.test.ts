import { expect, test } from 'vitest'
import { RecentMap, Streak, toClientRequest } from '../../../../src/analysis/client-rules/rule.ts'
import { toEntry } from '../entries.ts'

test('a map forgets what was set longest ago, beyond its limit', () => {
  const map = new RecentMap<number>(2)

  map.set('a', 1).set('b', 2)
  expect([...map]).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  map.set('a', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3],
  ])
  map.set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})

/** Adds requests at these seconds to a streak of three with ten seconds in between. Lists the ids that each one reports. */
function reported(...seconds: readonly number[]): number[][] {
  const streak = new Streak()
  return seconds.map((after, index) => {
    const request = toClientRequest(toEntry({ after }, index + 1))
    return streak.add(request, { times: 3, seconds: 10 }).map(({ id }) => id)
  })
}

const streaks: readonly [seconds: readonly number[], reports: readonly number[][]][] = [
  [
    [0, 0],
    [[], []],
  ],
  [
    [0, 0, 0],
    [[], [], [1, 2, 3]],
  ],
  [
    [0, 5, 10],
    [[], [], [1, 2, 3]],
  ],
  [
    [0, 10, 20],
    [[], [], [1, 2, 3]],
  ],
  [
    [0, 10.001, 15],
    [[], [], []],
  ],
  [
    [0, 10.001, 15, 20],
    [[], [], [], [2, 3, 4]],
  ],
  [
    [0, 0, 0, 0, 9],
    [[], [], [1, 2, 3], [4], [5]],
  ],
  [
    [0, 0, 0, 11, 11, 11],
    [[], [], [1, 2, 3], [], [], [4, 5, 6]],
  ],
  [
    [0, -10, -10],
    [[], [], [1, 2, 3]],
  ],
  [
    [0, -10.001, -10.001],
    [[], [], []],
  ],
]

test.each(streaks)('requests at the seconds %j are reported as %j', (seconds, reports) => {
  expect(reported(...seconds)).toEqual(reports)
})
