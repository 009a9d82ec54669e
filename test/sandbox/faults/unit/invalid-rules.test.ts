import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { parseFault } from '../../../../src/sandbox/faults/fault-request.ts'
import type { FaultRule } from '../../../../src/sandbox/faults/rule.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { noon } from '../../../support/api/paths.ts'

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
