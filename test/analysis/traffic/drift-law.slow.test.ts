import { expect, test } from 'vitest'
import { checkDrift } from './check-drift.ts'

test('of 100 random services no policy is contradicted wrongly, and the traffic of 98 % repeats with the values found', async () => {
  const wrong: unknown[] = []
  let open = 0

  for (let seed = 100; seed < 200; seed += 1) {
    const checked = await checkDrift(seed)
    for (const each of checked.wrong) wrong.push({ seed, each })
    if (checked.open.length > 0) open += 1
  }

  expect(wrong).toEqual([])
  expect(open).toBeLessThanOrEqual(2)
}, 600_000)
