import { writeFile } from 'node:fs/promises'
import {
  formatDetails,
  formatStep,
  formatSummary,
  type ReplayResult,
  type StepResult,
} from '../scenarios/run/result.ts'
import { escapeControls } from '../utils/escape.ts'
import { failToWrite } from '../utils/files.ts'
import type { Report, Section, TestCase, TestSuite } from '../utils/reports/report.ts'
import { type CommandContext, type Paint, painter, type TextTone } from './command-context.ts'
import { formatCount, hiddenProgressBar, startProgressBar } from './output.ts'

export interface ReplayedFile {
  readonly file: string
  /** Null if the target did not respond */
  readonly result: ReplayResult | null
  /** Whether all steps passed, or were updated */
  readonly accepted: boolean
  /** Why the target did not respond */
  readonly error: string | null
}

/** Converts the results of a replay for printers. For JUnit, a file is a suite and a step is a case. */
export function toReport(replayed: readonly ReplayedFile[]): Report {
  const passed = replayed.filter(({ result }) => result?.passed).length
  const heading = `${passed} of ${formatCount(replayed.length, 'scenario')} passed`
  return {
    title: `Replay: ${heading}`,
    heading,
    sections: replayed.map(toSection),
    json: replayed,
    junit: { name: 'understudy replay', suites: replayed.map(toSuite) },
  }
}

function toSection({ file, result, error }: ReplayedFile): Section {
  const text = result ? formatSummary(result) : (error ?? '')
  const items = (result?.steps ?? []).map((step) => ({
    outcome: step.outcome,
    text: `${step.step}. ${step.title}`,
    word: step.outcome === 'prepared' ? 'not compared' : step.outcome,
    lines: formatDetails(step).map((line) => line.replace(/^ {6}/, '')),
  }))
  return {
    title: result?.title ?? file,
    blocks: [
      { paragraph: [{ code: file }, { text, tone: result?.passed ? 'ok' : 'bad' }] },
      { items, isOrdered: true },
    ],
  }
}

/** Writes a report to a file, or to stdout. @throws UsageError for a file that cannot be written */
export async function writeReport(
  report: string,
  file: string | undefined,
  { stdout }: CommandContext,
): Promise<void> {
  if (file === undefined) stdout.write(report)
  else await writeFile(file, report).catch(failToWrite(file))
}

function toSuite({ file, result, error }: ReplayedFile): TestSuite {
  const steps = (result?.steps ?? []).filter(({ outcome }) => outcome !== 'prepared')
  const cases = steps.map((step): TestCase => {
    const problem = toProblem(step)
    const name = `${step.step} ${step.title}`
    return { name, classname: file, ms: step.ms, ...(problem && { problem }) }
  })
  if (error !== null) {
    const problem = { kind: 'error', message: error } as const
    cases.push({ name: 'replay', classname: file, problem })
  }
  return { name: result?.title ?? file, ms: result?.ms ?? 0, cases }
}

function toProblem(step: StepResult): TestCase['problem'] | null {
  if (step.outcome === 'passed') return null
  const message = step.differences.map(({ where }) => where).join(', ')
  if (step.outcome === 'skipped') return { kind: 'skipped', message }
  return { kind: 'failure', message, type: 'difference', text: formatDetails(step).join('\n') }
}

export interface ConsoleReport {
  title(file: string, title: string): void
  step(step: StepResult): void
  summary(result: ReplayResult): void
  line(text: string): void
  end(): void
}

/** Reports on stdout unless it has a report or JSON. Without a terminal, a progress bar on stderr shows the progress. */
export async function createConsoleReport(
  { json, report, out }: { json?: boolean; report?: string; out?: string },
  stepCount: number,
  { stdout, stderr }: CommandContext,
): Promise<ConsoleReport> {
  const isStdoutUsed = json || (report !== undefined && out === undefined)
  const stream = isStdoutUsed ? stderr : stdout
  const progress = stream.isTTY
    ? hiddenProgressBar
    : await startProgressBar('Replaying', stepCount, stderr)
  const paint = painter(stream)
  const print = (text: string): void => void stream.write(`${text}\n`)
  let done = 0
  return {
    title: (file, title) =>
      print(`${paint('name', escapeControls(file))}: ${paint('strong', escapeControls(title))}`),
    step(step) {
      done += 1
      print(paintStep(formatStep(step), paint))
      progress.update(done)
    },
    summary: (result) => print(`  ${paint(result.passed ? 'good' : 'bad', formatSummary(result))}`),
    line: print,
    end: () => progress.stop(),
  }
}

/** The start of a line, and the tone of the mark or the line that follows. */
const tones: readonly (readonly [start: RegExp, tone: TextTone])[] = [
  [/^( {2})(✓)/, 'good'],
  [/^( {2})(✗)/, 'bad'],
  [/^( {2})(-)/, 'warning'],
  [/^( {2})(·)/, 'faint'],
  [/^()( {8}expected .*)/, 'good'],
  [/^()( {8}got .*)/, 'bad'],
  [/^()( {6}(?:(?:partly )?due to|the service responds|No (?:deciding )?policy) .*)/, 'faint'],
]

function paintStep(text: string, paint: Paint): string {
  const lines = text.split('\n').map((line) => {
    const [start, tone] = tones.find(([pattern]) => pattern.test(line)) ?? []
    if (!start || !tone) return line
    return line.replace(start, (_, indent: string, part: string) => indent + paint(tone, part))
  })
  return lines.join('\n')
}
