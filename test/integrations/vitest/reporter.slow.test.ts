import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/files.ts'
import { runVitest } from './run-vitest.ts'

const runReporting = (variables: Record<string, string>) =>
  runVitest('reporting', variables, '--retry=1')

test('the reporter merges what the tests of all workers used, always the same, and fails the run by a rule', async () => {
  const folder = temporaryFolder()
  const [first, second] = [`${folder}/first.json`, `${folder}/second.json`]

  const passed = await runReporting({ REPORT: first, FAIL_ON: 'assumed' })
  const failed = await runReporting({ REPORT: second, FAIL_ON: 'assumed,swallowed-delete' })

  expect([passed.code, failed.code]).toEqual([0, 1])
  const report: RunReport = JSON.parse(readFileSync(first, 'utf8'))
  // Of a test that is retried, both attempts.
  expect(report.requests).toBe(4)
  // The tests run in the profile live.
  expect(report.settings.find(({ id }) => id === 'headers.allow')).toMatchObject({
    values: ['every_answer'],
    evidence: 'source',
  })
  expect(passed.stdout).toContain(' Requests: 4.\n')
  expect(passed.stdout).toContain(` The report is in ${first}.`)
  expect(readFileSync(first, 'utf8')).toBe(readFileSync(second, 'utf8'))
  expect(failed.stdout).toContain(' The run fails for swallowed-delete. ')
})
