import { expect, test } from 'vitest'
import { parseFault, parseFaultRequest } from '../../../../src/sandbox/faults/fault-request.ts'
import { presets } from '../../../../src/sandbox/faults/rule.ts'

const effect = { drop: true } as const
const when = { skip: 0, every: 1, probability: 1, times: 0 }

test('a rule is one rule without a preset, and a preset is all of its rules', () => {
  const rule = { method: ['GET', 'HEAD'], path: '/api/projects', key: 'a', when, effect } as const

  expect(parseFaultRequest(rule)).toEqual([{ rule, preset: null }])
  expect(parseFaultRequest({ operation: 'listProjects', phase: 'before', effect })).toEqual([
    { rule: { operation: 'listProjects', phase: 'before', effect }, preset: null },
  ])
  for (const [name, { rules }] of Object.entries(presets))
    expect(parseFaultRequest({ preset: name })).toEqual(
      rules.map((each) => ({ rule: each, preset: name })),
    )
})

const oneOfPresets = 'expected one of the presets flaky, slow-3g, outage, read-only'
const effects =
  'expected an effect of error, status, drop, stale, mutate, cut_bytes, slow_bytes_per_s, delay_ms'
const aRule = 'expected a rule or a preset as { preset: name }'
const one = (message: string) => `Failed to add a fault: ${message}.`
const all = (...issues: string[]) =>
  ['Failed to add a fault. Nothing was changed.', ...issues].join('\n  ')
const notBoth = 'expected an operation, or a method and a path, not both'
const operation = 'listProjects'

const rejected: readonly [request: unknown, field: string | null, message: string][] = [
  [null, null, one(`${aRule}, got null`)],
  ['flaky', null, one(`${aRule}, got "flaky"`)],
  [[], null, one(`${aRule}, got []`)],
  [{ preset: 'zzz' }, 'preset', one(`${oneOfPresets}, got "zzz"`)],
  [{ preset: 'toString' }, 'preset', one(`${oneOfPresets}, got "toString"`)],
  [{ preset: 5 }, 'preset', one(`${oneOfPresets}, got 5`)],
  [{ preset: 'outag' }, 'preset', `${one(`${oneOfPresets}, got "outag"`)} Did you mean outage?`],
  [
    { preset: 'outage', key: 'a', effect },
    'key',
    one('expected no field beside preset, got "key"'),
  ],
  [{ effect: { zzz: 1 } }, 'effect.zzz', one(`${effects}, got "zzz"`)],
  [
    { effect: { drop: true, delay_m: 1 } },
    'effect.delay_m',
    `${one(`${effects}, got "delay_m"`)} Did you mean delay_ms?`,
  ],
  [{ effect: null }, 'effect', all('effect: expected object, got null')],
  [{ effect: 'drop' }, 'effect', all('effect: expected object, got "drop"')],
  [
    { operation, path: '/api/projects', effect },
    'path',
    all(`path: ${notBoth}, got "/api/projects"`),
  ],
  [{ operation, method: 'GET', effect }, 'method', all(`method: ${notBoth}, got "GET"`)],
  [
    { operation, method: 'GET', path: '/api/projects', effect },
    'method',
    all(`method: ${notBoth}, got "GET"`),
  ],
  [
    {
      operation,
      path: '/api/projects',
      phase: 'before',
      effect: { cut_bytes: 1, status: 204, body: 'x' },
    },
    'path',
    all(
      `path: ${notBoth}, got "/api/projects"`,
      'effect.cut_bytes: expected no cut_bytes beside status, got 1',
      'effect.body: expected no body with status 204, got "x"',
    ),
  ],
  [
    { operation, effect: { mutate: { kind: 'long_text', field: 'nme' }, drop: true } },
    'effect.mutate',
    all(
      'effect.mutate: expected no mutate beside drop, got {"kind":"long_text","field":"nme"}',
      'effect.mutate.field: expected a field of listProjects that long_text can change: name, got "nme". Did you mean name?',
    ),
  ],
  [
    { when: { skip: -1, every: 0, probability: 1.1, times: 1.5 }, effect },
    'when.skip',
    all(
      'when.skip: expected at least 0, got -1',
      'when.every: expected at least 1, got 0',
      'when.probability: expected at most 1, got 1.1',
      'when.times: expected int, got 1.5',
    ),
  ],
]

test.each(rejected)('the request %j is rejected with the field %s', (request, field, message) => {
  expect(() => parseFaultRequest(request as never)).toThrow(
    expect.objectContaining({ name: 'UsageError', field, message }),
  )
})

const readable = 'expected a preset (flaky, slow-3g, outage, read-only) or a rule as JSON'

test.each([
  ['outag', `${readable}, got "outag". Did you mean outage?`],
  ['zzz', `${readable}, got "zzz".`],
  ['{outage', `${readable}, got "{outage".`],
  ['', `${readable}, got "".`],
])('the text %j is no fault', (text, message) => {
  expect(() => parseFault(text)).toThrow(
    expect.objectContaining({ field: 'fault', message: `Failed to read a fault: ${message}` }),
  )
})
