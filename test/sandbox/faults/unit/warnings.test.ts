import { expect, test } from 'vitest'
import type { FaultRule } from '../../../../src/sandbox/faults/rule.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { acme, noon } from '../../../support/api/paths.ts'

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
  [{ operation: 'listProjects', effect: { mutate: 'null' } }, null],
  [
    { operation: 'listUnusedPlugins', effect: { mutate: 'empty_page' } },
    'It can never apply: under the current policies, empty_page changes no response of it.',
  ],
]

test.each(rules)('the rule %j has the warning %j', (rule, warning) => {
  const { faults } = createSimulator({ clock: noon })
  faults.initial = [rule]
  // A reset prints no warnings.
  faults.reset()

  expect(faults.list()).toMatchObject([{ warning }])
})
