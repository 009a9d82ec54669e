import {
  formatStep,
  formatSummary,
  type KnownFields,
  type ReplayResult,
  type StepPart,
  type StepResult,
} from '../scenarios/run/result.ts'
import { escapeControls } from '../utils/escape.ts'
import { type CommandContext, painter, type TextTone } from './command-context.ts'
import { hiddenProgressBar, startProgressBar } from './output.ts'

/** Where a replay reports its steps. */
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
  let known: KnownFields = new Map()
  return {
    title(file, title) {
      known = new Map()
      print(`${paint('name', escapeControls(file))}: ${paint('strong', escapeControls(title))}`)
    },
    step(step) {
      done += 1
      print(formatStep(step, known, (part, text) => paint(tones[part], text)))
      progress.update(done)
    },
    summary: (result) => print(`  ${paint(result.passed ? 'good' : 'bad', formatSummary(result))}`),
    line: print,
    end: () => progress.stop(),
  }
}

const tones: Readonly<Record<StepPart, TextTone>> = {
  passed: 'good',
  failed: 'bad',
  skipped: 'warning',
  prepared: 'faint',
  expected: 'good',
  got: 'bad',
  decision: 'faint',
}
