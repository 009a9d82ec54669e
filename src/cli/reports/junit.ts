import { formatDetails } from '../../scenarios/run/report.ts'
import type { StepResult } from '../../scenarios/run/result.ts'
import { escapeXml } from '../../utils/escape.ts'
import type { ReplayedFile } from '../replay-file.ts'

/** Creates a JUnit report for continuous integration: a suite for each file, a case for each step. */
export function junitReport(replayed: readonly ReplayedFile[]): string {
  const suites = replayed.map(toSuite)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="understudy replay">\n${suites.join('\n')}\n</testsuites>\n`
}

function toSuite({ file, result, error }: ReplayedFile): string {
  const steps = (result?.steps ?? []).filter(({ outcome }) => outcome !== 'prepared')
  const cases = steps.map((step) => toCase(step, file))
  if (error !== null) {
    cases.push(
      `    <testcase ${attributes({ name: 'replay', classname: file })}><error ${attributes({ message: error })}/></testcase>`,
    )
  }
  const count = (outcome: StepResult['outcome']): number =>
    steps.filter((step) => step.outcome === outcome).length
  const suite = attributes({
    name: result?.title ?? file,
    tests: cases.length,
    failures: count('failed'),
    errors: error === null ? 0 : 1,
    skipped: count('skipped'),
    time: toSeconds(result?.ms ?? 0),
  })
  return `  <testsuite ${suite}>\n${cases.join('\n')}\n  </testsuite>`
}

function toCase(step: StepResult, file: string): string {
  const testCase = attributes({
    name: `${step.step} ${step.title}`,
    classname: file,
    time: toSeconds(step.ms),
  })
  return `    <testcase ${testCase}>${toOutcome(step)}</testcase>`
}

function toOutcome(step: StepResult): string {
  const { outcome, differences } = step
  if (outcome === 'passed') return ''
  const message = differences.map(({ where }) => where).join(', ')
  if (outcome === 'skipped') return `<skipped ${attributes({ message })}/>`
  const failure = attributes({ message, type: 'difference' })
  return `<failure ${failure}>${escapeText(formatDetails(step).join('\n'))}</failure>`
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeText(String(value))}"`)
    .join(' ')
}

const toSeconds = (ms: number): string => (ms / 1000).toFixed(3)

/** Replaces control characters, which XML does not allow, and escapes line breaks, which attributes would lose. */
function escapeText(text: string): string {
  return escapeXml(
    text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
  ).replaceAll('\n', '&#10;')
}
