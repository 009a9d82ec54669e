import { expect, test } from 'vitest'
import { LatestMap } from '../../../src/utils/latest-map.ts'

test('a map keeps so many entries, the latest that were set', () => {
  const map = new LatestMap(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4)

  expect([...map].flat()).toEqual(['a', 3, 'c', 4])
})
