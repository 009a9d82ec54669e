import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { FaultRule } from '../../../src/index.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { acme, noon } from '../../support/api/paths.ts'

const printed = vi.spyOn(console, 'warn')
beforeEach(() => void printed.mockReset().mockImplementation(() => {}))
afterAll(() => printed.mockRestore())

const drop = { drop: true } as const
const stale = { stale: { writes: 1 } }
const cut = { cut_bytes: 1 }
const projects = '/api/projects'
const plugin = `/api/organizations/${acme}/plugins/:id`
const pluginMethods = 'GET, PUT, PATCH, DELETE'

const rules: readonly [rule: FaultRule, warning: string | null][] = [
  [{ effect: drop }, null],
  [
    { operation: 'replaceAnnotation', effect: drop },
    'It can never apply: the current policies disable replaceAnnotation.',
  ],
  [{ operation: 'listAnnotations', effect: stale }, null],
  [{ operation: 'createAnnotation', effect: drop }, null],
  [
    { operation: 'createAnnotation', effect: stale },
    'It can never apply: createAnnotation is not a read, and only reads can be stale.',
  ],
  [{ when: { times: 0 }, effect: drop }, 'It can never apply: when.times is 0.'],
  [{ when: { times: 1, probability: 0.1 }, effect: drop }, null],
  [{ when: { probability: 0 }, effect: drop }, 'It can never apply: when.probability is 0.'],
  [
    { when: { probability: 0 }, method: 'GET', effect: drop },
    'It can never apply: when.probability is 0.',
  ],
  [{ method: 'GET', effect: stale }, null],
  [{ method: 'HEAD', effect: stale }, null],
  [{ method: ['POST', 'HEAD'], effect: stale }, null],
  [{ method: 'POST', effect: drop }, null],
  [{ method: ['POST', 'PUT'], effect: stale }, 'It can never apply: only reads can be stale.'],
  [
    { method: 'HEAD', phase: 'mid-body', effect: cut },
    'It can never apply: responses to HEAD have no body.',
  ],
  [
    { method: ['HEAD'], phase: 'mid-body', effect: drop },
    'It can never apply: responses to HEAD have no body.',
  ],
  [{ method: ['HEAD', 'GET'], phase: 'mid-body', effect: cut }, null],
  [{ method: 'GET', phase: 'mid-body', effect: cut }, null],
  [{ method: 'HEAD', phase: 'before', effect: drop }, null],
  [{ path: projects, effect: drop }, null],
  [{ path: projects, method: 'GET', effect: drop }, null],
  [{ path: projects, method: 'HEAD', effect: drop }, null],
  [{ path: projects, method: 'OPTIONS', effect: drop }, null],
  [{ path: projects, method: ['POST', 'GET'], effect: drop }, null],
  [
    { path: projects, method: ['POST', 'PUT'], effect: drop },
    'It only matches requests that are rejected: the methods of /api/projects are GET.',
  ],
  [{ path: plugin, method: 'DELETE', effect: drop }, null],
  [
    { path: plugin, method: 'POST', effect: drop },
    `It only matches requests that are rejected: the methods of ${plugin} are ${pluginMethods}.`,
  ],
  [{ method: ['HEAD', 'GET'], phase: 'mid-body', effect: drop }, null],
  [{ path: '/api/projects/', method: ['DELETE', 'HEAD'], effect: drop }, null],
  [{ key: 'phx_al', effect: drop }, 'It can never apply: no key has this value or label.'],
  [{ operation: 'listProjects', effect: { mutate: 'null' } }, null],
  [
    { operation: 'listUnusedPlugins', effect: { mutate: 'empty_page' } },
    'It can never apply: under the current policies, empty_page changes no response of it.',
  ],
]

test.each(rules)('the rule %j is accepted, with the warning %j', (rule, warning) => {
  const { faults } = createSimulator({ clock: noon })

  const [fault] = faults.add(rule)

  expect(faults.list()).toEqual([fault])
  expect(fault?.warning).toBe(warning)
  expect(printed.mock.calls).toEqual(
    warning === null ? [] : [[expect.stringMatching(/^fault-1 \([^)]+\): It /)]],
  )
  if (warning !== null) expect(printed.mock.calls[0]?.[0]).toContain(warning)
})

test('presets have no warnings', () => {
  createSimulator({ clock: noon }).faults.add({ preset: 'flaky' })

  expect(printed).not.toHaveBeenCalled()
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
