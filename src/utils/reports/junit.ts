import { escapeXml } from '../escape.ts'

/** A test suite in a JUnit report. */
export interface JunitSuite {
  readonly name: string
  readonly ms?: number
  readonly cases: readonly JunitCase[]
}

/** A test case. It passed if it has no problem. */
export interface JunitCase {
  readonly name: string
  /** What groups cases, such as a file */
  readonly classname: string
  readonly ms?: number
  readonly problem?: JunitProblem
}

/** Why a test case did not pass. */
export interface JunitProblem {
  readonly kind: 'failure' | 'error' | 'skipped'
  readonly message: string
  readonly type?: string
  /** Further lines */
  readonly text?: string
}

/** Creates a JUnit report, which continuous integration reads. */
export function toJunit(suites: readonly JunitSuite[], name = 'understudy'): string {
  const lines = suites.map(toSuite).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes({ name })}>\n${lines}\n</testsuites>\n`
}

function toSuite({ name, ms = 0, cases }: JunitSuite): string {
  const count = (kind: JunitProblem['kind']): number =>
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

function toCase({ name, classname, ms, problem }: JunitCase): string {
  const time = ms === undefined ? {} : { time: toSeconds(ms) }
  const content = problem ? toProblem(problem) : ''
  return `    <testcase ${attributes({ name, classname, ...time })}>${content}</testcase>`
}

function toProblem({ kind, message, type, text }: JunitProblem): string {
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
