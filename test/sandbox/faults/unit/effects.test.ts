import { expect, test } from 'vitest'
import {
  effectSchema,
  findEffectIssues,
  headersSchema,
  mainEffect,
} from '../../../../src/sandbox/faults/effects.ts'
import type { FaultEffect } from '../../../../src/sandbox/faults/rule.ts'

const stale = { stale: { writes: 1 } }

const beside = (other: string, main: string) => [
  `effect.${other}`,
  `expected no ${other} beside ${main}`,
]
const onlyWith = (option: string, main: string) => [
  `effect.${option}`,
  `expected ${option} only with ${main}`,
]

const combinations: readonly [effect: FaultEffect, issues: readonly unknown[]][] = [
  [
    {},
    [
      [
        'effect',
        'expected one of error, status, drop, stale, mutate, cut_bytes, slow_bytes_per_s, delay_ms',
      ],
    ],
  ],
  [{ error: 'throttled', detail: 'x', retry_after_s: 0, delay_ms: 0 }, []],
  [{ status: 200, headers: {}, body: null, delay_ms: 0 }, []],
  [{ cut_bytes: 0, slow_bytes_per_s: 1, delay_ms: 0 }, []],
  [{ mutate: 'null', delay_ms: 0 }, []],
  [{ error: 'throttled', status: 500 }, [beside('status', 'error')]],
  [
    { status: 500, drop: true, ...stale, cut_bytes: 0 },
    [beside('drop', 'status'), beside('stale', 'status'), beside('cut_bytes', 'status')],
  ],
  [{ drop: true, slow_bytes_per_s: 1 }, [beside('slow_bytes_per_s', 'drop')]],
  [{ ...stale, mutate: 'null' }, [beside('mutate', 'stale')]],
  [
    { drop: true, detail: '', retry_after_s: 0, headers: {}, body: null },
    [
      onlyWith('detail', 'error'),
      onlyWith('retry_after_s', 'error'),
      onlyWith('headers', 'status'),
      onlyWith('body', 'status'),
    ],
  ],
  [{ status: 203, body: '' }, []],
  [{ status: 204 }, []],
  [{ status: 204, body: '' }, [['effect.body', 'expected no body with status 204']]],
  [{ status: 205, body: '' }, [['effect.body', 'expected no body with status 205']]],
  [{ status: 304, body: '' }, [['effect.body', 'expected no body with status 304']]],
  [{ mutate: 'slow' }, []],
  [{ mutate: 'slow', delay_ms: 0 }, [['effect.delay_ms', 'expected no delay_ms beside slow']]],
  [
    { mutate: { kind: 'slow' }, delay_ms: 0 },
    [['effect.delay_ms', 'expected no delay_ms beside slow']],
  ],
]

test.each(combinations)('the effect %j has the issues %j', (effect, issues) => {
  expect(findEffectIssues(effect)).toEqual(issues)
})

const phases: readonly [effect: FaultEffect, ...allowed: string[]][] = [
  [{ error: 'throttled' }, 'before', 'after-commit'],
  [{ status: 500 }, 'before', 'after-commit'],
  [{ drop: true }, 'before', 'after-commit', 'mid-body'],
  [stale, 'before'],
  [{ mutate: 'null' }, 'after-commit'],
  [{ cut_bytes: 0 }, 'mid-body'],
  [{ slow_bytes_per_s: 1 }, 'mid-body'],
  [{ delay_ms: 0 }, 'before', 'after-commit', 'mid-body'],
]

test.each(phases)('the effect %j can have the phases %s %s %s', (effect, ...allowed) => {
  const message = `expected ${allowed.join(' or ')} for ${mainEffect(effect)}`
  const all = ['before', 'after-commit', 'mid-body'] as const

  const issues = all.map((phase) => findEffectIssues(effect, phase))

  expect(issues).toEqual(all.map((phase) => (allowed.includes(phase) ? [] : [['phase', message]])))
})

test.each([
  [{}, true],
  [{ 'X-Proxy': 'edge', 'content-type': 'text/html' }, true],
  [{ 'x-a': 'a\tb é ~' }, true],
  [{ 'x-a': '' }, true],
  [{ 'x-a': 'a\u0001' }, false],
  [{ 'x-a': '\u007fa' }, false],
  [{ 'x-a': 'a', 'x-b': '\u0100' }, false],
  [{ 'x a': 'a' }, false],
  [{ 'x-a': 'a', 'Content-Length': '1' }, false],
  [{ 'transfer-encoding': 'chunked' }, false],
  [{ trailer: 'x-a' }, false],
  [{ 'x-a': 1 }, false],
])('the headers %j are valid: %s', (headers, isValid) => {
  expect(headersSchema.safeParse(headers).success).toBe(isValid)
})

const day = 86_400_000

const values: readonly [effect: object, isValid: boolean][] = [
  [{ retry_after_s: 0 }, true],
  [{ retry_after_s: -1 }, false],
  [{ retry_after_s: 0.5 }, false],
  [{ status: 199 }, false],
  [{ status: 200 }, true],
  [{ status: 599 }, true],
  [{ status: 600 }, false],
  [{ drop: false }, false],
  [{ cut_bytes: -1 }, false],
  [{ slow_bytes_per_s: 0.5 }, false],
  [{ stale: { writes: 1_000 } }, true],
  [{ stale: { writes: 1_001 } }, false],
  [{ mutate: { kind: 'null', field: '' } }, false],
  [{ mutate: { kind: 'null', field: 'a' } }, true],
  [{ mutate: { kind: 'null', path: 'a' } }, false],
  [{ delay_ms: day }, true],
  [{ delay_ms: day + 1 }, false],
  [{ delay_ms: -1 }, false],
  [{ delay_ms: 0.5 }, true],
  [{ delay_ms: { min: 0, max: 0 } }, true],
  [{ delay_ms: { min: 1, max: 0 } }, false],
  [{ delay_ms: { min: 1 } }, false],
  [{ delay_ms: { median: 1, p95: 1 } }, true],
  [{ delay_ms: { median: 2, p95: 1 } }, false],
  [{ delay_ms: { median: 0.5, p95: 1 } }, false],
]

test.each(values)('the values of the effect %j are valid: %s', (effect, isValid) => {
  expect(effectSchema.safeParse(effect).success).toBe(isValid)
})
