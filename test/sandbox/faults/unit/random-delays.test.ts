import { expect, test } from 'vitest'
import { drawDelay } from '../../../../src/sandbox/faults/active-rule.ts'
import { randomFraction } from '../../../../src/utils/seeded-random.ts'

const draws = 20_000
const draw = (delay: Parameters<typeof drawDelay>[0]) =>
  Array.from({ length: draws }, (_, count) =>
    drawDelay(delay, [randomFraction(7, 'one', count), randomFraction(7, 'two', count)]),
  ).sort((a, b) => a - b)
const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(draws * share)] ?? 0

test('a fixed delay is not random', () => {
  expect(drawDelay(250, [0.1, 0.9])).toBe(250)
})

test('a delay with min and max is uniformly distributed', () => {
  const drawn = draw({ min: 100, max: 200 })

  expect(drawn[0]).toBeGreaterThanOrEqual(100)
  expect(drawn.at(-1)).toBeLessThan(200)
  expect(quantile(drawn, 0.25)).toBeCloseTo(125, -1)
  expect(quantile(drawn, 0.75)).toBeCloseTo(175, -1)
})

test('a delay with median and p95 has this median, this 95th percentile, and a long tail', () => {
  const drawn = draw({ median: 100, p95: 400 })

  expect(Math.abs(quantile(drawn, 0.5) - 100)).toBeLessThan(5)
  expect(Math.abs(quantile(drawn, 0.95) - 400)).toBeLessThan(30)
  expect(drawn.at(-1)).toBeGreaterThan(1_000)
  expect(drawn[0]).toBeGreaterThan(0)
})

test('random fractions depend on seed, name and count', () => {
  expect(randomFraction(7, 'one', 1)).toBe(randomFraction(7, 'one', 1))
  const others = [
    randomFraction(8, 'one', 1),
    randomFraction(7, 'two', 1),
    randomFraction(7, 'one', 2),
  ]
  for (const other of others) expect(other).not.toBe(randomFraction(7, 'one', 1))
})
