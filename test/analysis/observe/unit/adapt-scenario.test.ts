import { expect, test } from 'vitest'
import {
  findKeyFor,
  findStepsNotRun,
  hasOtherRows,
  markSearchedRows,
  replaceParents,
} from '../../../../src/analysis/observe/adapt-scenario.ts'
import type { Observer } from '../../../../src/analysis/observe/observer.ts'
import type { Scenario } from '../../../../src/index.ts'
import type { StepDifference } from '../../../../src/scenarios/run/differences.ts'

const list = '/api/projects/1/annotations/'
const acme = '018f2b6e-0000-7000-8000-00000000000a'
const story = (...steps: Scenario['steps']): Scenario => ({ title: 'A story', steps })

test('paths lead to the project and the organization of the server', () => {
  const parent = { project: 'a$&b', organization: '@current', hasSlash: true } as Observer
  const steps = [
    { method: 'GET', path: `${list}?next=/api/projects/1/` },
    { method: 'GET', path: `/api/organizations/${acme}/plugins/` },
    { method: 'GET', path: '/api/projects/12/', query: { limit: 1, search: acme } },
  ] as const

  expect(replaceParents(steps, parent)).toEqual([
    { method: 'GET', path: '/api/projects/a%24%26b/annotations/?next=/api/projects/a%24%26b/' },
    { method: 'GET', path: '/api/organizations/@current/plugins/' },
    { method: 'GET', path: '/api/projects/12/', query: { limit: 1, search: acme } },
  ])
})

test('words of created rows that are searched for get a marker', () => {
  const scenario = story(
    { title: 'Create a launch', method: 'POST', path: list, body: { content: 'The launch, ad' } },
    { method: 'PATCH', path: `${list}launch/`, body: { content: 'launching other launch' } },
    { method: 'GET', path: `${list}?search=launch`, expect: { text: 'launch' } },
    { method: 'GET', path: list, query: { search: 'launch other, ad' } },
  )

  expect(markSearchedRows(scenario, 'k2j4')).toEqual(
    story(
      {
        title: 'Create a launch',
        method: 'POST',
        path: list,
        body: { content: 'The launchk2j4, ad' },
      },
      { method: 'PATCH', path: `${list}launch/`, body: { content: 'launching other launchk2j4' } },
      { method: 'GET', path: `${list}?search=launchk2j4`, expect: { text: 'launchk2j4' } },
      { method: 'GET', path: list, query: { search: 'launchk2j4 other, ad' } },
    ),
  )
})

test.each([
  ['all', 'k1'],
  ['plugin:write,plugin:read', 'k2'],
  ['plugin:read, plugin:write', 'k2'],
  ['plugin:read', undefined],
  ['writer', 'k3'],
  ['toString', undefined],
])('the key for the label %s is %s', (label, expected) => {
  const keys = { all: 'k1', 'plugin:read,plugin:write': 'k2', writer: 'k3' }

  expect(findKeyFor(label, keys)).toBe(expected)
})

test('steps are not run without a key, a saved value, or leave to write', () => {
  const scenario = story(
    { as: 'all', method: 'GET', path: list, save: { id: '/results/0/id' } },
    { as: 'plugin writer', method: 'GET', path: list, save: { plugin: '/id' } },
    { as: 'plugin:read', method: 'GET', path: list },
    { as: 'all', method: 'GET', path: `${list}{plugin}/`, save: { next: '/next' } },
    { as: 'all', method: 'OPTIONS', path: `${list}{next}/` },
    { method: 'GET', path: `${list}{id}/` },
    { as: 'all', method: 'POST', path: list },
    { as: 'all', method: 'GET', path: list },
  )
  const noKeys = [
    null,
    'pass --key "plugin writer=KEY"',
    'pass --key plugin:read=KEY',
    'it needs {plugin} of a step that is not run',
    'it needs {next} of a step that is not run',
    null,
  ]

  expect(findStepsNotRun(scenario, { all: 'k' }, true)).toEqual([...noKeys, null, null])
  expect(findStepsNotRun(scenario, { all: 'k' }, false)).toEqual([
    ...noKeys,
    'it writes. Pass --allow-writes',
    'an earlier step writes. Pass --allow-writes',
  ])
})

const status = (expected: number, got: number): StepDifference => ({
  path: ['expect', 'status'],
  where: 'status',
  expected,
  got,
})

test.each([
  ['the row of another scenario, not found', `${list}12/`, status(200, 404), true],
  ['the row of another scenario, found', `${list}12/`, status(404, 200), true],
  ['the row of another scenario, denied', `${list}12/`, status(200, 403), false],
  ['a saved row of another user', `${list}{seen}/`, status(200, 404), true],
  ['the row that the scenario created', `${list}{id}/`, status(200, 404), false],
  ['a list', list, status(200, 404), false],
])('whether other rows may be the reason: %s', (_, path, difference, expected) => {
  const scenario = story(
    { method: 'POST', path: list, body: { content: 'Launch' }, save: { id: '/id' } },
    { method: 'GET', path: list, save: { seen: '/results/0/id' } },
    { method: 'GET', path },
  )

  expect(hasOtherRows(scenario, 'k2j4')(2, [difference], false)).toBe(expected)
})

test.each([
  ['2024-01-01T00:00:00Z', '2026-11-24T00:00:00Z', true],
  ['2024-01-01T00:00:00Z', 'Launch', false],
])('with a frozen clock, %s and %s differ by the time: %s', (expected, got, isOther) => {
  const steps: Scenario['steps'] = [{ method: 'POST', path: list, body: { date_marker: expected } }]
  const differsAt = (field: string): StepDifference => ({
    path: ['expect', 'body', field],
    where: `body.${field}`,
    expected,
    got,
  })
  const isOtherRow = hasOtherRows({ ...story(...steps), clock: '2024-01-01T00:00:00Z' }, 'k2j4')

  const found = ['created_at', 'date_marker'].map((field) =>
    isOtherRow(0, [differsAt(field)], false),
  )

  expect(found).toEqual([isOther, false])
})
