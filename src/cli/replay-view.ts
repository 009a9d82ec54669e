import type { ReplayView } from '../admin/replay-file.ts'
import { formatStep, formatSummary, type StepPart } from '../scenarios/run/result.ts'
import { escapeControls } from '../utils/text.ts'
import { type CommandContext, painter, type TextTone } from './command-context.ts'
import { orInterrupted, withProgress } from './progress.ts'

/** Shows the steps on stdout, or on stderr if stdout has JSON. */
export function createReplayView(
  { json, target }: { readonly json?: boolean; readonly target?: string },
  context: CommandContext,
): ReplayView {
  const stream = json ? context.stderr : context.stdout
  const paint = painter(stream)
  const print = (text: string): void => void stream.write(`${text}\n`)
  return {
    title: (file, title) =>
      print(`${paint('name', escapeControls(file))}: ${paint('strong', escapeControls(title))}`),
    step: (step) => print(formatStep(step, (part, text) => paint(tones[part], text))),
    summary: (result) => print(`  ${paint(result.passed ? 'good' : 'bad', formatSummary(result))}`),
    note: (sentence) => print(`  ${sentence}`),
    problem: (sentence) => context.printError(sentence),
    follow(run, describe) {
      // A server keeps the sandbox of a replay that does not end it.
      const work = target === undefined ? orInterrupted(context, describe, run) : run
      // A terminal shows the steps.
      return json || context.stdout.isTTY ? work : withProgress(context, describe, work)
    },
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
