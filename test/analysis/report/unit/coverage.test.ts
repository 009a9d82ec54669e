import { expect, test } from 'vitest'
import { checkCoverage, parseCoverageRule } from '../../../../src/analysis/report/coverage.ts'
import { locateTest } from '../../../../src/analysis/report/format-report.ts'
import { createRunReport } from '../../../../src/analysis/report/run-report.ts'
import { emptyUsage } from '../../../../src/analysis/report/run-usage.ts'

const usage = emptyUsage()
const listed = {
  requests: 1,
  statuses: {},
  parameters: [],
  request_fields: [],
  response_fields: [],
}
for (const id of ['listAnnotations', 'createAnnotation']) usage.operations[id] = listed
const report = createRunReport(usage)
const all = report.operations.length

test.each([
  ['operations<0%', null],
  [`operations<${200 / all}%`, null],
  [
    'operations<80%',
    `The run breaks the rule operations<80%. It exercised 2 of ${all} operations: ${Math.floor(200 / all)} %.`,
  ],
  [
    'request_fields<1%',
    `The run breaks the rule request_fields<1%. It exercised 0 of ${report.request_fields.length} request fields: 0 %.`,
  ],
])('the rule %s', (rule, message) => {
  expect(checkCoverage(report, rule)).toBe(message)
})

test.each(['operations<80', 'operations<101%', 'operation<80%', '<80%', 'operations<-1%', 'a<b'])(
  'the rule %s is refused',
  (rule) => {
    expect(() => parseCoverageRule(rule)).toThrow(
      `Failed to choose what fails the run: expected one of operations, statuses, parameters, request_fields, response_fields, policies, then < and a share up to 100%, such as operations<80%, got "${rule}".`,
    )
  },
)

test.each([
  ['tests/test_list.py::TestList::test_rows[a > b]', { file: 'tests/test_list.py' }],
  ['test/list.test.ts > the list > shows rows', { file: 'test/list.test.ts' }],
  ['tests/list.spec.ts:12 > shows rows', { file: 'tests/list.spec.ts', line: 12 }],
  ['tests/list.spec.ts:12:5 > shows rows', { file: 'tests/list.spec.ts', line: 12 }],
  ['shows rows', {}],
  ['shows a.b', {}],
  ['', {}],
])('the test %s is in %j', (name, place) => {
  expect(locateTest(name)).toEqual({ name, ...place })
})
