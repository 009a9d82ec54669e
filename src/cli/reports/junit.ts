import { formatDetails } from '../../scenarios/run/report.ts'
import type { StepResult } from '../../scenarios/run/result.ts'
import { escapeXml } from '../../utils/escape.ts'
import type { ReplayedFile } from '../replay-file.ts'

/** A report as continuous integration reads it: a suite for each file, a case for each step. */
export function junitReport(replayed: readonly ReplayedFile[]): string {
  const suites = replayed.map(suiteOf)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="understudy replay">\n${suites.join('\n')}\n</testsuites>\n`
}

function suiteOf({ file, result, error }: ReplayedFile): string {
  const steps = (result?.steps ?? []).filter(({ outcome }) => outcome !== 'prepared')
  const cases = steps.map((step) => caseOf(step, file))
  if (error !== null) {
    cases.push(
      `    <testcase ${attributes({ name: 'replay', classname: file })}><error ${attributes({ message: error })}/></testcase>`,
    )
  }
  const count = (outcome: StepResult['outcome']): number =>
    steps.filter((step) => step.outcome === outcome).length
  const head = attributes({
    name: result?.title ?? file,
    tests: cases.length,
    failures: count('differed'),
    errors: error === null ? 0 : 1,
    skipped: count('skipped'),
    time: seconds(result?.ms ?? 0),
  })
  return `  <testsuite ${head}>\n${cases.join('\n')}\n  </testsuite>`
}

function caseOf(step: StepResult, file: string): string {
  const head = attributes({
    name: `${step.step} ${step.title}`,
    classname: file,
    time: seconds(step.ms),
  })
  return `    <testcase ${head}>${outcomeOf(step)}</testcase>`
}

function outcomeOf(step: StepResult): string {
  const { outcome, differences } = step
  if (outcome === 'held') return ''
  const message = differences.map(({ where }) => where).join(', ')
  if (outcome === 'skipped') return `<skipped ${attributes({ message })}/>`
  const head = attributes({ message, type: 'difference' })
  return `<failure ${head}>${escapeText(formatDetails(step).join('\n'))}</failure>`
}

function attributes(all: Readonly<Record<string, string | number>>): string {
  return Object.entries(all)
    .map(([name, value]) => `${name}="${escapeText(String(value))}"`)
    .join(' ')
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** XML has no way to write most control characters, and a line's end is none in an attribute. */
function escapeText(text: string): string {
  return escapeXml(
    text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
  ).replaceAll('\n', '&#10;')
}
