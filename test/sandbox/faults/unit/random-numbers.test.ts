import { expect, test } from 'vitest'
import { ActiveRule, drawDelay } from '../../../../src/sandbox/faults/faults.ts'
import type { FaultDelay, FaultEffect, FaultWhen } from '../../../../src/sandbox/faults/rule.ts'
import { randomFraction } from '../../../../src/utils/seeded-random.ts'

const drop = { drop: true } as const

function addRule(when: FaultWhen = {}, effect: FaultEffect = drop): ActiveRule {
  return new ActiveRule('fault-1', { rule: { when, effect }, preset: null })
}

test('a probability is compared with the random fraction of the rule, its seed and the request', () => {
  const when = { probability: 0.5 }
  const rule = addRule(when)
  const name = `when ${JSON.stringify({ when, effect: drop, phase: 'before' })}`
  const restoreCounts = [0, 0, 0, 1, 1, 2, 2, 2]

  const applied = restoreCounts.map((restoreCount) => rule.countRequest({ seed: 7, restoreCount }))

  const draws = [1, 2, 3, 1, 2, 1, 2, 3]
  expect(applied).toEqual(draws.map((draw) => randomFraction(7, name, draw) < 0.5))
  expect(new Set(applied).size).toBe(2)
})

const delays: readonly [effect: FaultEffect, delay: number][] = [
  [drop, 0],
  [{ delay_ms: 0 }, 0],
  [{ delay_ms: 250, drop: true }, 250],
  [{ delay_ms: { min: 5, max: 5 } }, 5],
  [{ delay_ms: { median: 9, p95: 9 } }, 9],
  [{ mutate: 'null' }, 0],
  [{ mutate: 'null', delay_ms: 3 }, 3],
  [{ mutate: 'slow' }, 2_000],
  [{ mutate: { kind: 'slow' } }, 2_000],
]

test.each(delays)('the effect %j delays a request by %i ms', (effect, delay) => {
  expect(addRule({}, effect).delay(1)).toBe(delay)
})

test('a random delay is drawn for the latest counted request', () => {
  const effect = { delay_ms: { median: 100, p95: 400 } }
  const rule = addRule({}, effect)
  const text = JSON.stringify({ when: {}, effect, phase: 'before' })

  rule.countRequest({ seed: 7, restoreCount: 0 })
  rule.countRequest({ seed: 7, restoreCount: 0 })

  const [one, two] = ['one', 'two'].map((name) => randomFraction(7, `${name} ${text}`, 2))
  expect(rule.delay(7)).toBe(drawDelay(effect.delay_ms, [one as number, two as number]))
})

const draws: readonly [delay: FaultDelay, random: [number, number], milliseconds: number][] = [
  [{ min: 100, max: 200 }, [0, 0.9], 100],
  [{ min: 100, max: 200 }, [0.25, 0.9], 125],
  [{ min: 0, max: 200 }, [0.5, 0.9], 100],
  [{ median: 100, p95: 400 }, [0, 0.5], 100],
  [{ median: 100, p95: 400 }, [0.5, 0.25], 100],
  // One standard deviation above and below the median.
  [{ median: 100, p95: 400 }, [1 - Math.exp(-0.5), 0], 232.291],
  [{ median: 100, p95: 400 }, [1 - Math.exp(-0.5), 0.5], 43.049],
  // The 95th percentile.
  [{ median: 100, p95: 400 }, [1 - Math.exp(-(1.6448536 ** 2) / 2), 0], 400],
  [{ median: 1, p95: 86_400_000 }, [1 - 1e-16, 0], 2 ** 31 - 1],
]

test.each(draws)('the delay %j with the random numbers %j is %f ms', (delay, random, expected) => {
  expect(drawDelay(delay, random)).toBeCloseTo(expected, 2)
})
