import { expect, test } from 'vitest'
import { findScenarioIssues } from '../../../src/scenarios/format/check-scenario.ts'
import { formatIssue } from '../../../src/utils/errors.ts'

const get = { method: 'GET', path: '/api/projects/' }
const post = { method: 'POST', path: '/api/projects/' }
const noValue = 'expected a value that an earlier step saves, got'

test.each<[what: string, steps: object[], issues: string[]]>([
  [
    'a name that no step has saved before',
    [
      { ...get, path: '/{a}/', query: { q: '{b}' }, headers: { 'x-a': '{c}' } },
      { ...post, text: { $text: '{d}' }, expect: { body: { $saved: 'e' } } },
      { ...get, path: '/{own}/', save: { own: '/id' } },
      { restore: 'one' },
      { snapshot: 'one' },
    ],
    [
      ...['[0].path', '[0].query.q', '[0].headers.x-a', '[1].text', '[1].expect.body'].map(
        (path, at) => `steps${path}: ${noValue} {${'abcde'[at]}}`,
      ),
      `steps[2].path: ${noValue} {own}`,
      'steps[3].restore: expected a snapshot of an earlier step, got "one"',
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
    'a current time in a change',
    [{ fault: { effect: { status: 503, body: { $now: '2024-06-15T12:00:00Z' } } } }],
    [
      'steps[0].fault.effect.body: expected another value, got $now, which only the body of a request can contain',
    ],
  ],
  [
    'nothing in literals, bodies that were left out, and saved parts of a change',
    [
      { ...post, body: { $literal: { a: { $saved: 'x' }, $text: '{y}' } }, save: { key: '/a' } },
      { ...post, body: { $match: 'any' } },
      { fault: { effect: { $saved: 'key' } } },
      { snapshot: 'one' },
      { restore: 'one' },
    ],
    [],
  ],
])('a scenario is checked for %s', (_what, steps, issues) => {
  expect(findScenarioIssues({ title: 'A', steps }).map(formatIssue)).toEqual(issues)
})
