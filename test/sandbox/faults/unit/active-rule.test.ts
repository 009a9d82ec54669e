import { expect, test } from 'vitest'
import { ActiveRule, drawDelay } from '../../../../src/sandbox/faults/active-rule.ts'
import type { FaultDelay, FaultEffect, FaultWhen } from '../../../../src/sandbox/faults/rule.ts'
import { randomFraction } from '../../../../src/utils/seeded-random.ts'

const drop = { drop: true } as const

function addRule(when: FaultWhen = {}, effect: FaultEffect = drop): ActiveRule {
  return new ActiveRule('fault-1', { rule: { when, effect }, preset: null })
}

const counts: readonly [when: FaultWhen | undefined, applying: readonly number[]][] = [
  [undefined, [1, 2, 3, 4, 5, 6]],
  [{ skip: 0 }, [1, 2, 3, 4, 5, 6]],
  [{ skip: 5 }, [6]],
  [{ skip: 6 }, []],
  [{ every: 1 }, [1, 2, 3, 4, 5, 6]],
  [{ every: 2 }, [2, 4, 6]],
  [{ every: 2, skip: 1 }, [3, 5]],
  [{ every: 3, skip: 4 }, []],
  [{ times: 0 }, []],
  [{ times: 1 }, [1]],
  [{ times: 2, every: 2 }, [2, 4]],
  [{ times: 5, skip: 4 }, [5, 6]],
  [{ probability: 0 }, []],
  [{ probability: 1 }, [1, 2, 3, 4, 5, 6]],
]

test.each(counts)('with %j, a rule applies to the requests %j', (when, applying) => {
  const rule = addRule(when)

  const applied = [1, 2, 3, 4, 5, 6].filter(() => {
    const applies = rule.countRequest({ seed: 1, restoreCount: 0 })
    if (applies) rule.applied += 1
    return applies
  })

  expect(applied).toEqual(applying)
  expect(rule.matched).toBe(6)
})

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

test('the first draws after all rows were replaced are those of the start', () => {
  const rule = addRule({ probability: 0.5 })
  const draw = (restoreCount: number) => rule.countRequest({ seed: 3, restoreCount })

  const first = Array.from({ length: 20 }, () => draw(0))
  const again = Array.from({ length: 20 }, () => draw(1))

  expect(again).toEqual(first)
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

test.each([
  [drop, undefined, 'before'],
  [drop, 'mid-body', 'mid-body'],
  [{ cut_bytes: 0 }, undefined, 'mid-body'],
  [{ mutate: 'null' }, undefined, 'after-commit'],
] as const)('the effect %j with the phase %s has the phase %s', (effect, phase, expected) => {
  const rule = new ActiveRule('fault-3', {
    rule: { effect, ...(phase && { phase }) },
    preset: 'flaky',
  })

  const { id, preset, matched, applied } = rule
  expect([id, preset, matched, applied]).toEqual(['fault-3', 'flaky', 0, 0])
  expect(rule.rule).toEqual({ effect, phase: expected })
})
