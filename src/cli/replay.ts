import { runAt } from '../admin/run-at.ts'
import { writeReports } from '../report/write-reports.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { scenarioOfFile } from '../scenarios/library.ts'
import type { RunOptions } from '../scenarios/run/options.ts'
import {
  formatDetails,
  formatStep,
  formatSummary,
  type RunResult,
  type StepPart,
  type StepResult,
  scenarioReport,
} from '../scenarios/run/result.ts'
import type { KeyValues } from '../scenarios/run/sender.ts'
import { simulatorFor } from '../scenarios/run/simulator-for.ts'
import { shrinkScenario } from '../scenarios/shrink.ts'
import { updateExpectations } from '../scenarios/update-expectations.ts'
import { profiles } from '../settings/profiles.ts'
import { isUsageError, UsageError } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import type { Input } from '../utils/input.ts'
import { UnreachableError } from '../utils/network.ts'
import { KeyRedactor } from '../utils/redaction/redactor.ts'
import type { Report, TestCase, TestSuite } from '../utils/reports/report.ts'
import { escapeControls, formatCount } from '../utils/text.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import type { WorldJson } from '../world/world-json.ts'
import { defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, exitCodes, painter, type TextTone } from './command-context.ts'
import { parseKey, redactFlag, reportFlag, targetTokenFlag } from './flags.ts'
import { readNamedWorld, readScenarioInput } from './from-flags.ts'
import { orInterrupted, withProgress } from './progress.ts'

const help = `
Without --target each scenario runs in a simulator, and on an Understudy server in a sandbox. Any other service, and every
target with --key, only gets the requests of the scenario, and only reads unless you pass --allow-writes.

Examples:
  npx understudy-api replay scenarios/*.json
  npx understudy-api replay delete-not-allowed
  npx understudy-api replay story.json --target https://api.example.com --key phx_mine
  npx understudy-api replay story.json --shrink smaller.json

Exit codes: 0 if all steps pass, 1 if a step fails, 2 for an invalid file, 4 if the target does not respond,
130 after an interrupt with --target, which leaves no sandbox.`

const flags = {
  '--target <url>': 'server to replay against (default: a simulator)',
  '--key <label=value>': {
    text: 'key of the target, for one label or for all; can be repeated',
    parse: parseKey,
  },
  '--token <text>': targetTokenFlag,
  '--world <file|name>': {
    text: 'world for scenarios that do not name one (default: default)',
    file: 'read',
  },
  '--profile <name>': {
    text: 'profile to use instead of the one in the scenario',
    choices: profiles,
  },
  '--only <step>': 'compare one step, by number or title; earlier steps run, too',
  '--update': {
    text: 'write the actual responses to the files where they differ',
    conflicts: ['target'],
  },
  '--shrink <file>': {
    text: 'write a minimal version of the scenario that still fails to this file',
    file: 'write',
    conflicts: ['target', 'update', 'only'],
  },
  '--report <file>': reportFlag,
  '--json': 'print the results as JSON',
  '--allow-writes': 'allow writes to a target that is not an Understudy server',
  '--redact <name>': redactFlag,
} as const

export default defineCommand({
  name: 'replay',
  summary: 'Replay scenarios and report differences.',
  args: [
    [
      '<file...>',
      'scenario files, or names of scenarios of the package; *.schema.json files are skipped',
    ],
  ],
  flags,
  help,
  run: ([files], values, context) => replay(files, values, context),
})

type ReplayFlags = FlagValues<typeof flags>

/** The flags for one file: its world is read. */
interface FileFlags extends Omit<ReplayFlags, 'world'>, Pick<RunOptions, 'world'> {}

async function replay(
  paths: readonly string[],
  flags: ReplayFlags,
  context: CommandContext,
): Promise<number> {
  const { report: reports, json, shrink } = flags
  const files = paths.filter((path) => !path.endsWith('.schema.json'))
  if (files.length === 0) throw new UsageError(`${paths[0]} is a schema, not a scenario.`)
  if (shrink !== undefined && files.length > 1) {
    throw new UsageError('--shrink takes one scenario. Name only the one that fails.')
  }
  const replayed = await replayAll(files, flags, context)
  const report = replayToReport(replayed)
  await writeReports(report, reports, context)
  // Printed last: if a file cannot be written, stdout only has the error.
  if (json) context.printJson(report.json)
  if (context.signal.aborted) return exitCodes.interrupted
  if (replayed.some(({ error }) => error !== null)) return exitCodes.unreachable
  return replayed.every(({ accepted }) => accepted) ? exitCodes.ok : exitCodes.failed
}

async function replayAll(
  files: readonly string[],
  flags: ReplayFlags,
  context: CommandContext,
): Promise<ReplayedFile[]> {
  // All files are checked before the first one runs.
  const inputs = await Promise.all(files.map((file) => readScenarioInput(file, context)))
  const unwritable = inputs.find(({ isPipe, name }) => isPipe || !statsOf(name))
  if (flags.update && unwritable) {
    const kind = unwritable.isPipe ? 'a pipe' : 'a scenario of the package'
    throw new UsageError(
      `--update writes to the file, and ${unwritable.name} is ${kind}. Name a file.`,
    )
  }
  const scenarios = await Promise.all(
    inputs.map((input) => scenarioOfFile(input.json(), input.name)),
  )
  const print = createPrinter(flags, context)
  const fileFlags: FileFlags = { ...flags, world: await readStart(flags.world, context) }
  const replayed: ReplayedFile[] = []
  for (const [index, scenario] of scenarios.entries()) {
    replayed.push(await replayFile(inputs[index] as Input, scenario, fileFlags, print, context))
    if (context.signal.aborted) break
  }
  return replayed
}

/**
 * Replays one file, and reports each step when it has run.
 *
 * @throws UsageError for a scenario that cannot run on the target
 */
async function replayFile(
  input: Input,
  scenario: Scenario,
  flags: FileFlags,
  print: ReturnType<typeof createPrinter>,
  context: CommandContext,
): Promise<ReplayedFile> {
  const { name: file } = input
  const mask = flags.key ? stepMasker(flags.key, flags.redact) : (step: StepResult) => step
  print.title(file, scenario.title)
  let played = 0
  const describe = (): string => `${played} of ${formatCount(scenario.steps.length, 'step')}`
  const onStep = (step: StepResult): void => {
    print.step(mask(step))
    played += 1
  }
  try {
    const run = runReplay(scenario, flags, onStep, context.signal)
    // A server keeps the sandbox of a replay that does not end it.
    const work = flags.target === undefined ? orInterrupted(context, describe, run) : run
    // A terminal shows the steps.
    const isShown = flags.json || context.stdout.isTTY
    const result = await (isShown ? work : withProgress(context, describe, work))
    const shown = { ...result, steps: result.steps.map(mask) }
    print.summary(shown)
    if (scenario.world === undefined && typeof flags.world === 'string' && !result.passed) {
      const text = `${file} names no world; replayed in "${flags.world}".`
      print.line(`  ${escapeControls(text)} Use --world NAME if it started with another one.`)
    }
    if (flags.shrink !== undefined) {
      print.line(`  ${await shrinkFile(scenario, flags.shrink, flags)}`)
    }
    const replayed = { file, result: shown, error: null }
    if (!flags.update || result.passed) return { ...replayed, accepted: result.passed }
    const { accepted, sentence } = await updateFile(input, result, flags)
    print.line(`  ${sentence}`)
    return { ...replayed, accepted }
  } catch (error) {
    const { aborted } = context.signal
    if (aborted || error instanceof UnreachableError) {
      const message = aborted
        ? `The replay was interrupted after ${describe()}.`
        : (error as Error).message
      context.printError(`${escapeControls(file)}: ${message}`)
      return { file, result: null, accepted: false, error: message }
    }
    throw isUsageError(error) ? new UsageError(`${escapeControls(file)}: ${error.message}`) : error
  }
}

async function runReplay(
  scenario: Scenario,
  { target, key, token, allowWrites, only, profile, world }: FileFlags,
  onStep: NonNullable<RunOptions['onStep']>,
  signal: AbortSignal,
): Promise<RunResult> {
  const setup = { ...(profile !== undefined && { profile }), ...(world !== undefined && { world }) }
  const options: RunOptions = {
    onStep,
    ...setup,
    ...(only !== undefined && { only }),
  }
  if (target === undefined) return (await simulatorFor(scenario, world)).run(scenario, options)
  const remoteOptions = {
    ...options,
    ...key,
    ...(token !== undefined && { token }),
    ...(allowWrites !== undefined && { allow_writes: allowWrites }),
    signal,
  }
  return runAt(target, scenario, remoteOptions)
}

/**
 * Writes the actual responses to a file, and the profile and the world that they come from.
 *
 * @returns whether the file then has no difference, and a sentence that says what was written
 */
async function updateFile(
  input: Input,
  result: RunResult,
  { profile, world }: Pick<RunOptions, 'profile' | 'world'>,
): Promise<{ accepted: boolean; sentence: string }> {
  const { name: file } = input
  const before = input.json() as Scenario
  const isNamed = world === 'default' || before.world !== undefined
  const setup = { ...(profile && { profile }), ...(!isNamed && { world }) }
  const { steps, ...head } = updateExpectations(before, result)
  const text = `${formatJson({ ...head, ...setup, steps })}\n`
  await writeNamedFile(file, text, 0o666)
  const accepted = !result.steps.some(
    ({ outcome, differences }) =>
      outcome === 'skipped' || differences.some(({ path }) => path[0] !== 'expect'),
  )
  const exception = accepted ? '' : ', except for differences that cannot be written'
  const fields = Object.keys(setup).join(' and ')
  const start = fields && ` It now has the ${fields} of this replay.`
  return {
    accepted,
    sentence: `Updated ${file} to expect the actual responses${exception}.${start}`,
  }
}

/** Writes the steps that a failure needs, in the profile and the world of this replay. @returns what was written */
async function shrinkFile(
  scenario: Scenario,
  out: string,
  { profile, world }: FileFlags,
): Promise<string> {
  const setup = {
    ...scenario,
    ...(profile !== undefined && { profile }),
    ...(scenario.world === undefined && world !== undefined && { world }),
  }
  const simulator = await simulatorFor(setup)
  const smaller = await shrinkScenario(setup, simulator)
  if (!smaller) return `Every step passes, so ${out} was not written.`
  await writeNamedFile(out, `${formatJson(smaller)}\n`, 0o666)
  const steps = `${smaller.steps.length} of ${scenario.steps.length} steps`
  return `Wrote ${out}: its last step fails in the same way after the others. It has ${steps}.`
}

/** The world of scenarios that name none: the name of a fixture, or the rows of a file. @throws UsageError */
async function readStart(world = 'default', context: CommandContext): Promise<string | WorldJson> {
  return fixtureNames.includes(world) ? world : readNamedWorld(world, context)
}

interface ReplayedFile {
  readonly file: string
  /** Null if the target did not respond, or the user interrupted the replay */
  readonly result: RunResult | null
  /** Whether all steps passed, or were updated */
  readonly accepted: boolean
  /** Why there is no result: the target did not respond, or the user interrupted the replay */
  readonly error: string | null
}

/** Converts the results of a replay for printers. For JUnit, a file is a suite and a step is a case. */
function replayToReport(replayed: readonly ReplayedFile[]): Report {
  const passed = replayed.filter(({ result }) => result?.passed).length
  return {
    title: `Replay: ${passed} of ${replayed.length} scenarios passed`,
    text: replayed.map(toText).join('\n\n'),
    json: replayed,
    junit: { name: 'understudy replay', suites: replayed.map(toSuite) },
  }
}

function toText({ file, result, error }: ReplayedFile): string {
  return `${escapeControls(file)}: ${result ? scenarioReport(result) : error}`
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

/** Prints the steps of a replay on stdout, or on stderr if stdout has JSON. */
function createPrinter({ json }: { json?: boolean }, { stdout, stderr }: CommandContext) {
  const stream = json ? stderr : stdout
  const paint = painter(stream)
  const line = (text: string): void => void stream.write(`${text}\n`)
  return {
    line,
    title: (file: string, title: string) =>
      line(`${paint('name', escapeControls(file))}: ${paint('strong', escapeControls(title))}`),
    step: (step: StepResult) => line(formatStep(step, (part, text) => paint(tones[part], text))),
    summary: (result: RunResult) =>
      line(`  ${paint(result.passed ? 'good' : 'bad', formatSummary(result))}`),
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

/**
 * Returns a function that masks what a service repeated of secrets: the keys of `--key`, and other secrets by their names
 * and their form.
 */
function stepMasker(
  { key, keys = {} }: KeyValues,
  redact?: readonly string[],
): (step: StepResult) => StepResult {
  const redactor = new KeyRedactor([key ?? [], Object.values(keys)].flat(), redact)
  return (step) => {
    const masked = redactor.json(step) as StepResult
    const differences = masked.differences.map((difference) => {
      const { got, path, inWords } = difference
      return inWords ? difference : { ...difference, got: redactor.part(got, path) }
    })
    return { ...masked, differences }
  }
}
