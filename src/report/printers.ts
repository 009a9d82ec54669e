import { unexpectedValue } from '../utils/errors.ts'
import type { Report, TestCase, TestSuite } from '../utils/reports/report.ts'
import { escapeControls, escapeXml } from '../utils/text.ts'

const printers = {
  json: ({ json }: Report) => `${JSON.stringify(json, null, 2)}\n`,
  txt: ({ title, text }: Report) => `${escapeControls(title)}\n\n${text}\n`,
  xml: toJunit,
}

type Extension = keyof typeof printers

/** Prints a report for a file, or for an extension. @param time when it is printed, in ISO 8601 */
export function printReport(report: Report, file: string, time: string): string {
  return printers[extensionOf(file) as Extension](report, time)
}

function extensionOf(file: string) {
  return /[^.]*$/.exec(file)?.[0] ?? ''
}

/** @param task completes "Failed to …", such as `read --report` @throws UsageError for another extension */
export function checkExtension(file: string, task: string): void {
  if (file.includes('.') && Object.hasOwn(printers, extensionOf(file))) return
  const names = Object.keys(printers).join(', .')
  throw unexpectedValue(task, `a file that ends with one of .${names}`, file)
}

type Problem = NonNullable<TestCase['problem']>

/** Prints a report for JUnit, which continuous integration reads. It is valid by the schema junit-10.xsd of Jenkins. */
function toJunit({ junit: { name, suites } }: Report, timestamp: string) {
  const ms = suites.reduce((sum, suite) => sum + timeOf(suite), 0)
  const all = suites.flatMap(({ cases }) => cases)
  const { skipped: _, ...counts } = countProblems(all)
  const lines = suites.map((suite) => toSuite(suite, timestamp))
  const start = `<testsuites ${attributes({ name, ...counts, time: toSeconds(ms) })}>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${[start, ...lines].join('\n')}\n</testsuites>\n`
}

function timeOf({ ms, cases }: TestSuite) {
  return ms ?? cases.reduce((sum, { ms: own }) => sum + (own ?? 0), 0)
}

function countProblems(cases: readonly TestCase[]) {
  const count = (kind: Problem['kind']) =>
    cases.filter(({ problem }) => problem?.kind === kind).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

function toSuite(suite: TestSuite, timestamp: string) {
  const { name, cases } = suite
  const values = attributes({
    ...{ name, ...countProblems(cases), time: toSeconds(timeOf(suite)), timestamp },
    // Required, and by the schema this name where it says nothing.
    hostname: 'localhost',
  })
  return [`  <testsuite ${values}>`, ...cases.map(toCase), '  </testsuite>'].join('\n')
}

function toCase({ name, classname, ms = 0, problem }: TestCase) {
  const content = problem ? toProblem(problem) : ''
  return `    <testcase ${attributes({ name, classname, time: toSeconds(ms) })}>${content}</testcase>`
}

function toProblem({ kind, message, type = kind, text }: Problem) {
  const start = `${kind} ${attributes({ message, type })}`
  return text === undefined ? `<${start}/>` : `<${start}>${escapeText(text)}</${kind}>`
}

function attributes(values: Readonly<Record<string, string | number>>) {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeText(String(value))}"`)
    .join(' ')
}

const toSeconds = (ms: number) => (ms / 1000).toFixed(3)

/** Replaces control characters, which XML does not allow, and escapes line breaks and tabs, which attributes would lose. */
function escapeText(text: string) {
  const allowed = text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
  return escapeXml(allowed).replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`)
}
