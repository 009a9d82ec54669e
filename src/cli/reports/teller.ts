import process from 'node:process'
import { formatStep, formatSummary } from '../../scenarios/report.ts'
import type { ReplayResult, StepResult } from '../../scenarios/result.ts'
import { painter } from '../output/paint.ts'
import { hiddenProgressBar, startProgressBar } from '../output/progress.ts'
import { paintStep } from './painted.ts'

/** Tells how a replay goes, to who waits for it. */
export interface ConsoleReport {
  title(file: string, title: string): void
  step(step: StepResult): void
  summary(result: ReplayResult): void
  /** A line of another kind. */
  line(text: string): void
  end(): void
}

/** What decides where it is told. */
interface ReportFlags {
  readonly json?: boolean
  readonly report?: string
  readonly out?: string
}

/**
 * A report, or JSON, stands on stdout alone: the rest is told on stderr. Where nobody sees the lines that are told a
 * bar shows how far it is.
 *
 * @param steps how many there are in all
 */
export async function createConsoleReport(
  { json, report, out }: ReportFlags,
  steps: number,
): Promise<ConsoleReport> {
  const isTaken = json || (report !== undefined && out === undefined)
  const stream = isTaken ? process.stderr : process.stdout
  const progress = stream.isTTY ? hiddenProgressBar : await startProgressBar('Replaying', steps)
  const paint = painter(stream)
  const say = (text: string): void => void stream.write(`${text}\n`)
  let done = 0
  return {
    title: (file, title) => say(`${paint('name', file)}: ${paint('strong', title)}`),
    step(step) {
      done += 1
      say(paintStep(formatStep(step), paint))
      progress.update(done)
    },
    summary: (result) => say(`  ${paint(result.held ? 'good' : 'bad', formatSummary(result))}`),
    line: say,
    end: () => progress.stop(),
  }
}
