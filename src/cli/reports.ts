import { writeFile } from 'node:fs/promises'
import {
  formatDetails,
  formatStep,
  formatSummary,
  type ReplayResult,
  type StepResult,
} from '../scenarios/run/result.ts'
import { escapeControls, escapeXml } from '../utils/escape.ts'
import { type CommandContext, type Paint, painter, type TextTone } from './command-context.ts'
import { failToWrite, formatCount, hiddenProgressBar, startProgressBar } from './output.ts'

export interface ReplayedFile {
  readonly file: string
  /** Null if the target did not respond */
  readonly result: ReplayResult | null
  /** Whether all steps passed, or were updated */
  readonly accepted: boolean
  /** Why the target did not respond */
  readonly error: string | null
}

export type ReportKind = 'junit' | 'json' | 'html'

export const reports: Readonly<Record<ReportKind, (replayed: readonly ReplayedFile[]) => string>> =
  {
    junit: junitReport,
    json: (replayed) => `${JSON.stringify(replayed, null, 2)}\n`,
    html: htmlReport,
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

const style = `
  :root { color-scheme: light dark; --ok: light-dark(#18733a, #6fd08c); --bad: light-dark(#b3261e, #ff9a91); }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
    background: light-dark(#fff, #16181c); color: light-dark(#1c1e21, #e6e6e6); }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0.25rem; }
  p { margin: 0 0 0.5rem; } code, pre { font: 0.85rem/1.45 ui-monospace, monospace; }
  ol { list-style: none; margin: 0; padding: 0; }
  li { border-top: 1px solid light-dark(#ddd, #3a3d43); padding: 0.3rem 0; }
  pre { background: light-dark(#f4f4f4, #22252b); margin: 0.3rem 0; overflow-x: auto; padding: 0.6rem; }
  .passed b, .ok { color: var(--ok); } .failed b, .bad { color: var(--bad); }`

/** Creates a report as an HTML page that loads nothing else. */
function htmlReport(replayed: readonly ReplayedFile[]): string {
  const passed = replayed.filter(({ result }) => result?.passed).length
  const title = `${passed} of ${formatCount(replayed.length, 'scenario')} passed`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Replay: ${title}</title>
<style>${style}
</style>
</head>
<body>
<h1>${title}</h1>
${replayed.map(toSection).join('\n')}
</body>
</html>
`
}

function toSection({ file, result, error }: ReplayedFile): string {
  const summary = result ? formatSummary(result) : (error ?? '')
  const steps = (result?.steps ?? []).map(toListItem).join('\n')
  return `<section>
<h2>${escapeXml(result?.title ?? file)}</h2>
<p><code>${escapeXml(file)}</code> <span class="${result?.passed ? 'ok' : 'bad'}">${escapeXml(summary)}</span></p>
<ol>
${steps}
</ol>
</section>`
}

function toListItem(step: StepResult): string {
  const { outcome, title } = step
  const details = formatDetails(step).map((line) => line.replace(/^ {6}/, ''))
  const label = outcome === 'prepared' ? 'not compared' : outcome
  const block = details.length > 0 ? `<pre>${escapeXml(details.join('\n'))}</pre>` : ''
  return `<li class="${outcome}">${step.step}. ${escapeXml(title)} <b>${label}</b>${block}</li>`
}

/** Creates a JUnit report for continuous integration: a suite for each file, a case for each step. */
function junitReport(replayed: readonly ReplayedFile[]): string {
  const suites = replayed.map(toSuite)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="understudy replay">\n${suites.join('\n')}\n</testsuites>\n`
}

function toSuite({ file, result, error }: ReplayedFile): string {
  const steps = (result?.steps ?? []).filter(({ outcome }) => outcome !== 'prepared')
  const cases = steps.map((step) => {
    const name = `${step.step} ${step.title}`
    const testCase = attributes({ name, classname: file, time: toSeconds(step.ms) })
    return `    <testcase ${testCase}>${toOutcome(step)}</testcase>`
  })
  if (error !== null) {
    const testCase = attributes({ name: 'replay', classname: file })
    cases.push(`    <testcase ${testCase}><error ${attributes({ message: error })}/></testcase>`)
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

function toOutcome(step: StepResult): string {
  if (step.outcome === 'passed') return ''
  const message = step.differences.map(({ where }) => where).join(', ')
  if (step.outcome === 'skipped') return `<skipped ${attributes({ message })}/>`
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
  const allowed = text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
  return escapeXml(allowed).replaceAll('\n', '&#10;')
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
