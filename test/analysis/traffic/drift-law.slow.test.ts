import { expect, test } from 'vitest'
import { findFalseWords } from './check-drift.ts'

test('of 1,000 random services no policy is contradicted wrongly, and with the values found their traffic repeats', async () => {
  const wrong: unknown[] = []

  for (let seed = 100; seed < 1_100; seed += 1) {
    for (const each of await findFalseWords(seed)) wrong.push({ seed, each })
  }

  expect(wrong).toEqual([])
}, 3_600_000)
