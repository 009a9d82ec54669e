import { expect, test } from 'vitest'
import { printReport } from '../../../src/utils/reports/printers.ts'
import { version } from '../../../src/utils/version.ts'

const empty = { title: 'Report', sections: [], json: null }

test('a SARIF log has the rules, the findings, their evidence and the command', () => {
  const sarif = {
    command: 'understudy exec -- npm test',
    rules: [{ id: 'page-arithmetic', sentence: 'Follow next.', cure: 'Use the URL in next.' }],
    findings: [
      {
        rule: 'page-arithmetic',
        level: 'warning' as const,
        message: 'The client computed offset.',
        cure: 'Use the URL in next.',
        evidence: 'observed',
        source: 'seen in tests',
        details: ['GET /api/projects/?offset=100'],
      },
      { rule: 'unknown', level: 'note' as const, message: 'Something else.' },
    ],
  }

  const log = printReport({ ...empty, sarif }, 'run.sarif')

  const physicalLocation = { artifactLocation: { uri: 'package.json' }, region: { startLine: 1 } }
  const locations = [{ physicalLocation }]
  expect(JSON.parse(log)).toEqual({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'understudy',
            version,
            rules: [
              {
                id: 'page-arithmetic',
                shortDescription: { text: 'Follow next.' },
                help: { text: 'Use the URL in next.' },
              },
            ],
          },
        },
        invocations: [{ commandLine: 'understudy exec -- npm test', executionSuccessful: true }],
        results: [
          {
            ruleId: 'page-arithmetic',
            ruleIndex: 0,
            level: 'warning',
            message: {
              text: 'The client computed offset.\n  GET /api/projects/?offset=100\nUse the URL in next.',
            },
            locations,
            properties: { evidence: 'observed', source: 'seen in tests' },
          },
          { ruleId: 'unknown', level: 'note', message: { text: 'Something else.' }, locations },
        ],
        columnKind: 'utf16CodeUnits',
      },
    ],
  })
})

test('a JUnit report counts problems and escapes texts', () => {
  const failure = { kind: 'failure', message: 'a < b', type: 't', text: 'x\ny\u0000' } as const
  const cases = [
    { name: 'one', classname: 'a', ms: 20 },
    { name: 'two', classname: 'a', problem: failure },
    { name: 'three', classname: 'a', problem: { kind: 'error', message: 'gone' } as const },
    { name: 'four', classname: 'a', problem: { kind: 'skipped', message: 'later' } as const },
  ]
  const junit = { name: 'understudy', suites: [{ name: 'A "suite"', ms: 1500, cases }] }

  const report = printReport({ ...empty, junit }, 'run.xml')

  expect(report).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="understudy">
  <testsuite name="A &quot;suite&quot;" tests="4" failures="1" errors="1" skipped="1" time="1.500">
    <testcase name="one" classname="a" time="0.020"></testcase>
    <testcase name="two" classname="a"><failure message="a &lt; b" type="t">x&#10;y\uFFFD</failure></testcase>
    <testcase name="three" classname="a"><error message="gone"/></testcase>
    <testcase name="four" classname="a"><skipped message="later"/></testcase>
  </testsuite>
</testsuites>
`)
})

test('a page escapes its texts and loads nothing', () => {
  const table = { columns: ['A', 'B'], rows: [['<1>', { text: '"2"', tone: 'assumed' as const }]] }

  const page = printReport(
    { ...empty, title: 'T & T', sections: [{ title: '<S>', blocks: [table] }] },
    'run.html',
  )

  expect(page).toContain('<title>T &amp; T</title>')
  expect(page).toContain('<h1>T &amp; T</h1>')
  expect(page).toContain(`<section>
<h2>&lt;S&gt;</h2>
<div class="scroll" tabindex="0">
<table>
<thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>
<tbody>
<tr><th scope="row">&lt;1&gt;</th><td class="assumed">&quot;2&quot;</td></tr>
</tbody>
</table>
</div>
</section>`)
  expect(page).not.toMatch(/<script|<link|src=|href=|url\(/)
})
