import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'

const drop = { drop: true }
const projects = 'listProjects'
const both = 'expected an operation, or a method and a path, not both'
const header = 'expected valid HTTP headers other than content-length, transfer-encoding, trailer'
const names = 'error, status, drop, edit, cut_bytes, hold, stall_bytes, bytes_per_s, delay_ms'

test.each<[fault: unknown, field: string | null, message: string]>([
  ['slow', null, 'expected a rule or a preset as { preset: name }, got "slow".'],
  [{ preset: 'flaky', times: 1 }, 'times', 'unknown field. None is allowed beside preset.'],
  [{ presets: 'flaky' }, 'presets', 'unknown field. Did you mean "preset"?'],
  [{ path: new URL('http://a/'), effect: drop }, 'path', 'expected string, got URL "http://a/"'],
  [{ effect: {} }, 'effect', `expected one of ${names}, got {}`],
  [{ effect: { ...drop, error: 'throttled' } }, 'effect.drop', 'expected no drop beside error'],
  [
    { effect: { ...drop, retry_after_s: 2 } },
    'effect.retry_after_s',
    'expected retry_after_s only with error, got 2',
  ],
  [{ effect: { status: 204, body: {} } }, 'effect.body', 'expected no body with status 204'],
  ...['a\r\nx-injected: yes', 'a\nb', 'a\u0001b', 'a\u0100b'].map(
    (value): [unknown, string, string] => [
      { effect: { status: 200, headers: { x: value } } },
      'effect.headers',
      header,
    ],
  ),
  ...['x-a\r\nb', 'Content-Length', 'transfer-encoding', ''].map(
    (name): [unknown, string, string] => [
      { effect: { status: 200, headers: { [name]: '1' } } },
      'effect.headers',
      header,
    ],
  ),
  [{ effect: { hold: 1 } }, 'effect.hold', 'expected true, got 1'],
  [{ effect: { status: 600 } }, 'effect.status', 'expected at most 599, got 600'],
  [{ effect: { status: 199 } }, 'effect.status', 'expected at least 200, got 199'],
  [{ effect: { delay_ms: -1 } }, 'effect.delay_ms', 'expected at least 0, got -1'],
  [{ operation: projects, method: 'GET', effect: drop }, 'method', both],
  ...['**', '1*', ':id+', '(1|2)', '[^x]', '^1$'].map((id): [unknown, string, string] => [
    { path: `/api/projects/*/annotations/${id}`, effect: drop },
    'path',
    'expected segments that are texts, :name or *, each of which is one segment, got ',
  ]),
  ...['api/projects', '/api/projects?limit=1'].map((path): [unknown, string, string] => [
    { path, effect: drop },
    'path',
    'expected a path that starts with a slash, without a query, got ',
  ]),
  [
    { path: '/api/project', effect: drop },
    'path',
    'expected the path of an operation, got "/api/project". Did you mean /api/projects?',
  ],
  [{ operation: 'create', effect: drop }, 'operation', 'createPlugin or createAnnotation?'],
  [{ operation: [projects, 'create'], effect: drop }, 'operation[1]', 'got "create". Did you'],
  [{ operation: projects, path: '/', effect: drop }, 'path', both],
  [{ when: { probability: 2 }, effect: drop }, 'when.probability', 'expected at most 1, got 2'],
  [{ when: { every: 0 }, effect: drop }, 'when.every', 'expected at least 1, got 0'],
  [{ when: { for_s: 86_401 }, effect: drop }, 'when.for_s', 'expected at most 86400, got 86401'],
  [{ effect: { hold: true, timeout_ms: 600_001 } }, 'effect.timeout_ms', 'at most 600000'],
])('the fault %j is refused with its field: %s', (fault, field, text) => {
  const { faults } = createSimulator()

  const message = expect.stringContaining(text)
  expect(() => faults.add(fault as never)).toThrow(
    expect.objectContaining({ name: 'UsageError', field, message }),
  )
  expect(faults.list()).toEqual([])
})

const single = 'count cannot be combined with at_least or at_most.'

test.each<[expectation: unknown, field: string, message: string]>([
  [{ count: 1, at_least: 1 }, 'count', single],
  [{ count: 1, at_most: 1 }, 'count', single],
  [{ at_least: 2, at_most: 1 }, 'at_least', 'at_least (2) is greater than at_most (1).'],
  [{ count: -1 }, 'count', 'expected at least 0, got -1'],
  [{ query: { search: ['x'] } }, 'query.search', 'expected text, a number, true, false or null'],
  [{ statu: 1 }, 'statu', 'unknown field. Did you mean "status"?'],
])('the expectation %j is refused with its field: %s', (expectation, field, text) => {
  const { journal } = createSimulator()

  const message = expect.stringContaining(text)
  expect(() => journal.verify(expectation as never)).toThrow(
    expect.objectContaining({ name: 'UsageError', field, message }),
  )
})
