import { expect, test } from 'vitest'
import { scenarioIssues } from '../../support/scenarios/story.ts'

const get = { method: 'GET', path: '/api/projects/' }
const post = { method: 'POST', path: '/api/projects/' }
const noValue = 'expected a value that an earlier step saves, got'

test.each<[what: string, steps: object[], issues: string[]]>([
  [
    'a name that no step has saved before',
    [
      { ...get, path: '/{a}{a}/', query: { q: '{b}' }, headers: { 'x-a': '{c}' } },
      { ...post, text: { $saved: '{d}' }, expect: { body: { $saved: 'e' } } },
      { ...get, path: '/{own}/', save: { own: '/id' } },
    ],
    [
      ...['[0].path', '[0].query.q', '[0].headers.x-a', '[1].text', '[1].expect.body'].map(
        (path, at) => `steps${path}: ${noValue} {${'abcde'[at]}}`,
      ),
      `steps[2].path: ${noValue} {own}`,
    ],
  ],
  [
    'two things at once',
    [
      { clear: 'faults', reset: true },
      { ...post, body: {}, text: '' },
      { ...get, method: 'HEAD', text: '' },
    ],
    [
      'steps[0]: expected one change, got clear and reset',
      'steps[1].text: expected body or text, got both',
      'steps[2].text: a HEAD request has no body',
    ],
  ],
  [
    'nothing in literals, bodies that were left out, and saved parts of a change',
    [
      {
        ...post,
        body: { $literal: { a: { $saved: 'x' }, b: { $saved: '{y}' } } },
        save: { key: '/a' },
      },
      { ...post, body: { $match: 'any' } },
      { fault: { effect: { $saved: 'key' } } },
    ],
    [],
  ],
  [
    'long pointers',
    [{ method: 'GET', path: '/', save: { id: '/x'.repeat(5_000) } }],
    [`steps[0].save.id: expected at most 1000, got "${'/x'.repeat(39)}/…`],
  ],
  [
    'a hundred wrong items, and not for the one behind them, which would be listed first',
    [{ fault: { effect: { edit: [...Array(100).fill(5), { nonsense: 1 }] } } }],
    [...Array(100).keys()].map((at) => `steps[0].fault.effect.edit[${at}]: expected object, got 5`),
  ],
])('a scenario is checked for %s', (_what, steps, issues) => {
  expect(scenarioIssues({ title: 'A', steps })).toEqual(issues)
})

test.each<[scenario: unknown, issue: string]>([
  [null, 'expected an object with title and steps, got null'],
  [{ title: 'A', seed: 1.5, steps: [get] }, 'seed: expected int, got 1.5'],
  [{ title: 'A', steps: [] }, 'steps: expected at least one, got []'],
  [
    { title: 'A', world: 5, steps: [get] },
    'world: expected the name of a fixture, or a world, got 5',
  ],
  [
    { title: 'A', clock: 'soon', steps: [get] },
    'clock.now: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "soon"',
  ],
])('the scenario %j has an issue: %s', (scenario, issue) => {
  expect(scenarioIssues(scenario)).toEqual([issue])
})

test.each<[step: unknown, issue: string]>([
  [5, ': expected a request or a change, got 5'],
  [{ ...get, body: {} }, '.body: a GET request has no body'],
  [
    { ...post, as: 'all', headers: { Authorization: 'x' } },
    '.headers.authorization: expected as or headers.authorization, got both',
  ],
  [
    { ...post, expect: { broken: true, status: 200 } },
    '.expect.status: expected broken or status, got both',
  ],
  [
    { settings: { 'annotations.delete.status': ['404'] } },
    '.settings.annotations.delete.status: expected one of 403, 404, 405, 405_empty, got ["404"]',
  ],
  [{ reset: true, save: { id: '/id' } }, '.save: unknown field. Allowed: title, reset'],
  [{ advance: 'soon' }, '.advance: expected a duration such as { minutes: 5 }, got "soon"'],
  [{ fault: { effect: { hold: 1 } } }, '.fault.effect.hold: expected true, got 1'],
  [
    { ...post, body: { a: { $match: 'any' } } },
    '.body.a: expected a value to send, got $match, which is for expect',
  ],
  [{ ...post, body: { a: { $saved: 1 } } }, '.body.a.$saved: expected string, got 1'],
  [
    { ...post, body: { a: { b: 1, $x: 1 } } },
    '.body.a: expected one of $saved, $match, $literal as the only field, got "$x" and "b". ' +
      'Wrap a plain value in { "$literal": … }',
  ],
])('the step %j has an issue: %s', (step, issue) => {
  expect(scenarioIssues({ title: 'A', steps: [step] })).toEqual([`steps[0]${issue}`])
})
