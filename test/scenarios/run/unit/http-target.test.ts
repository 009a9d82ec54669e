import { expect, test } from 'vitest'
import { parseScenario } from '../../../../src/scenarios/format/check-scenario.ts'
import { findHttpTargetIssues } from '../../../../src/scenarios/run/target.ts'
import { formatIssue } from '../../../../src/utils/issues.ts'

const scenario = parseScenario({
  title: 'A story',
  steps: [
    { title: 'The clock', clock: '2024-06-15T12:00:00Z' },
    { title: 'A read', method: 'GET', path: '/api/projects/' },
    { title: 'A description', method: 'OPTIONS', path: '/api/projects/' },
    { title: 'A head', method: 'HEAD', path: '/api/projects/' },
    { title: 'A write', method: 'POST', path: '/api/projects/' },
    { rows: { annotations: [{ content: 'Launch' }] } },
  ],
})

const change = (path: string) =>
  `${path}: expected requests only: a replay changes only the world of an Understudy server, and only if no key is passed`

test('a target without a control API takes reads only, and writes if they are allowed', () => {
  const changes = [change('steps[0].clock'), change('steps[5].rows')]

  expect(findHttpTargetIssues(scenario, { allow_writes: true }).map(formatIssue)).toEqual(changes)
  expect(findHttpTargetIssues(scenario, {}).map(formatIssue)).toEqual([
    changes[0],
    'steps[4].method: expected a read, got POST. Allow writes with --allow-writes',
    changes[1],
  ])
})
