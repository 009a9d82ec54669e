import { expect, test } from 'vitest'
import type { FaultRequest } from '../../../../src/sandbox/faults/fault-request.ts'
import { parseFault } from '../../../../src/sandbox/faults/fault-request.ts'
import type { FaultRule } from '../../../../src/sandbox/faults/rule.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'
import { noon } from '../../../support/api/paths.ts'

const drop = { drop: true }

const mistakes: readonly [what: string, request: unknown, field: string | null, says: string][] = [
  ['no rule', null, null, 'expected a rule, or the name of a preset as { preset }, got null'],
  ['no effect', {}, 'effect', 'effect: expected object, got nothing'],
  [
    'an empty effect',
    { effect: {} },
    'effect',
    'effect: expected one of error, status, drop, stale, cut_bytes, slow_bytes_per_s, delay_ms, got {}',
  ],
  [
    'an unknown effect',
    { effect: { dorp: true } },
    'effect.dorp',
    'expected an effect of error, status, drop, stale, cut_bytes, slow_bytes_per_s, delay_ms, got "dorp". Did you mean drop?',
  ],
  ['an unknown error', { effect: { error: 'throttle' } }, 'effect.error', 'got "throttle"'],
  ['an unknown preset', { preset: 'flakey' }, 'preset', 'got "flakey". Did you mean flaky?'],
  ['more beside a preset', { preset: 'flaky', key: 'x' }, 'key', 'expected nothing beside preset'],
  [
    'an unknown phase',
    { phase: 'after', effect: drop },
    'phase',
    'phase: expected one of "before", "after-commit", "mid-body", got "after"',
  ],
  [
    'two effects',
    { effect: { status: 500, drop: true } },
    'effect.drop',
    'effect.drop: expected no drop beside status, got true',
  ],
  [
    'a cut before there is a body',
    { phase: 'before', effect: { cut_bytes: 5 } },
    'phase',
    'phase: expected mid-body for cut_bytes, got "before"',
  ],
  [
    'an error in the middle of a body',
    { phase: 'mid-body', effect: { error: 'throttled' } },
    'phase',
    'phase: expected before or after-commit for error, got "mid-body"',
  ],
  [
    'a stale read after the commit',
    { phase: 'after-commit', effect: { stale: { writes: 1 } } },
    'phase',
    'phase: expected before for stale, got "after-commit"',
  ],
  [
    'a body without a status',
    { effect: { drop: true, body: 'x' } },
    'effect.body',
    'effect.body: expected body only with status, got "x"',
  ],
  [
    'a body with a 204',
    { effect: { status: 204, body: 'x' } },
    'effect.body',
    'effect.body: expected no body with status 204, got "x"',
  ],
  ['a status that is none', { effect: { status: 99 } }, 'effect.status', 'at least 200, got 99'],
  [
    'a length that would be a lie',
    { effect: { status: 200, headers: { 'Content-Length': '5' } } },
    'effect.headers',
    'without content-length',
  ],
  [
    'a header over two lines',
    { effect: { status: 200, headers: { 'x-a': 'b\r\nc: d' } } },
    'effect.headers',
    'effect.headers: expected headers that HTTP allows',
  ],

  [
    'a header over two lines',
    { effect: { status: 200, headers: { 'x-a': 'a\u0001b' } } },
    'effect.headers',
    'effect.headers: expected headers that HTTP allows',
  ],
  [
    'a delay of words',
    { effect: { delay_ms: 'long' } },
    'effect.delay_ms',
    'effect.delay_ms: expected milliseconds, { min, max } or { median, p95 }, got "long"',
  ],
  [
    'a delay the wrong way round',
    { effect: { delay_ms: { min: 9, max: 1 } } },
    'effect.delay_ms.max',
    'effect.delay_ms.max: expected at least min, got 1',
  ],
  ['an endless delay', { effect: { delay_ms: 1e9 } }, 'effect.delay_ms', 'got 1000000000'],
  ['no speed', { effect: { slow_bytes_per_s: 0 } }, 'effect.slow_bytes_per_s', 'at least 1, got 0'],
  [
    'no write ago',
    { effect: { stale: { writes: 0 } } },
    'effect.stale.writes',
    'effect.stale.writes: expected at least 1, got 0',
  ],
  [
    'an operation and a path',
    { operation: 'listPlugins', path: '/api', effect: drop },
    'path',
    'path: expected an operation, or a method and a path, not both, got "/api"',
  ],
  ['an unknown method', { method: 'GTE', effect: drop }, 'method', 'got "GTE"'],
  ['half a path', { path: 'api', effect: drop }, 'path', 'a path that begins with a slash'],
  [
    'each noughth',
    { when: { every: 0 }, effect: drop },
    'when.every',
    'when.every: expected at least 1, got 0',
  ],
  [
    'more than certain',
    { when: { probability: 2 }, effect: drop },
    'when.probability',
    'when.probability: expected at most 1, got 2',
  ],
  ['an unknown field', { phaze: 1, effect: drop }, 'rule', 'rule: unknown field "phaze"'],
]

test.each(mistakes)('%s is refused, with the field at fault', async (_, request, field, says) => {
  const simulator = createSimulator({ clock: noon })
  const add = () => simulator.faults.add(request as FaultRequest)

  expect(add).toThrow(UsageError)
  expect(add).toThrow(says)
  expect(add).toThrow(expect.objectContaining({ field }))
  expect(simulator.faults.list()).toEqual([])
})

const never: readonly [what: string, rule: Omit<FaultRule, 'effect'> | FaultRule, says: string][] =
  [
    [
      'an operation that is not there',
      { operation: 'createAnotation' },
      'It can never apply: there is no operation createAnotation. Did you mean createAnnotation?',
    ],
    [
      'an operation that is switched off',
      { operation: 'replaceAnnotation' },
      'It can never apply: the policies switch replaceAnnotation off.',
    ],
    [
      'a path that is not there',
      { method: 'GET', path: '/api/project' },
      'It can never apply: no endpoint has the path /api/project. Did you mean /api/projects?',
    ],
    [
      'a method that the path does not have',
      { method: 'DELETE', path: '/api/projects/' },
      'It only matches requests that are refused: the methods of /api/projects/ are GET.',
    ],
    [
      'a key that nobody has',
      { key: 'phx_al' },
      'It can never apply: no key has this value or label.',
    ],
    ['no times', { when: { times: 0 } }, 'It can never apply: when.times is 0.'],
    ['no chance', { when: { probability: 0 } }, 'It can never apply: when.probability is 0.'],
    [
      'a write that shall be stale',
      { operation: 'createAnnotation', effect: { stale: { writes: 1 } } },
      'It can never apply: createAnnotation is no read, and only reads can be stale.',
    ],
    [
      'a method of writes that shall be stale',
      { method: 'POST', effect: { stale: { writes: 1 } } },
      'It can never apply: only reads can be stale.',
    ],
    [
      'the body of a HEAD',
      { method: 'HEAD', effect: { cut_bytes: 1 } },
      'It can never apply: answers to HEAD have no body.',
    ],
  ]

test.each(never)('%s is accepted, with a warning', async (_, rule, says) => {
  const simulator = createSimulator({ clock: noon })

  const [fault] = simulator.faults.add({ effect: { drop: true }, ...rule })

  expect(fault?.warning).toContain(says)
  expect(simulator.faults.list()).toEqual([fault])
})

test('a warning is gone when it no longer holds', async () => {
  const simulator = createSimulator({ clock: noon })
  const [fault] = simulator.faults.add({ key: 'mobile', effect: { drop: true } })
  expect(fault?.warning).toContain('no key has this value or label')

  simulator.keys.issue({ label: 'mobile' })

  expect(simulator.faults.list()).toEqual([{ ...fault, warning: null }])
})

test('there are so many rules at most', async () => {
  const simulator = createSimulator({ clock: noon })
  for (let count = 0; count < 998; count++) simulator.faults.add({ effect: { drop: true } })

  const tooMany = () => simulator.faults.add({ preset: 'flaky' })

  expect(tooMany).toThrow('Failed to add a fault: expected at most 1000 rules at once.')
  expect(simulator.faults.list()).toHaveLength(998)
})

test('what is added is a copy: changing it afterwards changes no rule', async () => {
  const simulator = createSimulator({ clock: noon })
  const rule = { effect: { status: 418, body: { a: 1 } } }

  const [fault] = simulator.faults.add(rule)
  rule.effect.body.a = 2

  expect(simulator.faults.list()).toEqual([fault])
})

test('on the command line a fault is the name of a preset, or a rule as JSON', () => {
  expect(parseFault('flaky')).toEqual({ preset: 'flaky' })
  expect(parseFault('{"preset":"outage"}')).toEqual({ preset: 'outage' })
  expect(parseFault('{"effect":{"drop":true},"when":{"times":1}}')).toEqual({
    effect: { drop: true },
    when: { times: 1 },
  })
  const presets = 'a preset (flaky, slow-3g, outage, read-only) or a rule as JSON'
  expect(() => parseFault('flakey')).toThrow(
    `Failed to read a fault: expected ${presets}, got "flakey". Did you mean flaky?`,
  )
  expect(() => parseFault('{"effect":')).toThrow(`expected ${presets}`)
  expect(() => parseFault('{"effect":{"dorp":1}}')).toThrow('Did you mean drop?')
  expect(() => parseFault('5')).toThrow('expected a rule, or the name of a preset')
})
