import { expect, test } from 'vitest'
import { clientRules } from '../../../../src/analysis/client-rules/client-mistakes.ts'
import {
  checkReport,
  reportRules,
  summarizeReport,
  toReport,
} from '../../../../src/analysis/report/format-report.ts'
import type { RunReport } from '../../../../src/analysis/report/report-schema.ts'
import { printReport } from '../../../../src/utils/reports/printers.ts'
import { emptyReport, reportOfAll } from '../report-of-all.ts'

const command = 'npx understudy-api exec -- <client>'

const findings = toReport(reportOfAll, command, []).sarif?.findings ?? []

const format = (report: RunReport, name: string) =>
  printReport(toReport(report, command, ['ignored-input', 'assumed']), name)

test('the summary of a report', () => {
  expect(summarizeReport(reportOfAll)).toEqual([
    'Requests: 7. Exercised: 2 of 3 operations, 4 of 5 statuses, 3 of 4 policies.',
    'Earlier requests that are not covered: 3.',
    'Only assumed: operations (1), response fields (1), policies (limits.body, events).',
    'Only observed: statuses (3), request fields (2), policies (methods.put).',
    'Mistakes of the client:',
    '  swallowed-delete: Annotation <1> stays.',
    '    entry 3',
    '    Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
    '  ignored-input: It ignores `a`.',
    '    Remove it, or use the name that the documentation lists.',
    'Key shop needs fewer.',
    'Key empty needs fewer.',
  ])
})

test('a summary shows three mistakes of a rule, and counts the others', () => {
  const [, ignored] = reportOfAll.mistakes
  const mistakes = ['a', 'b', 'c', 'd', 'e'].map((message) => ({ ...ignored, message }) as never)

  const lines = summarizeReport({ ...reportOfAll, mistakes })

  expect(lines.slice(lines.indexOf('Mistakes of the client:') + 1, -2)).toEqual([
    '  ignored-input: a',
    '  ignored-input: b',
    '  ignored-input: c',
    '  ignored-input: and 2 more',
    '    Remove it, or use the name that the documentation lists.',
  ])
})

test('a summary leaves out what the run does not have', () => {
  const keys = reportOfAll.keys.slice(1, 2)
  const operations = reportOfAll.operations.slice(0, 1)
  const statuses = reportOfAll.statuses.slice(0, 2)

  expect([
    summarizeReport(emptyReport),
    summarizeReport({ ...emptyReport, requests: 1, operations, keys }),
    summarizeReport({ ...emptyReport, requests: 1, statuses, not_covered: 1 }),
  ]).toEqual([
    ['The run sent no requests to the API.'],
    ['Requests: 1. Exercised: 1 of 1 operations, 0 of 0 statuses, 0 of 0 policies.'],
    [
      'Requests: 1. Exercised: 0 of 0 operations, 2 of 2 statuses, 0 of 0 policies.',
      'Earlier requests that are not covered: 1.',
      'Only observed: statuses (1).',
    ],
  ])
})

test('the findings of a report are its mistakes, then what is assumed, then what is observed', () => {
  const found = (rule: string, level: string, message: string) => {
    return { rule, level, message, evidence: rule, source: `source <${rule}>` }
  }

  expect(findings).toEqual([
    ...reportOfAll.mistakes,
    found('assumed', 'warning', 'Only assumed: the operation extra.'),
    found('assumed', 'warning', 'Only assumed: list returns the fields next.'),
    found('assumed', 'warning', 'Only assumed: the policy limits.body = 1, 2.'),
    found('assumed', 'warning', 'Only assumed: the policy events = none.'),
    found('observed', 'note', 'Only observed: list returns 401, 403.'),
    found('observed', 'note', 'Only observed: extra returns 200.'),
    found('observed', 'note', 'Only observed: create reads the fields content, name.'),
    found('observed', 'note', 'Only observed: the policy methods.put = on.'),
  ])
})

test.each([
  [[], []],
  [['page-arithmetic'], []],
  [
    ['assumed', 'observed', 'page-arithmetic', 'ignored-input', 'assumed'],
    [
      'The run breaks the rule assumed. Only assumed: the operation extra. (and 3 more)',
      'The run breaks the rule observed. Only observed: list returns 401, 403. (and 3 more)',
      'The run breaks the rule ignored-input. It ignores `a`.',
    ],
  ],
])('the rules %j fail a run with the lines %j', (failOn, lines) => {
  expect(checkReport(reportOfAll, failOn)).toEqual(lines)
})

test('a run without requests fails by every rule', () => {
  expect(checkReport(emptyReport, [])).toEqual([])
  expect(checkReport(emptyReport, ['assumed', 'ignored-input'])).toEqual([
    'The run fails: it sent no requests, so nothing was checked for assumed, ignored-input.',
  ])
})

test.each([
  ['everything', reportOfAll],
  ['nothing', emptyReport],
])('the page of a report with %s', async (name, report) => {
  const [, main = ''] = format(report, 'run.html').split(/<\/?main>/)

  await expect(main).toMatchFileSnapshot(`./page-with-${name}.outline.txt`)
})

test('in JUnit, a rule fails with what broke it, and is skipped if it does not fail the run', () => {
  const lines = format(reportOfAll, 'run.xml').split('\n')

  const [, suites, suite] = lines
  expect([suites, suite]).toEqual([
    `<testsuites name="understudy report" tests="${clientRules.length + 2}" failures="2" errors="0" time="0.000">`,
    `  <testsuite name="What the run rests on" tests="${clientRules.length + 2}" failures="2" errors="0" skipped="2" time="0.000">`,
  ])
  const cases = lines.filter((line) => line.startsWith('    <testcase'))
  expect(cases).toHaveLength(reportRules.length)
  expect(cases[0]).toBe(
    '    <testcase name="assumed" classname="understudy" time="0.000"><failure message="The run breaks the rule assumed. Only assumed: the operation extra. (and 3 more)" type="assumed">Only assumed: the operation extra.&#10;Only assumed: list returns the fields next.&#10;Only assumed: the policy limits.body = 1, 2.&#10;Only assumed: the policy events = none.</failure></testcase>',
  )
  expect(cases[2]).toMatch(
    /"swallowed-delete" classname="understudy" time="0.000"><skipped message="DELETE of .*, which was not deleted\.&#10;Annotation &lt;1&gt; stays\.&#10; {2}entry 3&#10; {2}entry 4&#10;Send PATCH\." type="skipped"\/><\/testcase>$/,
  )
  expect(cases[3]).toBe(
    '    <testcase name="repeated-create" classname="understudy" time="0.000"></testcase>',
  )
})

test('the other formats are JSON and SARIF', () => {
  expect(format(reportOfAll, 'run.json')).toBe(`${JSON.stringify(reportOfAll, null, 2)}\n`)
  const [run] = JSON.parse(format(reportOfAll, 'run.sarif')).runs
  expect(run.invocations).toEqual([{ commandLine: command, executionSuccessful: true }])
  expect(run.results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(
    findings.map(({ rule }) => rule),
  )
  expect(run.tool.driver.rules).toHaveLength(reportRules.length)
})
