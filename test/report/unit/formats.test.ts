import { expect, test } from 'vitest'
import {
  checkRules,
  RunReporter,
  type RunReportOptions,
  runToReport,
  summarizeReport,
} from '../../../src/report/run-reporter.ts'
import { emptyUsage } from '../../../src/report/usage.ts'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import type { RunReport } from '../../../src/simulator/run-report.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { printReport } from '../../../src/utils/reports/printers.ts'

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
  printReport(
    runToReport(report, 'client', checkRules(report, 'print', ['ignored-input'])),
    name,
    '',
  )

const failuresOf = (report: RunReport, mistakes: 'print' | 'fail', ...failOn: string[]) => [
  ...new Set(checkRules(report, mistakes, failOn).flatMap(({ failure }) => failure ?? [])),
]

test('the whole report of a small run', async () => {
  const report = await reportOnClient()

  const { settings, ...rest } = report
  const lines = settings.map((setting) => JSON.stringify({ ...setting, question: undefined }))
  const texts = [...summarizeReport(report), '', ...lines, JSON.stringify(rest, null, 2), '']
  await expect(texts.join('\n')).toMatchFileSnapshot('./small-run.outline.txt')
})

test('a note of a rule for mistakes does not fail a run', async () => {
  const simulator = createSimulator()
  const list = '/api/projects/1/annotations/'
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  await simulator.fetch(list, { headers })
  await simulator.fetch(list, { headers, method: 'POST', body: '{"scope":"none"}' })

  const report = await simulator.report()

  expect(report.mistakes).toMatchObject([{ rule: 'unhandled-refusal', level: 'note' }])
  expect(failuresOf(report, 'fail')).toEqual([])
  expect(failuresOf(report, 'fail', 'unhandled-refusal')).toHaveLength(1)
})

test('the cases of a run are its rules: those that fail it, those that were broken, and the others', async () => {
  const report = { ...(await reportOnClient()), not_covered: 1 }
  const xml = format(report, 'run.xml')
  const problemOf = (rule: string) =>
    new RegExp(`<testcase name="${rule}"[^>]*>(?:<(\\w+))?`).exec(xml)?.[1]

  expect(['ignored-input', 'assumed', 'undone-change'].map(problemOf)).toEqual([
    'failure',
    'skipped',
    undefined,
  ])
  expect(xml).not.toContain('Only documented')
  expect(format(report, 'run.txt')).toContain('Requests: 3. 1 earlier ones are not covered.')
})

test('a run fails by what it names, and says for what nothing was checked', async () => {
  const report = await reportOnClient()

  expect(failuresOf(report, 'print')).toEqual([])
  expect(failuresOf(report, 'fail')).toContainEqual(expect.stringContaining('rule ignored-input'))
  expect(failuresOf(report, 'print', 'assumed')).toEqual([
    expect.stringMatching(/assumed\. Only .* \(and \d+ more\)$/),
  ])
  expect(failuresOf({ ...report, requests: 0 }, 'fail', 'assumed')).toEqual([
    'The run fails: nothing was checked for mistakes, assumed.',
  ])
})

test('a summary without mistakes names requests', async () => {
  expect(summarizeReport(await reportOnClient(), 'off')).toEqual(['Requests: 3.'])
})

test('reporters refuse unknown rules, and print mistakes unless they are off', async () => {
  const mistakes = (await reportOnClient()).mistakes.slice(0, 1)
  const usage = { ...emptyUsage(), requests: 1, mistakes }
  const linesOf = async (options: RunReportOptions) =>
    (await new RunReporter(options).finish([usage], 'x')).lines

  await expect(linesOf({ failOn: 'asumed' })).rejects.toThrow(/Did you mean assumed/)
  expect((await linesOf({})).join()).toMatch(/ignored-input.*Requests: 1\.$/)
  expect(await linesOf({ mistakes: 'off' })).toEqual(['Requests: 1.'])
})
