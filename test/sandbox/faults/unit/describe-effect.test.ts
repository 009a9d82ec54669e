import { expect, test } from 'vitest'
import {
  describeEffect,
  type FaultEffect,
  type FaultPhase,
} from '../../../../src/sandbox/faults/rule.ts'

const effects: readonly [effect: FaultEffect, phase: FaultPhase | undefined, text: string][] = [
  [{ error: 'throttled' }, undefined, 'the response is a 429 (throttled)'],
  [
    { error: 'throttled', detail: 'x', retry_after_s: 5 },
    'after-commit',
    'the response is a 429 (throttled), but the server handled the request',
  ],
  [{ status: 503 }, 'before', 'the response is a 503'],
  [
    { status: 503, delay_ms: 1 },
    'after-commit',
    'the response is a 503, and the response is delayed by 1 ms, but the server handled the request',
  ],
  [{ drop: true }, undefined, 'the connection drops before the request is carried out'],
  [{ drop: true }, 'after-commit', 'the connection drops after the server handled the request'],
  [{ drop: true }, 'mid-body', 'the connection drops halfway through the body'],
  [
    { drop: true, delay_ms: 200 },
    'before',
    'the connection drops before the request is carried out, and the response is delayed by 200 ms',
  ],
  [{ stale: { writes: 1 } }, 'before', 'the response shows the rows of 1 write ago'],
  [{ stale: { writes: 1_000 } }, 'before', 'the response shows the rows of 1,000 writes ago'],
  [{ mutate: 'seconds' }, 'after-commit', 'every time has whole seconds'],
  [{ mutate: { kind: 'null' } }, 'after-commit', 'every field that can be null is null'],
  [{ mutate: { kind: 'null', field: 'scope' } }, 'after-commit', 'scope is null'],
  [{ cut_bytes: 0 }, 'mid-body', 'the connection drops after 0 bytes of the body'],
  [{ cut_bytes: 1 }, 'mid-body', 'the connection drops after 1 byte of the body'],
  [{ slow_bytes_per_s: 1 }, 'mid-body', 'the body arrives at 1 byte per second'],
  [
    { cut_bytes: 2, slow_bytes_per_s: 50_000 },
    'mid-body',
    'the connection drops after 2 bytes of the body, and the body arrives at 50,000 bytes per second',
  ],
  [{ delay_ms: 0 }, 'before', 'the response is delayed by 0 ms'],
  [{ delay_ms: 2_000 }, 'after-commit', 'the response is delayed by 2,000 ms'],
  [{ delay_ms: { min: 5, max: 1_000 } }, 'before', 'the response is delayed by 5 to 1000 ms'],
  [
    { delay_ms: { median: 100, p95: 400 } },
    'before',
    'the response is delayed by 100 ms (median, 95th percentile 400 ms)',
  ],
]

test.each(effects)('the effect %j in phase %s is described', (effect, phase, text) => {
  expect(describeEffect(effect, phase)).toBe(text)
})
