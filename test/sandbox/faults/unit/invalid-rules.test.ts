import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { effectNames } from '../../../../src/sandbox/faults/effects.ts'
import { type FaultRequest, parseFault } from '../../../../src/sandbox/faults/fault-request.ts'
import { type FaultRule, mutantKinds, presetNames } from '../../../../src/sandbox/faults/rule.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'
import { noon } from '../../../support/api/paths.ts'

const drop = { drop: true }
const effects = effectNames.join(', ')

const invalidRules: readonly [
  what: string,
  request: unknown,
  field: string | null,
  message: string,
][] = [
  ['no rule', null, null, 'expected a rule or a preset as { preset: name }, got null'],
  [
    'no effect',
    {},
    'effect',
    'Failed to add a fault. Nothing was changed.\n  effect: expected object, got nothing',
  ],
  ['an empty effect', { effect: {} }, 'effect', `effect: expected one of ${effects}, got {}`],
  [
    'an unknown effect',
    { effect: { dorp: true } },
    'effect.dorp',
    `expected an effect of ${effects}, got "dorp". Did you mean drop?`,
  ],
  ['an unknown error', { effect: { error: 'throttle' } }, 'effect.error', 'got "throttle"'],
  [
    'an unknown preset',
    { preset: 'flakey' },
    'preset',
    `expected one of the presets ${presetNames.join(', ')}, got "flakey". Did you mean flaky?`,
  ],
  [
    'a field beside a preset',
    { preset: 'flaky', key: 'x' },
    'key',
    'expected no field beside preset',
  ],
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
    'a cut before the endpoint runs',
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
  ['an invalid status', { effect: { status: 99 } }, 'effect.status', 'at least 200, got 99'],
  [
    'a custom content-length',
    { effect: { status: 200, headers: { 'Content-Length': '5' } } },
    'effect.headers',
    'expected valid HTTP headers other than content-length',
  ],
  [
    'a header with a line break',
    { effect: { status: 200, headers: { 'x-a': 'b\r\nc: d' } } },
    'effect.headers',
    'effect.headers: expected valid HTTP headers',
  ],
  [
    'a header with a control character',
    { effect: { status: 200, headers: { 'x-a': 'a\u0001b' } } },
    'effect.headers',
    'effect.headers: expected valid HTTP headers',
  ],
  [
    'a delay that is text',
    { effect: { delay_ms: 'long' } },
    'effect.delay_ms',
    'effect.delay_ms: expected milliseconds, { min, max } or { median, p95 }, got "long"',
  ],
  [
    'a delay whose max is less than min',
    { effect: { delay_ms: { min: 9, max: 1 } } },
    'effect.delay_ms.max',
    'effect.delay_ms.max: expected at least min, got 1',
  ],
  [
    'a delay of more than a day',
    { effect: { delay_ms: 1e9 } },
    'effect.delay_ms',
    'got 1000000000',
  ],
  [
    'a speed of 0',
    { effect: { slow_bytes_per_s: 0 } },
    'effect.slow_bytes_per_s',
    'at least 1, got 0',
  ],
  [
    'a stale read of 0 writes',
    { effect: { stale: { writes: 0 } } },
    'effect.stale.writes',
    'effect.stale.writes: expected at least 1, got 0',
  ],
  [
    'an unknown kind of mutant',
    { effect: { mutate: 'nul' } },
    'effect.mutate',
    `effect.mutate: expected one of ${Object.keys(mutantKinds).join(', ')}, or { kind, field }, got "nul"`,
  ],
  [
    'a kind of mutant that the operation does not have',
    { operation: 'retrieveAnnotation', effect: { mutate: 'empty_page' } },
    'effect.mutate',
    'effect.mutate: expected a kind that can change a response of retrieveAnnotation: null, new_value, extra_field, long_text, right_to_left, milliseconds, seconds, key_order, slow, got "empty_page"',
  ],
  [
    'a mutant of a response without a body',
    { operation: 'deletePlugin', effect: { mutate: { kind: 'null' } } },
    'effect.mutate.kind',
    'a response of deletePlugin: slow, got "null"',
  ],
  [
    'a mutant of a field that the operation does not have',
    { operation: 'listAnnotations', effect: { mutate: { kind: 'long_text', field: 'contnt' } } },
    'effect.mutate.field',
    'effect.mutate.field: expected a field of listAnnotations that long_text can change: content, insight_name, created_by.first_name, created_by.last_name, got "contnt". Did you mean content?',
  ],
  [
    'a mutant of a path',
    {
      method: 'GET',
      path: '/api/organizations/*/plugins',
      effect: { mutate: { kind: 'null', field: 'created_by' } },
    },
    'effect.mutate.field',
    'expected a field of GET /api/organizations/*/plugins that null can change: plugin_type, name,',
  ],
  [
    'a mutant of a field that cannot be null',
    { operation: 'retrievePlugin', effect: { mutate: { kind: 'null', field: 'id' } } },
    'effect.mutate.field',
    'public_jobs, got "id"',
  ],
  [
    'a field beside a kind that changes the whole response',
    { effect: { mutate: { kind: 'key_order', field: 'content' } } },
    'effect.mutate.field',
    'effect.mutate.field: expected no field with key_order, got "content"',
  ],
  [
    'a delay of a slow mutant',
    { effect: { mutate: 'slow', delay_ms: 5 } },
    'effect.delay_ms',
    'effect.delay_ms: expected no delay_ms beside slow, got 5',
  ],
  [
    'a mutant before the endpoint runs',
    { phase: 'before', effect: { mutate: 'slow' } },
    'phase',
    'phase: expected after-commit for mutate, got "before"',
  ],
  [
    'an operation and a path',
    { operation: 'listPlugins', path: '/api', effect: drop },
    'path',
    'path: expected an operation, or a method and a path, not both, got "/api"',
  ],
  ['an unknown method', { method: 'GTE', effect: drop }, 'method', 'got "GTE"'],
  [
    'an unknown operation',
    { operation: 'createAnotation', effect: drop },
    'operation',
    'operation: expected the id of an operation, got "createAnotation". Did you mean createAnnotation?',
  ],
  [
    'an operation that resembles none',
    { operation: 'x', effect: drop },
    'operation',
    'operation: expected the id of an operation, got "x"',
  ],
  [
    'an unknown path',
    { method: 'GET', path: '/api/projects/1/anotations', effect: drop },
    'path',
    'path: expected the path of an operation, got "/api/projects/1/anotations". Did you mean /api/projects/:project_id/annotations?',
  ],
  [
    'a path without a slash',
    { path: 'api', effect: drop },
    'path',
    'a path that starts with a slash',
  ],
  [
    'every: 0',
    { when: { every: 0 }, effect: drop },
    'when.every',
    'when.every: expected at least 1, got 0',
  ],
  [
    'a probability above 1',
    { when: { probability: 2 }, effect: drop },
    'when.probability',
    'when.probability: expected at most 1, got 2',
  ],
  ['an unknown field', { phaze: 1, effect: drop }, 'rule', 'rule: unknown field "phaze"'],
]

test.each(invalidRules)('%s is rejected with its field', async (_, request, field, message) => {
  const simulator = createSimulator({ clock: noon })
  const add = () => simulator.faults.add(request as FaultRequest)

  expect(add).toThrow(UsageError)
  expect(add).toThrow(message)
  expect(add).toThrow(expect.objectContaining({ field }))
  expect(simulator.faults.list()).toEqual([])
})

const printed = vi.spyOn(console, 'warn')
beforeEach(() => void printed.mockReset().mockImplementation(() => {}))
afterAll(() => printed.mockRestore())

const unreachableRules: readonly [
  what: string,
  rule: Omit<FaultRule, 'effect'> | FaultRule,
  warning: string,
][] = [
  [
    'a disabled operation',
    { operation: 'replaceAnnotation' },
    'It can never apply: the current policies disable replaceAnnotation.',
  ],
  [
    'a method that the path does not have',
    { method: 'DELETE', path: '/api/projects/' },
    'It only matches requests that are rejected: the methods of /api/projects/ are GET.',
  ],
  ['an unknown key', { key: 'phx_al' }, 'It can never apply: no key has this value or label.'],
  ['times: 0', { when: { times: 0 } }, 'It can never apply: when.times is 0.'],
  ['probability: 0', { when: { probability: 0 } }, 'It can never apply: when.probability is 0.'],
  [
    'a stale write',
    { operation: 'createAnnotation', effect: { stale: { writes: 1 } } },
    'It can never apply: createAnnotation is not a read, and only reads can be stale.',
  ],
  [
    'a stale method of writes',
    { method: 'POST', effect: { stale: { writes: 1 } } },
    'It can never apply: only reads can be stale.',
  ],
  [
    'a mutant that the policies rule out',
    { operation: 'listUnusedPlugins', effect: { mutate: 'empty_page' } },
    'It can never apply: under the current policies, empty_page changes no response of it.',
  ],
  [
    'a cut of a HEAD',
    { method: 'HEAD', effect: { cut_bytes: 1 } },
    'It can never apply: responses to HEAD have no body.',
  ],
]

test.each(unreachableRules)('%s is accepted with a warning', async (_, rule, warning) => {
  const simulator = createSimulator({ clock: noon })

  const [fault] = simulator.faults.add({ effect: { drop: true }, ...rule })

  expect(fault?.warning).toContain(warning)
  expect(simulator.faults.list()).toEqual([fault])
  expect(printed.mock.calls).toEqual([[expect.stringMatching(/^fault-1 \([a-zA-Z /]+\): It /)]])
  expect(printed.mock.calls[0]?.[0]).toContain(fault?.warning)
})

test('a warning names the rule, but neither its key nor the value of another one', () => {
  const simulator = createSimulator({ clock: noon })
  simulator.keys.issue({ value: 'phx_secret_a' })

  const faults = [
    { key: 'phx_secret_b', method: ['GET', 'HEAD'], path: '/api/projects', effect: { drop: true } },
    { key: 'plugin:reed', effect: { drop: true } },
  ] as const
  simulator.faults.initial = faults
  for (const fault of faults) simulator.faults.add(fault)
  simulator.faults.reset()

  expect(simulator.faults.list()).toHaveLength(2)
  expect(printed.mock.calls.flat()).toEqual([
    'fault-1 (GET, HEAD /api/projects): It can never apply: no key has this value or label.',
    'fault-2 (any request): It can never apply: no key has this value or label. Did you mean "plugin:read"?',
  ])
})

test('a rule that can apply is added without a warning', () => {
  const { faults } = createSimulator({ clock: noon })

  faults.add({ preset: 'flaky' })
  for (const rule of [
    { path: '/api/projects/' },
    { path: '/api/projects/', method: ['DELETE', 'HEAD'] },
    { path: '/api/projects/', method: 'OPTIONS' },
    { method: ['HEAD', 'GET'], phase: 'mid-body' },
  ] as const)
    faults.add({ ...rule, effect: { drop: true } })

  expect(printed).not.toHaveBeenCalled()
})

test('a warning disappears when the rule can apply', async () => {
  const simulator = createSimulator({ clock: noon })
  const [fault] = simulator.faults.add({ key: 'mobile', effect: { drop: true } })
  expect(fault?.warning).toContain('no key has this value or label')

  simulator.keys.issue({ label: 'mobile' })

  expect(simulator.faults.list()).toEqual([{ ...fault, warning: null }])
})

test('a rule is copied: changing the object afterwards changes nothing', async () => {
  const simulator = createSimulator({ clock: noon })
  const rule = { effect: { status: 418, body: { a: 1 } } }

  const [fault] = simulator.faults.add(rule)
  rule.effect.body.a = 2

  expect(simulator.faults.list()).toEqual([fault])
})

test('parseFault accepts the name of a preset or a rule as JSON', () => {
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
  expect(() => parseFault('5')).toThrow('expected a rule or a preset')
})
