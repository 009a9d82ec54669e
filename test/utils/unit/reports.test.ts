import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageStyle } from '../../../src/utils/reports/page-style.ts'
import { printReport } from '../../../src/utils/reports/printers.ts'
import { version } from '../../../src/utils/version.ts'
import { findJunitIssues } from '../../support/junit-issues.ts'
import { root } from '../../support/root.ts'

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

test('a JUnit report counts problems, has the times and the host of its run, and escapes texts', async () => {
  const failure = { kind: 'failure', message: 'a < b', type: 't', text: 'x\ny\u0000' } as const
  const cases = [
    { name: 'one', classname: 'a', ms: 20 },
    { name: 'two', classname: 'a', problem: failure },
    { name: 'three', classname: 'a', problem: { kind: 'error', message: 'gone' } as const },
    { name: 'four', classname: 'a', problem: { kind: 'skipped', message: 'later' } as const },
  ]
  const suites = [
    { name: 'A "suite"', ms: 1500, cases },
    { name: 'Other', cases: [] },
  ]
  const run = { start: '2024-06-15T12:00:00.000Z', ms: 2500, hostname: 'ci-1' }

  const report = printReport({ ...empty, junit: { name: 'understudy', suites } }, 'run.xml', run)

  expect(await findJunitIssues(report)).toEqual([])
  const place = 'timestamp="2024-06-15T12:00:00.000Z" hostname="ci-1"'
  expect(report).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="understudy" tests="4" failures="1" errors="1" time="2.500">
  <testsuite name="A &quot;suite&quot;" tests="4" failures="1" errors="1" skipped="1" time="1.500" ${place}>
    <testcase name="one" classname="a" time="0.020"></testcase>
    <testcase name="two" classname="a" time="0.000"><failure message="a &lt; b" type="t">x&#10;y\uFFFD</failure></testcase>
    <testcase name="three" classname="a" time="0.000"><error message="gone" type="error"/></testcase>
    <testcase name="four" classname="a" time="0.000"><skipped message="later" type="skipped"/></testcase>
  </testsuite>
  <testsuite name="Other" tests="0" failures="0" errors="0" skipped="0" time="2.500" ${place}>
  </testsuite>
</testsuites>
`)
})

test('a finding of SARIF names the file, the line and the name of its test', () => {
  const finding = { rule: 'r', level: 'error' as const, message: 'Wrong.' }
  const test = { name: 'lists all pages', file: 'test/a b.test.ts', line: 12 }
  const findings = [
    { ...finding, test },
    { ...finding, test: { name: 'lists all pages' } },
  ]

  const log = printReport({ ...empty, sarif: { command: 'x', rules: [], findings } }, 'run.sarif')

  const { results } = JSON.parse(log).runs[0]
  const logicalLocations = [{ name: 'lists all pages', kind: 'function' }]
  expect(results.map(({ locations }: { locations: unknown }) => locations)).toEqual([
    [
      {
        physicalLocation: {
          artifactLocation: { uri: 'test/a%20b.test.ts' },
          region: { startLine: 12 },
        },
        logicalLocations,
      },
    ],
    [
      {
        physicalLocation: { artifactLocation: { uri: 'package.json' }, region: { startLine: 1 } },
        logicalLocations,
      },
    ],
  ])
})

const finding = {
  finding: 'The client needs <b>content</b>.',
  label: { text: 'assumed', tone: 'assumed' as const },
  blocks: [
    { columns: ['A', 'B'], rows: [['a_b<1>', { text: '"2"', tone: 'assumed' as const }]] },
    { items: [{ text: 'test <1>' }] },
    { command: 'npx understudy-api exec -- "a"' },
  ],
}

test('a page shows counts and contents, then each finding with its table, tests and command', () => {
  const counts = [{ text: 'dependences', value: 1, tone: 'bad' as const }]
  const sections = [
    { title: 'What the client needs', blocks: [finding] },
    { title: '<S>', blocks: [{ paragraph: 'End & <end>' }] },
  ]

  const page = printReport({ ...empty, title: 'T & T', counts, sections }, 'run.html')

  expect(page).toContain('<title>T &amp; T</title>')
  expect(page.slice(page.indexOf('<h1>'), page.indexOf('<script>'))).toBe(`<h1>T &amp; T</h1>
</div>
</header>
<main>
<dl class="counts">
<div><dt>dependences</dt><dd class="bad">1</dd></div>
</dl>
<nav aria-label="Contents">
<ol>
<li><a href="#part-1">What the client needs</a>
<ol>
<li><a href="#part-1-1">The client needs &lt;b&gt;content&lt;/b&gt;.</a></li>
</ol>
</li>
<li><a href="#part-2">&lt;S&gt;</a></li>
</ol>
</nav>
<section id="part-1">
<h2>What the client needs</h2>
<article id="part-1-1">
<h3>The client needs &lt;b&gt;content&lt;/b&gt;.</h3>
<span class="label assumed">assumed</span>
<table>
<thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>
<tbody>
<tr><th scope="row">a_<wbr>b&lt;1&gt;</th><td data-column="B"><span class="assumed">&quot;2&quot;</span></td></tr>
</tbody>
</table>
<ul>
<li>test &lt;1&gt;</li>
</ul>
<div class="command"><pre>npx understudy-api exec -- &quot;a&quot;</pre><button type="button" hidden>Copy</button></div>
</article>
</section>
<section id="part-2">
<h2>&lt;S&gt;</h2>
<p>End &amp; &lt;end&gt;</p>
</section>
</main>
`)
})

test('a page loads nothing', () => {
  const page = printReport({ ...empty, sections: [{ title: 'S', blocks: [finding] }] }, 'run.html')

  expect(page).not.toMatch(/<script |<link|src=|href="[^#]|url\(|import/)
})

test('the colours and the type of a page are those of the dashboard', () => {
  const tokensOf = (text: string): string[] =>
    [...text.matchAll(/(--[a-z-]+): ([^;]+);/g)].map(([, name, value]) => `${name}: ${value}`)
  const tokens = tokensOf(
    readFileSync(join(root, 'src/server/dashboard/styles/tokens.css'), 'utf8'),
  )

  const others = tokensOf(pageStyle).filter((token) => !tokens.includes(token))

  expect(others).toEqual([])
})

test('Markdown has the findings, their tables, tests and commands', () => {
  const sections = [{ title: 'What the client needs', blocks: [finding] }]

  const text = printReport({ ...empty, sections }, 'run.md')

  expect(text).toBe(`# Report

### The client needs \\<b>content\\</b>.

| A | B |
| --- | --- |
| a_b\\<1> | "2" |

- test \\<1>

\`\`\`sh
npx understudy-api exec -- "a"
\`\`\`
`)
})

test.each([
  ['<testsuites tests="0" failures="0" errors="0" time="0.0"/>', "attribute 'time'"],
  ['<testsuites tests="0" failures="0" errors="0"/>', "The attribute 'time' is required"],
  ['<testsuite/>', "Element 'testsuite': No matching global declaration"],
  ['<testsuites>', 'Premature end of data'],
] as const)('%s is no JUnit report: %s', async (xml, issue) => {
  const issues = await findJunitIssues(xml)

  expect(issues.join('\n')).toContain(issue)
})
