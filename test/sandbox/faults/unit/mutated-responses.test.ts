import { expect, test } from 'vitest'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import {
  findMutationIssue,
  isSuccessWithJson,
  unmutableReason,
} from '../../../../src/sandbox/faults/mutants.ts'
import type { FaultRule, Mutation } from '../../../../src/sandbox/faults/rule.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { jsonHeaders } from '../../../support/api/headers.ts'
import { acme, annotationsPath, noon } from '../../../support/api/paths.ts'

const json = { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }

test.each([
  [json, true],
  [{ ...json, status: 299 }, true],
  [{ ...json, status: 199 }, false],
  [{ ...json, status: 300 }, false],
  [{ ...json, body: '' }, false],
  [{ ...json, headers: {} }, false],
  [{ ...json, headers: { 'content-type': 'text/html' } }, false],
  [{ ...json, body: (async function* () {})() }, false],
])('the response %j can be mutated: %s', (response, isMutable) => {
  expect(isSuccessWithJson(response)).toBe(isMutable)
})

const rule = (
  mutate: Mutation | Mutation['kind'],
  pattern: Partial<FaultRule> = {},
): FaultRule => ({
  ...pattern,
  effect: { mutate },
})
const [list, plugin] = [{ operation: 'listProjects' }, { operation: 'retrievePlugin' }]

const issues: readonly [rule: FaultRule, issue: readonly unknown[] | null][] = [
  [{ effect: { drop: true } }, null],
  [rule('null'), null],
  [rule('large_id'), null],
  [rule('null', { operation: 'unknown' }), null],
  [rule({ kind: 'null', field: 'x' }, { operation: 'unknown' }), null],
  [rule({ kind: 'long_text', field: 'content' }), null],
  [rule({ kind: 'long_text', field: 'name' }, list), null],
  [
    rule({ kind: 'long_text', field: 'nam' }, list),
    [
      'effect.mutate.field',
      'expected a field of listProjects that long_text can change: name',
      'name',
    ],
  ],
  [
    rule({ kind: 'extra_field', field: 'zzz' }, list),
    ['effect.mutate.field', 'expected no field with extra_field'],
  ],
  [
    rule({ kind: 'slow', field: 'name' }, list),
    ['effect.mutate.field', 'expected no field with slow'],
  ],
  [
    rule('large_id', plugin),
    [
      'effect.mutate',
      'expected a kind that can change a response of retrievePlugin: null, new_value, extra_field, empty_text, long_text, right_to_left, empty_map, key_order, slow, charset, no_length, other_value',
    ],
  ],
  [
    rule({ kind: 'empty_page', field: 'name' }, { operation: 'deletePlugin' }),
    ['effect.mutate.kind', 'expected a kind that can change a response of deletePlugin: slow'],
  ],
]

test.each(issues)('the rule %j has the issue %j', (rule, issue) => {
  expect(findMutationIssue(rule)).toEqual(issue)
})

const settings = resolvePolicies('documented')

test.each([
  [{ effect: { drop: true } } as const, null],
  [rule('null', list), null],
  [rule('null', { operation: 'unknown' }), null],
  [rule({ kind: 'null', field: 'content' }, { operation: 'listAnnotations' }), null],
  [
    rule({ kind: 'null', field: 'zzz' }, list),
    'under the current policies, null changes no response of it.',
  ],
  [
    rule('empty_page', { operation: 'listUnusedPlugins' }),
    'under the current policies, empty_page changes no response of it.',
  ],
])('the rule %j cannot mutate: %j', (rule, reason) => {
  expect(unmutableReason(rule, settings)).toBe(reason)
})

/** Sends a body to a service that is strict about values and nulls. */
async function send(mutate: Mutation, path: string, body: object): Promise<number> {
  const policies = { 'fields.nullable': 'documented' } as const
  const simulator = createSimulator({ clock: noon, policies })
  simulator.faults.add({ effect: { mutate } })
  const before = simulator.policies.list()

  const init = { method: 'POST', headers: jsonHeaders(), body: JSON.stringify(body) }
  const { status } = await simulator.fetch(path, init)

  expect(simulator.policies.list()).toEqual(before)
  return status
}

const scope = { kind: 'new_value', field: 'scope' } as const
const values: readonly [mutate: Mutation, body: object, status: number][] = [
  [{ kind: 'new_value' }, { scope: 'new_value' }, 201],
  [{ kind: 'new_value' }, { creation_type: 'new_value' }, 201],
  [{ kind: 'new_value' }, { creation_type: 'new_value', scope: 'new_value' }, 201],
  [scope, { scope: 'new_value', content: 'new_value' }, 201],
  [scope, { creation_type: 'new_value' }, 400],
  [scope, { scope: 'other_value' }, 400],
  [{ kind: 'new_value' }, { content: 'new_value' }, 201],
  [{ kind: 'new_value' }, { content: 'new_value', scope: 'other_value' }, 400],
  [{ kind: 'key_order' }, { scope: 'new_value' }, 400],
  [{ kind: 'null' }, { scope: 'new_value' }, 400],
]

test.each(values)(
  'with the mutation %j, an annotation %j gets a %i',
  async (mutate, body, status) => {
    expect(await send(mutate, annotationsPath, body)).toBe(status)
  },
)

const icon = { kind: 'null', field: 'icon' } as const
const nulls: readonly [mutate: Mutation, body: object, status: number][] = [
  [{ kind: 'null' }, { name: 'a', icon: null }, 201],
  [icon, { name: 'a', icon: null }, 201],
  [icon, { name: 'a', tag: null }, 400],
  [{ kind: 'null', field: 'name' }, { name: 'a', icon: null }, 400],
  [{ kind: 'new_value' }, { name: 'a', icon: null }, 400],
  [{ kind: 'new_value' }, { name: 'a', plugin_type: 'new_value' }, 201],
  [{ kind: 'null' }, { name: 'a', plugin_type: 'new_value' }, 400],
]

test.each(nulls)('with the mutation %j, a plugin %j gets a %i', async (mutate, body, status) => {
  expect(await send(mutate, `/api/organizations/${acme}/plugins/`, body)).toBe(status)
})
