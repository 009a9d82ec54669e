import { expect, test } from 'vitest'
import {
  findKeyIssues,
  findScenarioIssues,
  freezeParsed,
  parseScenario,
} from '../../../../src/scenarios/format/check-scenario.ts'
import type { Step } from '../../../../src/scenarios/format/scenario.ts'
import { version } from '../../../../src/utils/version.ts'
import { maxJsonDepth } from '../../../../src/world/world-format.ts'

const get = { method: 'GET', path: '/api/' }
const at = (path: string, more: object = {}) => ({ method: 'GET', path, ...more })

/** The issues of a scenario with these fields besides a title. */
const issuesOf = (head: object, ...steps: object[]): string[] =>
  findScenarioIssues({ title: 'A', steps: steps.length > 0 ? steps : [get], ...head })

test.each([
  [5, 'scenario: expected an object with title and steps, got 5'],
  [[], 'scenario: expected an object with title and steps, got []'],
  [undefined, 'scenario: expected an object with title and steps, got nothing'],
])('%j is no scenario', (value, issue) => {
  expect(findScenarioIssues(value)).toEqual([issue])
})

test('the error of a scenario has its name and all issues', () => {
  const message = 'Failed to read the scenario: 2 problems. Nothing was run.'
  const issues = ['title: expected string, got 5', 'steps: expected at least one, got []']
  const value = { title: 5, steps: [] }

  expect(() => parseScenario(value)).toThrow(`${[message, ...issues].join('\n  ')}`)
  expect(() => parseScenario(value, 'a.json')).toThrow(
    expect.objectContaining({
      issues,
      message: expect.stringContaining('scenario a.json: 2 problems.'),
    }),
  )
  expect(() => parseScenario(null)).toThrow(
    'Failed to read the scenario: 1 problem. Nothing was run.',
  )
})

test('a scenario that was frozen is not checked again, and its mark is not written', () => {
  const invalid = { title: 5 } as never
  const twice = freezeParsed(freezeParsed(invalid))

  expect(parseScenario(invalid)).toBe(twice)
  expect(JSON.stringify(twice)).toBe('{"title":5}')
  expect(Object.isFrozen(twice)).toBe(true)
  expect(() => parseScenario({ ...twice })).toThrow('Failed to read the scenario')
})

test('a scenario that contains itself can be frozen', () => {
  const circle: Record<string, unknown> = { title: 'A', steps: [] }
  circle.self = [circle]

  freezeParsed(circle as never)

  expect([circle, circle.self, circle.steps].every(Object.isFrozen)).toBe(true)
})

test.each([
  [1, []],
  [
    2,
    [
      `format_version: expected at most 1, got 2. A later version of understudy-api wrote this file. Update understudy-api ${version}.`,
    ],
  ],
  [0, ['format_version: expected at least 1, got 0']],
  ['2', ['format_version: expected number, got "2"']],
])('the format version %j has the issues %j', (format_version, issues) => {
  expect(issuesOf({ format_version })).toEqual(issues)
})

test.each([
  [maxJsonDepth, []],
  [maxJsonDepth + 1, [`scenario: expected at most ${maxJsonDepth} nested levels`]],
])('a scenario of %i levels has the issues %j', (levels, issues) => {
  // The scenario, its steps, the step and its body are four levels, and the innermost list has no further one.
  const lists = levels - 3
  const body = JSON.parse(`${'['.repeat(lists)}${']'.repeat(lists)}`)

  expect(issuesOf({}, at('/', { method: 'POST', body }))).toEqual(issues)
})

test.each([
  [{ world: 'a name' }, []],
  [{ world: {} }, []],
  [{ world: null }, ['world: expected the name of a fixture, or a world, got null']],
  [{ world: [] }, ['world: expected the name of a fixture, or a world, got []']],
  [{ world: 5 }, ['world: expected the name of a fixture, or a world, got 5']],
  [{ world: { project: [] } }, [expect.stringMatching(/^world\..*unknown field "project"/)]],
  [{ clock: 'real' }, []],
  [
    { clock: 'noon' },
    ['clock.time: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "noon"'],
  ],
  [
    { clock: { mode: 'ticking', time: 'noon' } },
    ['clock.time: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "noon"'],
  ],
  [{ clock: 5 }, ['clock: expected "real", a time, or { mode, time }, got 5']],
  [{ profile: 'live', policies: {} }, []],
  [
    { profile: 5, policies: { 'methods.put': 'on' } },
    ['profile: expected one of "documented", "live", got 5'],
  ],
  [{ policies: 5 }, ['policies: expected object, got 5']],
  [
    { policies: { 'methods.put': [] } },
    [expect.stringMatching(/^policies\.methods\.put: expected /)],
  ],
  [
    { profile: 'other', policies: { 'methods.put': 'maybe' } },
    [
      'profile: expected one of "documented", "live", got "other"',
      'policies.methods.put: expected one of off, on, got "maybe"',
    ],
  ],
] as const)('the head %j has the issues %j', (head, issues) => {
  expect(issuesOf(head)).toEqual(issues)
})

const scope = (value: string) => ({
  organizations: [{ id: 'a', name: 'A' }],
  projects: [{ id: 1, organization: 'a', name: 'P' }],
  annotations: [{ id: 1, project: 1, scope: value }],
})

test('the rows of a world are checked with the policies of the scenario', () => {
  const world = scope('team')
  const any = { 'annotations.scope.values': 'any' }
  const refused = [expect.stringMatching(/^world\.annotations\[0\]\.scope: expected /)]

  expect(issuesOf({ world, policies: any }).filter((issue) => issue.includes('scope'))).toEqual([])
  expect(issuesOf({ world }).filter((issue) => issue.includes('scope'))).toEqual(refused)
  expect(
    issuesOf({ world, policies: { ...any, 'methods.put': 'maybe' } }).filter((issue) =>
      issue.includes('scope'),
    ),
  ).toEqual(refused)
})

test('keys of later steps are not known yet, and any key is known without a list', () => {
  const steps = [
    { rows: { keys: [{ label: 'one', value: 'phx_1' }, { value: 'phx_2' }, {}] } },
    at('/', { as: 'one' }),
    at('/', { as: 'phx_1' }),
    at('/', { as: 'phx_2' }),
    at('/', { as: '' }),
    at('/', { as: 'three' }),
    { world: { keys: [{ label: 'three' }] } },
    at('/', { as: 'three' }),
    { world: {} },
  ] as unknown as Step[]
  const issue = (step: number, label: string, hint = '') =>
    `steps[${step}].as: expected the label of a key ("one", "phx_2", "") in step ${step + 1}, got "${label}"${hint}`

  expect(findKeyIssues(steps, [])).toEqual([issue(2, 'phx_1'), issue(5, 'three')])
  expect(findKeyIssues(steps, null)).toEqual([])
  expect(findKeyIssues([at('/', { as: 'alll' })], [])).toEqual([
    'steps[0].as: expected the label of a key (none) in step 1, got "alll"',
  ])
})

const reference = 'expected a value that an earlier step saves, got'

test.each([
  [[{ snapshot: 'a' }, { restore: 'a' }], []],
  [
    [{ restore: 'a' }, { snapshot: 'a' }],
    ['steps[0].restore: expected a snapshot of an earlier step, got "a"'],
  ],
  // An invalid step saves its values and its snapshot, too.
  [
    [{ snapshot: 'a', b: 1 }, { restore: 'a' }],
    ['steps[0]: unknown field "b". Allowed: title, snapshot'],
  ],
  [
    [{ snapshot: 5 }, { restore: '5' }],
    [
      'steps[0].snapshot: expected string, got 5',
      'steps[1].restore: expected a snapshot of an earlier step, got "5"',
    ],
  ],
  [
    [at('x', { save: 5 }), at('/{id}')],
    [
      'steps[0].path: expected a path that starts with a slash, or a saved URL such as {next}, got "x"',
      'steps[0].save: expected object, got 5',
      `steps[1].path: ${reference} {id}, which no step saves`,
    ],
  ],
  [
    [at('/{base_url}/{id}/{id}')],
    [
      `steps[0].path: ${reference} {id}, which no step saves`,
      `steps[0].path: ${reference} {id}, which no step saves`,
    ],
  ],
  [
    [at('/{bas_url}')],
    [`steps[0].path: ${reference} {bas_url}, which no step saves. Did you mean base_url?`],
  ],
  [[{ world: { annotations: [] }, title: '{id}' }], []],
  [
    [{ rows: { annotations: [{ content: { $text: '{id}' } }] } }],
    [`steps[0].rows.annotations[0].content: ${reference} {id}, which no step saves`],
  ],
])('the references of %j have the issues %j', (steps, issues) => {
  expect(issuesOf({}, ...steps)).toEqual(issues)
})

const saves = (path: string, name: string) => at(path, { save: { [name]: '/a' } })
const circular = (index: number) =>
  `. Circular reference: steps[${index}] saves it, but needs a value of this step`

test.each([
  // A circle of three, and a step beside it that only waits for one of them.
  [
    [saves('/{b}', 'a'), saves('/{c}', 'b'), saves('/{a}', 'c')],
    [`{b}${circular(1)}`, `{c}${circular(2)}`],
  ],
  [
    [at('/{a}'), saves('/{b}', 'a'), saves('/{c}', 'b'), saves('/{b}', 'c')],
    ['{a}, which steps[1] saves later', '{b}, which steps[2] saves later', `{c}${circular(3)}`],
  ],
  [
    [saves('/{b}', 'a'), saves('/{z}', 'b')],
    ['{b}, which steps[1] saves later', '{z}, which no step saves'],
  ],
])('the circle in %j has the issues %j', (steps, issues) => {
  expect(issuesOf({}, ...steps).map((issue) => issue.split(`${reference} `)[1])).toEqual(issues)
})
