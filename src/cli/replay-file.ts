import { runAt } from '../admin/run-at.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { scenarioOfFile } from '../scenarios/library.ts'
import {
  formatStep,
  formatSummary,
  type ReplayedFile,
  type StepPart,
} from '../scenarios/run/format-result.ts'
import type { RunOptions } from '../scenarios/run/options.ts'
import type { RunResult, StepResult } from '../scenarios/run/result.ts'
import type { KeyValues } from '../scenarios/run/sender.ts'
import { simulatorFor } from '../scenarios/run/simulator-for.ts'
import { updateFile } from '../scenarios/update-expectations.ts'
import { isUsageError, UsageError } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import type { Input } from '../utils/input.ts'
import { UnreachableError } from '../utils/network.ts'
import { KeyRedactor } from '../utils/redaction/redactor.ts'
import { escapeControls, formatCount } from '../utils/text.ts'
import { type CommandContext, painter, type TextTone } from './command-context.ts'
import { orInterrupted, withProgress } from './progress.ts'

interface ScenarioFile {
  readonly input: Input
  readonly scenario: Scenario
}

/**
 * Reads scenarios, all of them before the first one runs.
 *
 * @param update whether they are written, too
 * @throws UsageError for an invalid one, and for one that cannot be written
 */
export async function toScenarioFiles(
  inputs: readonly Input[],
  update = false,
): Promise<ScenarioFile[]> {
  const unwritable = inputs.find(({ isPipe, name }) => isPipe || !statsOf(name))
  if (update && unwritable) {
    const kind = unwritable.isPipe ? 'a pipe' : 'a scenario of the package'
    throw new UsageError(
      `--update writes to the file, and ${unwritable.name} is ${kind}. Name a file.`,
    )
  }
  const read = inputs.map(async (input): Promise<ScenarioFile> => {
    return { input, scenario: await scenarioOfFile(input.json(), input.name) }
  })
  return Promise.all(read)
}

interface ReplayOptions extends Pick<RunOptions, 'world' | 'profile'> {
  /** The server to replay against. By default a simulator */
  readonly target?: string
  /** The keys of the target, which are masked in what it returns */
  readonly key?: KeyValues
  readonly token?: string
  readonly allowWrites?: boolean
  readonly redact?: readonly string[]
  /** Whether the actual responses are written to the file */
  readonly update?: boolean
  readonly signal: AbortSignal
}

interface ReplayView {
  title(file: string, title: string): void
  step(step: StepResult): void
  summary(result: RunResult): void
  note(sentence: string): void
  problem(sentence: string): void
  /** Waits for the steps, and says how far they are */
  follow<T>(work: Promise<T>, describe: () => string): Promise<T>
}

/**
 * Replays one file, shows each step when it has run, and writes what the options say.
 *
 * @throws UsageError for a scenario that cannot run on the target
 */
export async function replayFile(
  { input, scenario }: ScenarioFile,
  options: ReplayOptions,
  view: ReplayView,
): Promise<ReplayedFile> {
  const { name: file } = input
  const { key, redact, world, update, signal } = options
  const mask = key ? stepMasker(key, redact) : (step: StepResult) => step
  view.title(file, scenario.title)
  let played = 0
  const describe = () => `${played} of ${formatCount(scenario.steps.length, 'step')}`
  const onStep = (step: StepResult) => {
    view.step(mask(step))
    played += 1
  }
  try {
    const result = await view.follow(runScenario(scenario, options, onStep), describe)
    const shown = { ...result, steps: result.steps.map(mask) }
    view.summary(shown)
    // With a key, a service has its own rows.
    if (scenario.world === undefined && typeof world === 'string' && !key && !result.passed) {
      const text = `${file} names no world; replayed in "${world}".`
      view.note(`${escapeControls(text)} Use --world NAME if it started with another one.`)
    }
    const replayed = { file, result: shown, error: null }
    if (!update || result.passed) return { ...replayed, accepted: result.passed }
    const { accepted, sentence } = await updateFile(input, result, options)
    view.note(sentence)
    return { ...replayed, accepted }
  } catch (error) {
    const { aborted } = signal
    if (aborted || error instanceof UnreachableError) {
      const message = aborted
        ? `The replay was interrupted after ${describe()}.`
        : (error as Error).message
      view.problem(`${escapeControls(file)}: ${message}`)
      return { file, result: null, accepted: false, error: message }
    }
    throw isUsageError(error) ? new UsageError(`${escapeControls(file)}: ${error.message}`) : error
  }
}

async function runScenario(
  scenario: Scenario,
  { target, key, token, allowWrites, profile, world, signal }: ReplayOptions,
  onStep: NonNullable<RunOptions['onStep']>,
) {
  const options = { onStep, profile, world }
  if (target === undefined) return (await simulatorFor(scenario, world)).run(scenario, options)
  const rest = { token, allow_writes: allowWrites, signal }
  return runAt(target, scenario, { ...options, ...key, ...rest })
}

/** Masks what a service repeated of secrets: the keys of `--key`, and others by their names and their form. */
function stepMasker(
  { key, keys = {} }: KeyValues,
  redact?: readonly string[],
): (step: StepResult) => StepResult {
  const redactor = new KeyRedactor([key ?? [], Object.values(keys)].flat(), redact)
  return (step) => {
    const masked = redactor.json(step) as StepResult
    const differences = masked.differences.map((difference) => {
      const { got, path, inWords } = difference
      return inWords ? difference : { ...difference, got: redactor.json(got, path) }
    })
    return { ...masked, differences }
  }
}

/** Shows the steps on stdout, or on stderr if stdout has JSON. */
export function createReplayView(
  { json, target }: { readonly json?: boolean; readonly target?: string },
  context: CommandContext,
): ReplayView {
  const stream = json ? context.stderr : context.stdout
  const paint = painter(stream)
  const print = (text: string) => void stream.write(`${text}\n`)
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
  expected: 'good',
  got: 'bad',
  decision: 'faint',
}
