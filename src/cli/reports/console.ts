import { formatStep, formatSummary } from '../../scenarios/run/report.ts'
import type { ReplayResult, StepResult } from '../../scenarios/run/result.ts'
import type { CommandContext } from '../command-context.ts'
import { type Paint, painter, type TextTone } from '../output/paint.ts'
import { hiddenProgressBar, startProgressBar } from '../output/progress-bar.ts'

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
  { stdout, stderr }: CommandContext,
): Promise<ConsoleReport> {
  const isTaken = json || (report !== undefined && out === undefined)
  const stream = isTaken ? stderr : stdout
  const progress = stream.isTTY
    ? hiddenProgressBar
    : await startProgressBar('Replaying', steps, stderr)
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

const tones: Readonly<Record<string, TextTone>> = {
  '✓': 'good',
  '✗': 'bad',
  '-': 'warning',
  '·': 'faint',
}

/** A step as `stepReport` tells it, in colours. */
function paintStep(report: string, paint: Paint): string {
  const [first = '', ...details] = report.split('\n')
  const head = first.replace(/^( {2})(\S)/, (_, space: string, mark: string) => {
    const tone = tones[mark]
    return space + (tone ? paint(tone, mark) : mark)
  })
  return [head, ...details.map((line) => paintDetail(line, paint))].join('\n')
}

function paintDetail(line: string, paint: Paint): string {
  if (line.startsWith('        expected ')) return paint('good', line)
  if (line.startsWith('        got ')) return paint('bad', line)
  return /^ {6}(decided|answered) /.test(line) ? paint('faint', line) : line
}
