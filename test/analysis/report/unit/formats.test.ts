import { parseXml } from '@rgrove/parse-xml'
import { expect, test } from 'vitest'
import {
  checkReport,
  summarizeReport,
  toReport,
} from '../../../../src/analysis/report/format-report.ts'
import type { RunReport } from '../../../../src/analysis/report/report-schema.ts'
import { itemKinds } from '../../../../src/analysis/report/run-report.ts'
import { addMistakes, UsageRecorder } from '../../../../src/analysis/report/run-usage.ts'
import type { SimulatorOptions } from '../../../../src/sandbox/simulator-options.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { printReport } from '../../../../src/utils/reports/printers.ts'

/** Reports on a client that lists a page, creates a row with a wrong field, and deletes a row. */
async function reportOnClient(options: SimulatorOptions = {}): Promise<RunReport> {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z', ...options })
  const authorization = 'Bearer phx_all'
  const list = '/api/projects/1/annotations/'
  const headers = { authorization, 'content-type': 'application/json' }
  await simulator.fetch(`${list}?limit=6`, { headers })
  await simulator.fetch(list, {
    headers,
    method: 'POST',
    body: '{"contnt":"<b>","scope":"project"}',
  })
  await simulator.fetch(`${list}1/`, { headers, method: 'DELETE' })
  return simulator.report()
}

const format = (report: RunReport, name: string) =>
  printReport(toReport(report, 'understudy exec -- client', ['ignored-input']), name)

test('the whole report of a small run', async () => {
  const report = await reportOnClient()

  const lines = Object.entries(itemKinds).flatMap(([kind, title]) => {
    const items = report[kind as keyof typeof itemKinds]
    return [
      `${title}: ${items.length}`,
      ...items
        .filter(({ exercised }) => exercised)
        .map((item) => `  ${JSON.stringify({ ...item, question: undefined })}`),
    ]
  })
  const { requests, not_covered, unmatched, faults, keys, unnamed_scopes, mistakes } = report
  const rest = { requests, not_covered, unmatched, faults, keys, unnamed_scopes, mistakes }
  const text = `${lines.join('\n')}\n${JSON.stringify(rest, null, 2)}\n`
  await expect(text).toMatchFileSnapshot('./small-run.outline.txt')
})

test('a summary has a line for each evidence, the mistakes and scopes', async () => {
  expect(summarizeReport(await reportOnClient())).toEqual([
    expect.stringMatching(
      /^Requests: 3\. Exercised: 3 of 19 operations, 3 of \d+ statuses, 1\d of \d+ policies\.$/,
    ),
    'Only assumed: policies (headers.allow).',
    expect.stringMatching(/^Only observed: policies \(.*annotations\.scope\.values.*\)\.$/),
    'Mistakes of the client:',
    '  swallowed-delete: Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
    '  ignored-input: Remove it, or use the name that the documentation lists.',
  ])
})

test('labels of keys neither show a key nor control a terminal', async () => {
  const simulator = createSimulator()
  const secret = 'phx_0123456789abcdefghijklmnop'
  const label = `\u001b[31mof ${secret}`
  const key = simulator.keys.issue({ label, scopes: ['annotation:read', 'plugin:read'] })
  const headers = { authorization: `Bearer ${key}` }
  await simulator.fetch('/api/projects/1/annotations/', { headers })

  const report = await simulator.report()

  expect(summarizeReport(report).at(-1)).toBe(
    'Key \\u001b[31mof phx_…mnop has unused scopes: plugin:read.',
  )
  expect(format(report, 'run.json')).not.toContain(secret)
})

test('in JUnit, a broken rule fails if it fails the run, and is skipped otherwise', async () => {
  const report = parseXml(format(await reportOnClient(), 'run.xml')).toJSON()

  const [suite] = elements(elements(report as Node)[0] as Node)
  expect(suite?.attributes).toMatchObject({ tests: '17', failures: '1', errors: '0', skipped: '3' })
  const outcomes = elements(suite as Node).map((testCase) => [
    testCase.attributes?.name,
    elements(testCase)[0]?.name,
  ])
  expect(outcomes.filter(([, outcome]) => outcome !== undefined)).toEqual([
    ['assumed', 'skipped'],
    ['observed', 'skipped'],
    ['swallowed-delete', 'skipped'],
    ['ignored-input', 'failure'],
  ])
})

interface Node {
  readonly name?: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly children?: readonly Node[]
}

const elements = ({ children = [] }: Node) => children.filter(({ name }) => name !== undefined)

test('a page has the least certain first, and escapes what clients sent', async () => {
  const page = format(await reportOnClient(), 'run.html')

  expect([...page.matchAll(/<h2>(.*)<\/h2>/g)].map(([, title]) => title)).toEqual([
    'At a glance',
    'Mistakes of the client',
    'Exercised and assumed',
    'Exercised and observed',
    'Exercised and documented',
    'Scopes',
    'Operations whose scope the documentation does not name',
    'Never exercised',
  ])
  expect(page).not.toMatch(/<b>"|<script|<link|src=|href=/)
  expect(page).toContain(
    '<th scope="row">Operations</th><td class="assumed">0 of 0</td><td class="observed">0 of 0</td><td class="documented">3 of 19</td>',
  )
})

test('each rule of a report fails a run that breaks it', async () => {
  const report = await reportOnClient()
  const live = await reportOnClient({ profile: 'live' })
  const none = await createSimulator().report()

  expect(checkReport(report, ['assumed'])).toEqual([
    'The run fails by assumed. Only assumed: the policy headers.allow = on_405.',
  ])
  expect(checkReport(report, ['observed', 'page-arithmetic', 'ignored-input'])).toEqual([
    expect.stringMatching(/^The run fails by observed\. Only observed: .* \(and \d+ more\)$/),
    expect.stringMatching(/^The run fails by ignored-input\. .*contnt/),
  ])
  expect(checkReport(live, ['assumed'])).toEqual([])
  expect(checkReport(none, [])).toEqual([])
  expect(checkReport(none, ['assumed'])).toEqual([
    'The run fails by assumed. It sent no requests, so nothing was checked.',
  ])
})

test('the same mistake of several tests is listed once', async () => {
  const { mistakes } = await reportOnClient()
  const { usage } = new UsageRecorder()
  const other = mistakes.map((mistake) => ({ ...mistake, message: 'another one' }))

  for (const added of [mistakes, mistakes, other]) addMistakes(usage, added)

  expect(mistakes).toHaveLength(2)
  expect(usage.mistakes).toEqual([...mistakes, ...other])
})
