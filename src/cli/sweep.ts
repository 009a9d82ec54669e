import { writeFile } from 'node:fs/promises'
import { failingKinds, findDependences } from '../analysis/variants/dependences.ts'
import { findLeastScopes } from '../analysis/variants/least-scopes.ts'
import { unnoticedFields, unnoticedFinding } from '../analysis/variants/mutant-report.ts'
import { mutantVariants } from '../analysis/variants/mutants.ts'
import { dateVariants, policyVariants } from '../analysis/variants/policy-variants.ts'
import {
  type Baseline,
  runUnchanged,
  runVariants,
  type SweepClient,
  type VariantOutcome,
} from '../analysis/variants/sweep.ts'
import type { Variant } from '../analysis/variants/variant.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { policyIds } from '../policies/setting-ranges.ts'
import type { Simulator } from '../simulator.ts'
import { failToWrite } from '../utils/files.ts'
import { formatFinding } from '../utils/reports/finding.ts'
import { printReport } from '../utils/reports/printers.ts'
import type { Report } from '../utils/reports/report.ts'
import type { CommandResult } from './command.ts'
import { type CommandContext, exitCodes } from './command-context.ts'
import { addFaultsFromFlags, openSimulator, toListenOptions } from './from-flags.ts'
import { formatCount, hiddenProgressBar, startProgressBar } from './output.ts'
import { type CommandLine, defineWrapper } from './run-command.ts'
import { createCommandRunner } from './sweep/command-runner.ts'
import { runPairwise } from './sweep/pairwise.ts'
import {
  checkOnly,
  checkSweepFlags,
  describeRuns,
  execFlags,
  redactCommand,
  type SweepFlags,
  sweepFlags,
} from './sweep/sweep-flags.ts'
import { describeProblem, toProblemReport, toReport } from './sweep/sweep-report.ts'
import { SweepState } from './sweep/sweep-state.ts'

const help = `
sweep runs the command twice as it is, then under each other value of each policy that its responses depended on. A
policy that no response depended on cannot change a response, and one that --policy sets stays as it is. Each run has
its own server, with the environment variables of exec. A failure counts if it happens twice. For policies of whole
numbers it tries pages of 2 and 100 rows, and bodies of 102,400 and 20,971,520 bytes.

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
  npx understudy-api sweep --dates --mutate --scopes --pairwise --state sweep.json --report sweep.html -- npm test

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
  const origin = await openSimulator(flags, context)
  const { settings } = origin.policies
  const state = await openState(swept.command, flags, context)
  if (!flags.mutate) checkOnly(flags, settings, [])
  const createClient = clientFactory(line, origin, flags, state, context)
  const limit = flags.timeout === undefined ? null : flags.timeout * 1000
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
  const { heldScopes, unscopedOperations } = baseline.trace
  const scopes = flags.scopes ? await findLeastScopes(heldScopes, unscopedOperations, client) : null
  const isInterrupted = signal.aborted
  if (!isInterrupted) await state?.complete()
  const dependences = findDependences(outcomes, settings)
  const notes = flags.mutate
    ? unnoticedFinding(unnoticedFields(outcomes)).flatMap(formatFinding)
    : []
  const found = { baseline, settings, outcomes, dependences, scopes, isInterrupted, notes }
  const report = toReport({ ...swept, ...found })
  await writeReports(flags.report, report)
  if (isInterrupted) context.printError(resumeHint(flags))
  const failing = flags.failOn.length > 0 ? flags.failOn : failingKinds
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
  const { jobs, junit, intercept, token, mutate: withMutants = false } = flags
  const options = toListenOptions(flags)
  const addFaults = (target: Simulator, isFirst: boolean): void =>
    addFaultsFromFlags(target, flags, isFirst ? context : { printError() {} })
  const runner = { line, origin, options, intercept, token, junit, withMutants, addFaults }
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
  await writeReports(flags.report, report)
  return verdict === 'interrupted' ? exitCodes.interrupted : exitCodes.failed
}

/** Lists the services to try: other values of the policies that the responses depended on, and others of the flags. */
function listVariants(
  { trace }: Baseline,
  settings: PolicySettings,
  flags: SweepFlags,
): { readonly values: Variant[]; readonly others: Variant[] } {
  const consulted = policyIds.filter((id) => trace.consulted.includes(id) && !(id in flags.policy))
  const mutants = mutantVariants(trace.mutants ?? {}, settings)
  if (flags.mutate) checkOnly(flags, settings, mutants)
  const isWanted = ({ id }: Variant): boolean => id.includes(flags.only ?? '')
  return {
    values: policyVariants(consulted, settings).filter(isWanted),
    others: [...(flags.dates ? dateVariants() : []), ...mutants].filter(isWanted),
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

async function writeReports(files: readonly string[], report: Report): Promise<void> {
  for (const file of files) {
    await writeFile(file, printReport(report, file)).catch(failToWrite(file))
  }
}
