import { expect, test } from 'vitest'
import {
  createSimulator,
  type RequestStep,
  type Scenario,
  type Step,
} from '../../../../src/index.ts'
import {
  findKeyIssues,
  findScenarioIssues,
  freezeParsed,
  parseScenario,
} from '../../../../src/scenarios/format/check-scenario.ts'
import { collectIssues } from '../../../../src/scenarios/format/check-step.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'

const get = { method: 'GET', path: '/api/projects/' }
const at = (path: string, more: object = {}) => ({ method: 'GET', path, ...more })
const post = (more: object) => ({ method: 'POST', path: '/api/projects/', ...more })

/** The issues of a scenario with these steps. */
const issuesOf = (...steps: unknown[]): string[] => findScenarioIssues({ title: 'A', steps })

test('values that are not scenarios are refused', () => {
  expect(findScenarioIssues(null)).toEqual([
    'scenario: expected an object with title and steps, got null',
  ])
  expect(findScenarioIssues({ steps: 5, name: 'A' })).toEqual([
    'title: expected string, got nothing',
    'scenario: unknown field "name". Allowed: $schema, format_version, title, description, world, seed, profile, policies, clock, steps',
    'steps: expected a list, got 5',
  ])
  expect(findScenarioIssues({ title: 'A', steps: [] })).toEqual([
    'steps: expected at least one, got []',
  ])
})

test('a scenario of a later format version is refused', () => {
  expect(findScenarioIssues({ format_version: 2, chapters: [] })).toEqual([
    expect.stringMatching(
      /^format_version: expected at most 1, got 2\. A later version of understudy-api wrote this file\./,
    ),
  ])
})

test('a scenario that is nested too deeply, or contains itself, is refused', () => {
  const circle: Record<string, unknown> = { title: 'A' }
  circle.steps = [circle]
  const deep = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)
  const issue = 'scenario: expected at most 900 nested levels'

  expect(findScenarioIssues(circle)).toEqual([issue])
  expect(findScenarioIssues({ title: 'A', steps: [post({ body: deep })] })).toEqual([issue])
})

test('all issues of all parts are reported together, each with its path', () => {
  const scenario = {
    title: 'A',
    world: { next_ids: { plugins: 0 } },
    seed: 1.5,
    steps: [at('api'), { rest: true }, { clock: 'noon' }],
  }

  expect(findScenarioIssues(scenario)).toEqual([
    'seed: expected int, got 1.5',
    expect.stringMatching(/^world\.next_ids\.plugins: expected more than 0/),
    'steps[0].path: expected a path that starts with a slash, or a saved URL such as {next}, got "api"',
    expect.stringMatching(
      /^steps\[1\]: expected a step with one of method, rows, .*, got "rest". Did you mean reset\?$/,
    ),
    'steps[2].clock.time: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "noon"',
  ])
})

test('an issue of the schema hides no issue of clock, policies, matchers and saved values', () => {
  const scenario = {
    title: 5,
    clock: 'noon',
    policies: { 'limits.boddy': 5 },
    steps: [
      at('/a', { save: { id: '/id', 'bad name': '/id' } }),
      at('/{id}/{other}', { headers: { 'bad header': 'x' }, expect: { body: { $match: 'uid' } } }),
      at('/{id}/{missing}', { expect: { body: { $match: 'uid' } } }),
      at('/{missing}/'),
    ],
  }

  expect(findScenarioIssues(scenario)).toEqual([
    'title: expected string, got 5',
    expect.stringMatching(/^policies\.limits\.boddy: /),
    'clock.time: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "noon"',
    'steps[0].save.bad name: expected a name of letters, digits and underscores, got "bad name"',
    'steps[1].headers.bad header: expected a header name, got "bad header"',
    expect.stringMatching(/^steps\[1\]\.expect\.body\.\$match: expected one of /),
    expect.stringMatching(/^steps\[2\]\.expect\.body\.\$match: expected one of /),
    'steps[3].path: expected a value that an earlier step saves, got {missing}, which no step saves',
  ])
})

test('unknown policies and profiles are reported', () => {
  const head = (more: object) => findScenarioIssues({ title: 'A', steps: [get], ...more })

  expect(head({ profile: 'lvie' })).toEqual([
    'profile: expected one of "documented", "live", got "lvie"',
  ])
  expect(head({ policies: { 'annotations.delete.status': '999' } })).toEqual([
    expect.stringMatching(/^policies\.annotations\.delete\.status: expected one of .*, got "999"/),
  ])
  expect(head({ policies: { 'annotations.delete': '405' } })).toEqual([
    expect.stringMatching(
      /^policies\.annotations\.delete: expected the id of a policy .*, got "annotations.delete"/,
    ),
  ])
})

test('issues of requests', () => {
  expect(
    issuesOf(
      { ...get, method: 'FETCH' },
      { ...get, headers: { 'a b': 'c' } },
      { ...get, body: {} },
      post({ body: {}, text: '' }),
      post({ base64: 'no base64!' }),
      post({ expect: { text: 5 } }),
      post({ text: { $match: 'text' } }),
      post({ as: 'all', headers: { Authorization: 'Bearer x' } }),
      { ...get, expect: { status: 99 } },
      { ...get, expect: { broken: true, status: 200 } },
      { ...get, save: { id: 'id' } },
      { ...get, save: { 'the id': '/id' } },
      { ...get, expects: {} },
      { ...get, method: 'HEAD', text: 'x' },
      post({ text: 'x', base64: '' }),
      { title: 'A', save: {}, expect: {}, bodyy: {} },
      {},
    ),
  ).toEqual([
    'steps[0].method: expected one of "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", got "FETCH"',
    expect.stringMatching(/^steps\[1\]\.headers/),
    'steps[2].body: a GET request has no body',
    'steps[3].text: expected body or text, got both',
    'steps[4].base64: expected base64, got "no base64!"',
    'steps[5].expect.text: expected a string or { "$text": … }, got 5',
    'steps[6].text: expected a string or { "$text": … }, got {"$match":"text"}',
    'steps[7].headers.authorization: expected as or headers.authorization, got both',
    'steps[8].expect.status: expected a status such as 404, or a class such as 4xx, got 99',
    'steps[9].expect.status: expected broken or status, got both',
    'steps[10].save.id: expected a JSON Pointer such as /results/0/id, got "id"',
    expect.stringMatching(/^steps\[11\]\.save/),
    'steps[12]: unknown field "expects". Did you mean "expect"?',
    'steps[13].text: a HEAD request has no body',
    'steps[14].base64: expected text or base64, got both',
    expect.stringMatching(
      /^steps\[15\]: expected a step with one of method, rows, .*, got "bodyy"$/,
    ),
    expect.stringMatching(/^steps\[16\]: expected a step with one of method, rows, .*, got ""$/),
  ])
})

test('issues of special values', () => {
  expect(
    issuesOf(
      { ...get, expect: { body: { id: { $match: 'ids' } } } },
      { ...get, expect: { body: [{ $pattern: '(' }] } },
      { ...get, expect: { body: { $matches: 'id' } } },
      { ...get, expect: { body: { $match: 'id', or: 'uuid' } } },
      post({ body: { content: { $match: 'text' } } }),
      post({ body: { content: { $literal: { $match: 'text' } } } }),
      { ...get, expect: { body: { id: { $match: 'zzzzzz' } } } },
      { ...get, expect: { body: { id: { $match: 5 } } } },
      { ...get, expect: { body: { $pattern: 5 } } },
      { ...get, expect: { body: { $not: { $pattern: '[' } } } },
      { ...get, expect: { headers: { location: { $pattern: '(' } } } },
      { ...get, expect: { exact_body: { id: { $pattern: '(' } } } },
      { clock: { $match: 'time' } },
      { rows: { annotations: [{ content: { $match: 'text' } }] } },
    ),
  ).toEqual([
    'steps[0].expect.body.id.$match: expected one of any, absent, id, uuid, time, text, number, boolean, list, object, got "ids". Did you mean id?',
    'steps[1].expect.body[0].$pattern: expected a regular expression, got "("',
    expect.stringMatching(
      /^steps\[2\]\.expect\.body: expected one of \$saved, .* as the only field, got "\$matches"\. Wrap/,
    ),
    expect.stringMatching(
      /^steps\[3\]\.expect\.body: expected one of \$saved, .* as the only field, got "\$match"\. Wrap/,
    ),
    'steps[4].body.content: expected a value to send, got $match, which only expect can contain',
    'steps[6].expect.body.id.$match: expected one of any, absent, id, uuid, time, text, number, boolean, list, object, got "zzzzzz"',
    'steps[7].expect.body.id.$match: expected one of any, absent, id, uuid, time, text, number, boolean, list, object, got 5',
    'steps[8].expect.body.$pattern: expected a string, got 5',
    expect.stringMatching(/^steps\[9\]\.expect\.body\.\$not\.\$pattern: expected a regular/),
    expect.stringMatching(/^steps\[10\]\.expect\.headers\.location\.\$pattern: expected a regular/),
    expect.stringMatching(/^steps\[11\]\.expect\.exact_body\.id\.\$pattern: expected a regular/),
    'steps[12].clock: expected a value to send, got $match, which only expect can contain',
    expect.stringMatching(/^steps\[12\]\.clock\.time: expected an ISO 8601 time/),
    'steps[13].rows.annotations[0].content: expected a value to send, got $match, which only expect can contain',
    'steps[13].rows.annotations[0].content: expected string, got {"$match":"text"}',
  ])
})

test('references to values that are never saved, saved later, or circular', () => {
  expect(issuesOf(at('/{id}'))).toEqual([
    'steps[0].path: expected a value that an earlier step saves, got {id}, which no step saves',
  ])
  expect(issuesOf({ ...get, save: { first: '/id' } }, at('/{fist}'))).toEqual([
    'steps[1].path: expected a value that an earlier step saves, got {fist}, which no step saves. Did you mean first?',
  ])
  expect(issuesOf(at('/{id}'), { ...get, save: { id: '/id' } })).toEqual([
    'steps[0].path: expected a value that an earlier step saves, got {id}, which steps[1] saves later',
  ])
  expect(issuesOf(at('/{id}', { save: { id: '/id' } }))).toEqual([
    'steps[0].path: expected a value that an earlier step saves, got {id}, which only this step saves',
  ])
  expect(issuesOf(at('/{a}', { save: { b: '/b' } }), at('/{b}', { save: { a: '/a' } }))).toEqual([
    'steps[0].path: expected a value that an earlier step saves, got {a}. Circular reference: steps[1] saves it, but needs a value of this step',
  ])
})

test('a reference is reported wherever it is', () => {
  const value = '{gone}'
  const issue = 'expected a value that an earlier step saves, got {gone}, which no step saves'
  const saved = { $saved: 'gone' }

  for (const [step, path] of [
    [{ ...get, query: { search: value } }, 'query.search'],
    [{ ...get, headers: { 'x-id': value } }, 'headers.x-id'],
    [post({ body: { a: [saved] } }), 'body.a[0]'],
    [post({ text: { $text: value } }), 'text'],
    [{ ...get, expect: { body: saved } }, 'expect.body'],
    [{ ...get, expect: { headers: { location: { $text: value } } } }, 'expect.headers.location'],
    [{ delete: { annotations: [saved] } }, 'delete.annotations[0]'],
  ] as const) {
    expect(issuesOf(step)).toEqual([`steps[0].${path}: ${issue}`])
  }
  expect(issuesOf({ ...get, query: { search: '{base_url}' } })).toEqual([])
})

test('a request can use the key that an earlier step adds, by its label or its value', () => {
  const issues = (...steps: unknown[]) => findKeyIssues(steps as Step[], ['all', 'knew'])
  const user = { user: 1, scopes: ['*'] }

  expect(
    issues(
      { ...get, as: 'all' },
      { ...get, as: 'new' },
      { rows: { keys: [{ ...user, value: 'phx_new', label: 'new' }] } },
      { ...get, as: 'new' },
      { world: { keys: [{ ...user, value: 'phx_other' }] } },
      { ...get, as: 'phx_other' },
      { rows: {} },
      { ...get, as: 'phx_new' },
      get,
    ),
  ).toEqual([
    'steps[1].as: expected the label of a key ("all", "knew") in step 2, got "new". Did you mean knew?',
    'steps[7].as: expected the label of a key ("all", "knew", "new", "phx_other") in step 8, got "phx_new"',
  ])
})

test('a frozen scenario cannot be changed, down to its bodies, and a circle is no problem', () => {
  const scenario = { title: 'A', steps: [post({ body: { list: [{ a: 1 }] } })] }

  const frozen = freezeParsed(scenario as Scenario)

  expect(frozen).toBe(scenario)
  expect(() => Object.assign((scenario.steps[0] as RequestStep).body as object, { b: 1 })).toThrow(
    TypeError,
  )
  expect(
    Object.isFrozen(((frozen.steps[0] as RequestStep).body as { list: object[] }).list[0]),
  ).toBe(true)
  expect(JSON.stringify(frozen)).toBe(JSON.stringify({ ...scenario }))
  expect(parseScenario(frozen)).toBe(frozen)
})

test('issues of changes of the world', () => {
  expect(
    issuesOf(
      { clock: '2024-06-01', reset: true },
      { reset: false },
      { restore: 'before' },
      { advance: { weeks: 1 } },
      { fault: { effect: { eror: 'throttled' } } },
      { actor: { after: { operation: 'listAnnotations' }, steps: [{ update: 'users' }] } },
      { rows: { annotations: [{ scope: 5 }] } },
      { policies: { 'limits.body': 0 } },
      { world: { projects: [{ id: 1, organization: 'none' }] } },
      { remove: 'rule-1' },
      { clear: 'rows' },
      { revoke: 5 },
      { update: { annotations: [{ content: 'New text' }] } },
      { update: { keys: [] } },
      { delete: { annotations: [1, 'two'] } },
      { reset: ['rows', 'fault'] },
    ),
  ).toEqual([
    'steps[0]: expected one change, got clock and reset',
    expect.stringMatching(/^steps\[1\]\.reset: expected true, or a list of rows, /),
    expect.stringMatching(/^steps\[3\]\.advance\.weeks: expected /),
    expect.stringMatching(
      /^steps\[4\]\.fault\.effect\.eror: expected an effect of .*Did you mean error\?/,
    ),
    expect.stringMatching(
      /^steps\[5\]\.actor\.steps\[0\]\.update: expected one of annotations, plugins, got "users"/,
    ),
    expect.stringMatching(/^steps\[6\]\.rows\.annotations\[0\]\.scope: expected /),
    expect.stringMatching(/^steps\[7\]\.policies\.limits\.body: expected a whole number/),
    expect.stringMatching(/^steps\[8\]\.world\.projects\[0\]\.organization: expected /),
    'steps[9].remove: expected the id of a fault or an actor, such as fault-1, got "rule-1"',
    'steps[10].clear: expected one of "faults", "actors", got "rows"',
    'steps[11].revoke: expected string, got 5',
    expect.stringMatching(/^steps\[12\]\.update\.annotations\[0\]\.id: expected /),
    expect.stringMatching(/^steps\[13\]\.update.*keys/),
    expect.stringMatching(/^steps\[14\]\.delete\.annotations\[1\]: expected /),
    expect.stringMatching(/^steps\[15\]\.reset: expected true, or a list of rows, /),
    'steps[2].restore: expected a snapshot of an earlier step, got "before"',
  ])
  expect(issuesOf({ restore: 'before' })).toEqual([
    'steps[0].restore: expected a snapshot of an earlier step, got "before"',
  ])
})

test('a scenario with an issue, or for an unknown key, does not run', async () => {
  const simulator = createSimulator()
  const replay = (scenario: unknown) => simulator.replay(scenario as Scenario)

  await expect(replay({ title: 'A', steps: [{ ...get, as: 5 }] })).rejects.toThrow(
    'Failed to read the scenario: 1 problem. Nothing was run.\n  steps[0].as: expected string, got 5',
  )
  await expect(replay({ title: 'A', steps: [{ ...get, as: 'al' }] })).rejects.toThrow(
    /^Failed to replay the scenario: 1 problem. Nothing was run.\n {2}steps\[0\]\.as: expected the label of a key \("all", .*\) in step 1, got "al"\. Did you mean all\?$/,
  )
  await expect(replay({ title: 'A', world: 'defalt', steps: [get] })).rejects.toThrow(
    'Failed to replay the scenario: expected the name of a fixture, a snapshot or a sandbox ("default", "empty"), got "defalt". Did you mean default?',
  )
})

test.each([
  [
    new UsageError('Failed to set the clock: expected a time, got 7.', [], 'time'),
    ['clock.time: expected a time, got 7'],
  ],
  [new UsageError('Failed to set the clock: expected a time.'), ['clock: expected a time']],
  [new UsageError('A plain sentence.'), ['clock: A plain sentence']],
])('the issue of %s has its path', (error, issues) => {
  const fail = () => {
    throw error
  }

  expect(collectIssues('clock', fail)).toEqual(issues)
})

test('another error is no issue', () => {
  const fail = () => {
    throw new TypeError('a defect')
  }

  expect(() => collectIssues('clock', fail)).toThrow(TypeError)
  expect(collectIssues('clock', () => {})).toEqual([])
})
