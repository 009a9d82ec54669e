import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { confirmFailures } from '../analysis/variants/confirm-failures.ts'
import {
  findDependences,
  unnoticedFields,
  unnoticedFinding,
} from '../analysis/variants/dependences.ts'
import { responseVariants } from '../analysis/variants/response-variants.ts'
import { tryScopes } from '../analysis/variants/scope-trials.ts'
import {
  type Baseline,
  type ClientRun,
  type RunClient,
  runUnchanged,
  runVariants,
  type SweepClient,
  type VariantOutcome,
} from '../analysis/variants/sweep.ts'
import { markUntested } from '../analysis/variants/untested.ts'
import { policyVariants, type Variant } from '../analysis/variants/variant.ts'
import { type PolicySettings, policyIds } from '../policies/policies.ts'
import type { Simulator } from '../simulator.ts'
import { failToWrite } from '../utils/files.ts'
import { tryParseJson } from '../utils/foreign-json.ts'
import { isObject } from '../utils/json.ts'
import { formatFinding } from '../utils/reports/report.ts'
import { UsageError } from '../utils/usage-error.ts'
import type { CommandResult } from './command.ts'
import { type CommandContext, exitCodes } from './command-context.ts'
import { addFaultsFromFlags, openSimulator, toListenOptions } from './from-flags.ts'
import { formatCount, hiddenProgressBar, startProgressBar } from './output.ts'
import { redactCommand } from './redact.ts'
import { type CommandLine, defineWrapper } from './run-command.ts'
import { createCommandRunner } from './sweep/command-runner.ts'
import { runPairwise } from './sweep/pairwise.ts'
import {
  checkOnly,
  checkSweepFlags,
  describeRuns,
  execFlags,
  failingKindsOf,
  type SweepFlags,
  sweepFlags,
} from './sweep/sweep-flags.ts'
import {
  describeProblem,
  flakyNotes,
  toProblemReport,
  toReport,
  unconfirmedNotes,
} from './sweep/sweep-report.ts'
import { writeReports } from './write-reports.ts'

const help = `
sweep runs the command twice as it is, then under each other value of each policy that the simulator read. A policy
that it did not read cannot change a response, and one that --policy sets stays as it is. Each run has
its own server, with the environment variables of exec. A failure counts if it repeats beside further runs without a
change. For policies of whole numbers it tries pages of 2 and 100 rows, and bodies of 102,400 and 20,971,520 bytes.

Tests with simulators of their own, such as those of understudy-api/vitest, send it no requests. Run them with the
reporter understudy-api/vitest/sweep instead: npx vitest run --reporter=understudy-api/vitest/sweep

With --state, an interrupted sweep continues: runs that passed with another service are kept. Runs without a change and
failures are repeated, because the command may have been mended. Delete the file after changes that can break it.

What a command depends on is
  documented     the documentation says it, and only assumed behaviour breaks the command
  observed       the live service was seen doing it, but the documentation does not say it
  assumed        neither the documentation nor the live service shows it
  contradicted   the live service was seen doing otherwise, and the command breaks with that

Examples:
  npx understudy-api sweep -- npm test
  npx understudy-api sweep --only annotations --jobs 1 -- npm test
  npx understudy-api sweep --junit junit.xml -- npx vitest run --reporter=junit --outputFile=junit.xml
  npx understudy-api sweep --responses --scopes --pairwise --state sweep.json --report sweep.html -- npm test

The exit code is 0 if nothing of --fail-on was found, 1 if something was or if the command fails by itself, 130 after an
interruption.`

export default defineWrapper({
  name: 'sweep',
  summary: 'Run a command against each plausible service, and report what it depends on.',
  flags: sweepFlags,
  help,
  run: sweep,
})

async function sweep(
  line: CommandLine,
  flags: SweepFlags,
  context: CommandContext,
): Promise<CommandResult | number> {
  checkSweepFlags(line, flags)
  const words = context.argv.slice(0, -line.length)
  const swept = { command: redactCommand(line, flags.redact), flags: execFlags(words) }
  const origin = await openSimulator(flags)
  const { settings } = origin.policies
  const state = await openState(swept.command, flags, context)
  if (!flags.responses) checkOnly(flags, settings, [])
  const createClient = clientFactory(line, origin, flags, state, context)
  const limit = flags.timeout ?? null
  const baseline = await runUnchanged(createClient(limit))
  if (baseline.verdict !== 'steady') return reportProblem(baseline, swept.command, flags, context)
  const slowest = Math.max(...baseline.runs.map(({ ms }) => ms))
  const client = createClient(limit ?? Math.max(30_000, 10 * slowest))
  const { values, others } = listVariants(baseline, settings, flags)
  const outcomes = await runWithProgress([...values, ...others], client, context)
  const { signal } = context
  if (flags.pairwise && !signal.aborted) {
    const alone = outcomes
      .filter(({ variant, outcome }) => outcome === 'passed' && values.includes(variant))
      .map(({ variant }) => variant)
    outcomes.push(...(await runPairwise(alone, settings, flags.seed ?? 1, client)))
  }
  const confirmed = await confirmFailures(baseline, outcomes, client)
  if (confirmed.baseline.verdict !== 'steady') {
    return reportProblem(confirmed.baseline, swept.command, flags, context)
  }
  const known = markUntested(confirmed.outcomes, baseline.trace)
  const scopes = flags.scopes ? await tryScopes(baseline.trace, settings, client) : null
  const isInterrupted = signal.aborted
  if (!isInterrupted) await state?.complete()
  const dependences = findDependences(known, settings)
  const notes = [
    ...flakyNotes(known),
    ...unconfirmedNotes(known),
    ...(flags.responses ? unnoticedFinding(unnoticedFields(known)).flatMap(formatFinding) : []),
  ]
  const found = { baseline, settings, outcomes: known, dependences, scopes, isInterrupted, notes }
  const report = toReport({ ...swept, ...found })
  await writeReports(report, flags.report, context)
  if (isInterrupted) context.printError(resumeHint(flags))
  const failing = failingKindsOf(flags)
  const hasFailed = dependences.some(({ kind }) => failing.includes(kind))
  const exitCode = hasFailed ? exitCodes.failed : exitCodes.ok
  const { json, text = '' } = report
  return { json, text, exitCode: isInterrupted ? exitCodes.interrupted : exitCode }
}

/** Opens the file of `--state`, and says how many of its runs are kept. Null without the flag. */
async function openState(
  command: string,
  flags: SweepFlags,
  context: CommandContext,
): Promise<SweepState | null> {
  if (flags.state === undefined) return null
  const state = await SweepState.open(flags.state, describeRuns(command, flags))
  if (state.resumed > 0) {
    context.printError(
      `Continuing after ${formatCount(state.resumed, 'run')} in ${flags.state}. Runs without a change and failures are repeated.`,
    )
  }
  return state
}

const resumeHint = ({ state }: SweepFlags): string =>
  state === undefined
    ? 'To keep the results of an interrupted sweep, add --state FILE.'
    : `The results are in ${state}. Run the same command to continue.`

/** Returns a function that creates the client of a sweep, whose runs end after a time in milliseconds. */
function clientFactory(
  line: CommandLine,
  origin: Simulator,
  flags: SweepFlags,
  state: SweepState | null,
  context: CommandContext,
): (timeout: number | null) => SweepClient {
  const { jobs, junit, intercept, token, responses: withVariants = false } = flags
  const options = toListenOptions(flags)
  const addFaults = (target: Simulator): void => addFaultsFromFlags(target, flags)
  const runner = { line, origin, options, intercept, token, junit, withVariants, addFaults }
  const { signal } = context
  return (timeout) => {
    const run = createCommandRunner({ ...runner, timeout }, context)
    return { run: state?.remember(run, signal) ?? run, jobs, signal }
  }
}

/** Reports why a command cannot be swept. @returns the exit code */
async function reportProblem(
  baseline: Baseline,
  command: string,
  flags: SweepFlags,
  context: CommandContext,
): Promise<number> {
  const { verdict } = baseline
  const problem = describeProblem(baseline, flags.jobs)
  context.printError(problem)
  if (context.signal.aborted) context.printError(resumeHint(flags))
  const report = toProblemReport(command, verdict, problem)
  if (flags.json) context.printJson(report.json)
  await writeReports(report, flags.report, context)
  return verdict === 'interrupted' ? exitCodes.interrupted : exitCodes.failed
}

/** Lists the services to try: other values of the policies that the simulator read, and others of the flags. */
function listVariants(
  { trace }: Baseline,
  settings: PolicySettings,
  flags: SweepFlags,
): { readonly values: Variant[]; readonly others: Variant[] } {
  const consulted = policyIds.filter((id) => trace.consulted.includes(id) && !(id in flags.policy))
  const ofResponses = responseVariants(trace.variants ?? {}, settings)
  if (flags.responses) checkOnly(flags, settings, ofResponses)
  const isWanted = ({ id }: Variant): boolean => id.includes(flags.only ?? '')
  return {
    values: policyVariants(consulted, settings).filter(isWanted),
    others: ofResponses.filter(isWanted),
  }
}

/** Tries services with a progress bar, or without a terminal with a line for each ten. */
async function runWithProgress(
  variants: readonly Variant[],
  client: SweepClient,
  context: CommandContext,
): Promise<VariantOutcome[]> {
  const progress = await startProgressBar('Sweeping', variants.length, context.stderr)
  const services = formatCount(variants.length, 'other service')
  const isSilent = progress === hiddenProgressBar
  const atOnce = Math.min(client.jobs ?? 1, variants.length)
  if (isSilent) context.printError(`Trying ${services}, ${atOnce} at once.`)
  let done = 0
  const onOutcome = (): void => {
    progress.update(++done)
    if (isSilent && done % 10 === 0) context.printError(`${done} of ${services} tried.`)
  }
  return runVariants(variants, { ...client, onOutcome }).finally(progress.stop)
}

interface StateJson {
  readonly kind: 'understudy sweep'
  /** What the sweep is of: hashes of the command and of each flag, by name */
  readonly of: Readonly<Record<string, string>>
  readonly complete: boolean
  /** By variant and attempt */
  readonly runs: Readonly<Record<string, ClientRun>>
}

/** The runs of a sweep in a file, so that an interrupted sweep goes on where it ended. */
class SweepState {
  readonly #file: string
  readonly #of: StateJson['of']
  readonly #runs: Map<string, ClientRun>
  /** How many runs of the file are used again. */
  readonly resumed: number
  #saving: Promise<void> = Promise.resolve()

  private constructor(file: string, of: StateJson['of'], runs: StateJson['runs']) {
    this.#file = file
    this.#of = of
    // The command may have been mended since. Runs without a change show it first, and then failures.
    const kept = Object.entries(runs).filter(
      ([key, { failure }]) => failure === null && !key.startsWith(`${unchanged} #`),
    )
    this.#runs = new Map(kept)
    this.resumed = this.#runs.size
  }

  /**
   * Opens a file. Of an incomplete sweep, the runs that passed with another service are used again.
   *
   * @param parts what the sweep is of, by name: the command and the flags that decide the result
   * @throws UsageError for the file of another sweep, any other file, and a file that cannot be written
   */
  static async open(file: string, parts: Readonly<Record<string, unknown>>): Promise<SweepState> {
    const entries = Object.entries(parts)
    const of = Object.fromEntries(entries.map(([name, value]) => [name, hash(value)]))
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      return failToWrite(file)(error)
    })
    const json = text.trim() === '' ? null : tryParseJson(text)?.value
    if (json !== null && !isState(json)) {
      throw new UsageError(`${file} is not the state of a sweep. Choose another file for --state.`)
    }
    if (json && !json.complete) {
      // Earlier versions wrote a text.
      const before: StateJson['of'] = isObject(json.of) ? json.of : {}
      const names = Object.keys({ ...of, ...before }).filter((name) => before[name] !== of[name])
      const differing = names.slice(0, 3).join(', ')
      if (differing !== '') {
        throw new UsageError(
          `${file} has the state of another sweep: ${differing} ${names.length === 1 ? 'differs' : 'differ'}. Choose another file for --state, or delete it.`,
        )
      }
    }
    const state = new SweepState(file, of, json && !json.complete ? json.runs : {})
    await state.#save(false)
    return state
  }

  /** Returns a runner that takes known runs from the file, and adds others to it. */
  remember(run: RunClient, signal: AbortSignal): RunClient {
    return async (variant, attempt) => {
      const key = `${variant?.id ?? unchanged} #${attempt}`
      const known = this.#runs.get(key)
      if (known) return known
      const result = await run(variant, attempt)
      // The signal may have ended the command.
      if (signal.aborted) return result
      // The output may have secrets.
      this.#runs.set(key, { ...result, output: '' })
      await this.#save(false)
      return result
    }
  }

  /** Marks the sweep as complete, so that the next one starts anew. */
  complete(): Promise<void> {
    return this.#save(true)
  }

  #save(complete: boolean): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      const runs = Object.fromEntries(this.#runs)
      const json: StateJson = { kind: 'understudy sweep', of: this.#of, complete, runs }
      const partial = `${this.#file}.partial`
      await writeFile(partial, JSON.stringify(json)).catch(failToWrite(this.#file))
      await rename(partial, this.#file).catch(failToWrite(this.#file))
    })
    return this.#saving
  }
}

const unchanged = 'unchanged'

function hash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
    .slice(0, 16)
}

function isState(value: unknown): value is StateJson {
  return isObject(value) && value.kind === 'understudy sweep' && isObject(value.runs)
}
