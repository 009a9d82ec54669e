import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { failingStep, readStep, writeScenarioFile } from '../../support/scenarios/scenario-files.ts'

test('--only compares one step and runs the steps before it', async () => {
  const file = writeScenarioFile([failingStep, readStep])

  const second = await run(['replay', file, '--only', '2'])
  const first = await run(['replay', file, '--only', '1'])

  expect([second.code, second.stdout.includes('✗')]).toEqual([0, false])
  expect([first.code, first.stdout.includes('✗')]).toEqual([1, true])
})

test('the JUnit report of a scenario that cannot run has one error and no duration', async () => {
  const args = ['--target', 'http://127.0.0.1:1', '--report', 'junit']

  const { code, stdout } = await run(['replay', writeScenarioFile([readStep]), ...args])

  expect(code).toBe(4)
  expect(stdout).toContain(
    ' tests="1" failures="0" errors="1" skipped="0" time="0.000">\n    <testcase ',
  )
})
