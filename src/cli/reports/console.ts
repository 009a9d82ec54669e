import { formatStep, formatSummary } from '../../scenarios/run/report.ts'
import type { ReplayResult, StepResult } from '../../scenarios/run/result.ts'
import type { CommandContext } from '../command-context.ts'
import { type Paint, painter, type TextTone } from '../output/paint.ts'
import { hiddenProgressBar, startProgressBar } from '../output/progress-bar.ts'

/** Prints the progress of a replay. */
export interface ConsoleReport {
  title(file: string, title: string): void
  step(step: StepResult): void
  summary(result: ReplayResult): void
  line(text: string): void
  end(): void
}

/** The flags that decide where the progress is printed. */
interface ReportFlags {
  readonly json?: boolean
  readonly report?: string
  readonly out?: string
}

/**
 * Creates a report on stdout, or on stderr if stdout has a report or JSON. If its lines do not go to a terminal, a
 * progress bar on stderr shows the progress.
 *
 * @param stepCount the number of steps of all files
 */
export async function createConsoleReport(
  { json, report, out }: ReportFlags,
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
    title: (file, title) => print(`${paint('name', file)}: ${paint('strong', title)}`),
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

const tones: Readonly<Record<string, TextTone>> = {
  '✓': 'good',
  '✗': 'bad',
  '-': 'warning',
  '·': 'faint',
}

/** Colours the text of a step. */
function paintStep(text: string, paint: Paint): string {
  const [first = '', ...details] = text.split('\n')
  const head = first.replace(/^( {2})(\S)/, (_, indent: string, mark: string) => {
    const tone = tones[mark]
    return indent + (tone ? paint(tone, mark) : mark)
  })
  return [head, ...details.map((line) => paintDetail(line, paint))].join('\n')
}

function paintDetail(line: string, paint: Paint): string {
  if (line.startsWith('        expected ')) return paint('good', line)
  if (line.startsWith('        got ')) return paint('bad', line)
  return /^ {6}(decided|answered) /.test(line) ? paint('faint', line) : line
}
