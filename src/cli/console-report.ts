import {
  formatStep,
  formatSummary,
  type RunResult,
  type StepPart,
  type StepResult,
} from '../scenarios/run/result.ts'
import { escapeControls } from '../utils/text.ts'
import { type CommandContext, painter, type TextTone } from './command-context.ts'

/** Where a replay reports its steps. */
export interface ConsoleReport {
  title(file: string, title: string): void
  step(step: StepResult): void
  summary(result: RunResult): void
  line(text: string): void
}

/** Reports on stdout, or on stderr if stdout has JSON. */
export function createConsoleReport(
  { json }: { json?: boolean },
  { stdout, stderr }: CommandContext,
): ConsoleReport {
  const stream = json ? stderr : stdout
  const paint = painter(stream)
  const print = (text: string): void => void stream.write(`${text}\n`)
  return {
    title: (file, title) =>
      print(`${paint('name', escapeControls(file))}: ${paint('strong', escapeControls(title))}`),
    step: (step) => print(formatStep(step, (part, text) => paint(tones[part], text))),
    summary: (result) => print(`  ${paint(result.passed ? 'good' : 'bad', formatSummary(result))}`),
    line: print,
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
