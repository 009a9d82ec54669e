import { escapeXml } from '../escape.ts'
import type { Report, TestCase, TestSuite } from './report.ts'

/** Prints a report for JUnit, which continuous integration reads. */
export function toJunit({
  title,
  junit: { name, suites } = { name: title, suites: [] },
}: Report): string {
  const lines = suites.map(toSuite).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes({ name })}>\n${lines}\n</testsuites>\n`
}

type Problem = NonNullable<TestCase['problem']>

function toSuite({ name, ms = 0, cases }: TestSuite): string {
  const count = (kind: Problem['kind']): number =>
    cases.filter(({ problem }) => problem?.kind === kind).length
  const suite = attributes({
    name,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: toSeconds(ms),
  })
  return `  <testsuite ${suite}>\n${cases.map(toCase).join('\n')}\n  </testsuite>`
}

function toCase({ name, classname, ms, problem }: TestCase): string {
  const time = ms === undefined ? {} : { time: toSeconds(ms) }
  const content = problem ? toProblem(problem) : ''
  return `    <testcase ${attributes({ name, classname, ...time })}>${content}</testcase>`
}

function toProblem({ kind, message, type, text }: Problem): string {
  const start = `${kind} ${attributes({ message, ...(type !== undefined && { type }) })}`
  return text === undefined ? `<${start}/>` : `<${start}>${escapeText(text)}</${kind}>`
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeText(String(value))}"`)
    .join(' ')
}

const toSeconds = (ms: number): string => (ms / 1000).toFixed(3)

/** Replaces control characters, which XML does not allow, and escapes line breaks, which attributes would lose. */
function escapeText(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
  return escapeXml(allowed).replaceAll('\n', '&#10;')
}
