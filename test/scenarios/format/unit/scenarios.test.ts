import { expect, test } from 'vitest'
import {
  findKeyIssues,
  findScenarioIssues,
  freezeParsed,
  parseScenario,
} from '../../../../src/scenarios/format/check-scenario.ts'
import { collectIssues } from '../../../../src/scenarios/format/check-step.ts'
import type { Step } from '../../../../src/scenarios/format/scenario.ts'
import { formatIssue } from '../../../../src/utils/issues.ts'
import { UsageError, unexpectedValue } from '../../../../src/utils/usage-error.ts'

const get = (more: object = {}) => ({ method: 'GET', path: '/api/', ...more })
const post = (more: object = {}) => ({ ...get(more), method: 'POST' })

/** Steps without an issue. The scenarios that are refused are in test/support/refused-scenarios.ts. */
const steps: readonly object[] = [
  get({ title: 'a', as: 'all', query: { a: 1 }, headers: { a: 'b' }, expect: {}, save: {} }),
  get({ body: undefined, text: undefined }),
  { ...get({ text: '' }), method: 'OPTIONS' },
  post({ as: 'all', headers: { a: 'b' } }),
  post({ headers: { AUTHORIZATION: 'x' } }),
  get({ expect: { broken: true } }),
  get({ query: { search: '{base_url}' }, save: { id: '/id', n: '/n' } }),
  post({
    body: { a: { $saved: 'id' }, b: { $text: '{id}' }, c: { $literal: { $a: 1 } }, d: null },
  }),
  post({ body: { a$: 1 } }),
  get({ expect: { body: { $text: '(' } } }),
  get({ expect: { body: { $literal: { $match: 'ids' } } } }),
  { rows: {}, save: { key: '/keys/0' } },
  { title: 'a', reset: true },
  { reset: [] },
  { remove: { $text: 'fault-{n}' } },
  { clock: { $saved: 'id' } },
  { fault: { effect: { $saved: 'id' } } },
  { world: {}, title: '{id}' },
  { advance: { days: -1 } },
  { policies: { 'methods.put': 'on' } },
  { snapshot: 'a' },
  { restore: 'a' },
]

test('each form of a step is valid', () => {
  expect(findScenarioIssues({ title: 'A', steps })).toEqual([])
})

test('an unknown field of an actor is named at its place', () => {
  const steps = [{ actor: { after: { requests: 1 }, steps: [{ delete: 'rows' }], times: 2 } }]

  expect(findScenarioIssues({ title: 'A', steps }).map(formatIssue)).toEqual([
    'steps[0].actor: unknown field "times". Allowed: after, steps',
    'steps[0].actor.steps[0].delete: expected one of annotations, plugins, got "rows"',
  ])
})

test('a scenario contains itself: it is too deep, and can be frozen', () => {
  const circle: Record<string, unknown> = { title: 'A' }
  circle.steps = [circle]

  expect(findScenarioIssues(circle).map(formatIssue)).toEqual([
    'scenario: expected at most 900 nested levels',
  ])
  freezeParsed(circle as never)
  expect([circle, circle.steps].every(Object.isFrozen)).toBe(true)
})

test('a scenario has at most 900 levels', () => {
  // The scenario, its steps, the step and its body are four levels, and the innermost list has no further one.
  const nested = (lists: number) => JSON.parse(`${'['.repeat(lists)}${']'.repeat(lists)}`)
  const issuesOf = (lists: number) =>
    findScenarioIssues({ title: 'A', steps: [post({ body: nested(lists) })] })

  expect([issuesOf(897), issuesOf(898).length]).toEqual([[], 1])
})

test('the rows of a world are checked with the policies of the scenario', () => {
  const world = { annotations: [{ id: 1, project: 1, scope: 'team' }] }
  const policies = { 'annotations.scope.values': 'any' }

  const issues = findScenarioIssues({ title: 'A', steps: [get()], world, policies })

  expect(issues.filter(({ path }) => path.includes('scope'))).toEqual([])
})

test('a frozen scenario is not checked again, and is written as it was', () => {
  const invalid = { title: 5 } as never
  const frozen = freezeParsed(freezeParsed(invalid))

  expect(parseScenario(invalid)).toBe(frozen)
  expect(JSON.stringify(frozen)).toBe('{"title":5}')
  expect(() => parseScenario({ ...frozen }, 'a.json')).toThrow(
    'Failed to read the scenario a.json: 2 problems. Nothing was run.',
  )
})

test('a key is known by its label, or by its value without one, until the world is replaced', () => {
  const user = { user: 1, scopes: ['*'] }
  const found = findKeyIssues(
    [
      get({ as: 'all' }),
      {
        rows: {
          keys: [
            { ...user, value: 'phx_1', label: 'one' },
            { ...user, value: 'phx_2' },
          ],
        },
      },
      get({ as: 'one' }),
      get({ as: 'phx_2' }),
      get({ as: 'phx_1' }),
      { world: { keys: [{ ...user, label: 'three' }] } },
      get({ as: 'three' }),
      get({ as: 'al' }),
    ] as Step[],
    ['all'],
  )

  expect(found.map(formatIssue)).toEqual([
    'steps[4].as: expected the label of a key ("all", "one", "phx_2") in step 5, got "phx_1"',
    'steps[7].as: expected the label of a key ("all", "one", "phx_2", "three") in step 8, got "al". Did you mean all?',
  ])
  expect(findKeyIssues([get({ as: 'any' }) as Step], null)).toEqual([])
})

test('an error of the world becomes an issue with its path, and a defect stays an error', () => {
  const issuesOf = (error: Error) =>
    collectIssues(['clock'], () => {
      throw error
    }).map(formatIssue)

  expect([
    issuesOf(unexpectedValue('set the clock', 'a time', 7, undefined, 'time')),
    issuesOf(unexpectedValue('set the clock', 'a time', 7, 'now')),
    issuesOf(new UsageError('A plain sentence.')),
  ]).toEqual([
    ['clock.time: expected a time, got 7'],
    ['clock: expected a time, got 7. Did you mean now?'],
    ['clock: A plain sentence.'],
  ])
  expect(() => issuesOf(new TypeError('a defect'))).toThrow(TypeError)
})
