import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/files.ts'
import { runVitest } from './run-vitest.ts'

const runReporting = (variables: Record<string, string>) =>
  runVitest('reporting', variables, '--retry=1')

test('the reporter merges what the tests of all workers used', async () => {
  const file = `${temporaryFolder()}/run.json`

  const { code, stdout } = await runReporting({ REPORT: file })

  expect(code).toBe(0)
  const report: RunReport = JSON.parse(readFileSync(file, 'utf8'))
  // Of a test that is retried, both attempts.
  expect(report.requests).toBe(7)
  // The tests run in the profile live.
  expect(report.settings.find(({ id }) => id === 'headers.allow')).toMatchObject({
    values: ['every_answer'],
    evidence: 'source',
  })
  expect(stdout).toContain(' Requests: 7.\n')
  expect(stdout).toContain(` The report is in ${file}.`)
})

test('the reporter is deterministic, and fails the run by a rule', async () => {
  const folder = temporaryFolder()
  const [first, second] = [`${folder}/first.json`, `${folder}/second.json`]

  const passed = await runReporting({ REPORT: first, FAIL_ON: 'assumed' })
  const failed = await runReporting({ REPORT: second, FAIL_ON: 'assumed,swallowed-delete' })

  expect([passed.code, failed.code]).toEqual([0, 1])
  expect(readFileSync(first, 'utf8')).toBe(readFileSync(second, 'utf8'))
  expect(failed.stdout).toContain(' The run breaks the rule swallowed-delete. ')
})
